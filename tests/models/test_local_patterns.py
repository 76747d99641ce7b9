"""Patterns of local models: which folders match, their order, and what their names tell of the training."""

from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.errors import InputError, InputWarning
from gardenpath.models.local_patterns import expand_paths
from gardenpath.models.trained.checkpoint_record import RECORD
from gardenpath.runs.first_symbols import symbol_for
from gardenpath.runs.model_choice import choose_symbol, expand_choices
from gardenpath.runs.spec import RunSpec
from small_models import save_tiny, tiny_llama

CHECKPOINTS = ("chck_500K", "chck_1M", "chck_2M", "chck_10M")
"""In the order of training."""


def write_folders(parent: Path, names: tuple[str, ...], file: str = "config.json") -> None:
    for name in names:
        (parent / name).mkdir(parents=True)
        (parent / name / file).write_text("{}", encoding="utf-8")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_checkpoints_are_in_the_order_of_training(here: Path) -> None:
    write_folders(here / "ckpts", tuple(sorted(CHECKPOINTS)))
    (here / "ckpts" / "chck.log").write_text("no folder", encoding="utf-8")
    in_order = [f"hf:ckpts/{name}" for name in CHECKPOINTS]
    assert expand_choices(RunSpec(models=("hf:ckpts/chck*",))) == in_order
    assert expand_paths("mlm:ckpts/chck_{1M,2M}") == ["mlm:ckpts/chck_1M", "mlm:ckpts/chck_2M"]
    assert expand_paths("hf:ckpts/chck_1M") == ["hf:ckpts/chck_1M"]
    assert expand_paths("hf:org/name@step*") == ["hf:org/name@step*"]  # revisions of the hub
    assert expand_paths("api:http://a/?b#c") == ["api:http://a/?b#c"]


def test_models_trained_here_are_in_the_order_of_their_numbers(here: Path) -> None:
    write_folders(here / "models", ("seed10", "seed9"), RECORD)
    assert expand_paths("models/seed*") == ["models/seed9", "models/seed10"]


def test_what_holds_no_model_is_left_out_with_a_note(here: Path) -> None:
    write_folders(here / "ckpts", ("checkpoint-500", "checkpoint-1000"))
    (here / "ckpts" / "checkpoint-1500").mkdir()
    with pytest.warns(InputWarning, match=r"left out, since there is no config\.json in it: 'ckpts/checkpoint-1500'"):
        assert expand_paths("hf:ckpts/*") == ["hf:ckpts/checkpoint-500", "hf:ckpts/checkpoint-1000"]
    with pytest.raises(InputError, match=r"with config\.json matches 'ckpts/chck_\*'; the folders in 'ckpts'"):
        expand_paths("hf:ckpts/chck_*")
    with pytest.raises(InputError, match=r"matches 'ckpt/\*'; there is no folder 'ckpt'"):
        expand_paths("hf:ckpt/*")


def test_options_may_name_the_pattern(here: Path) -> None:
    write_folders(here / "ckpts", CHECKPOINTS)
    spec = RunSpec(models=("hf:ckpts/chck_*", "smollm2"), bos=("hf:ckpts/chck_*=<s>", "smollm2=none"))
    assert [choose_symbol(name, spec) for name in expand_choices(spec)] == ["<s>"] * 4 + ["none"]
    assert symbol_for("default", ["hf:ckpts/chck_1M"], []) == "default"
    with pytest.raises(InputError, match=r"hf:ckpts/chck_500K is a local folder.* and 1 more"):
        expand_choices(RunSpec(models=("hf:ckpts/chck_*",), revision="chck_*"))


def test_the_shell_expanded_the_pattern(here: Path) -> None:
    write_folders(here / "ckpts", CHECKPOINTS)
    with pytest.raises(InputError, match=r"ckpts/chck_1M holds a model, .* quote it: --model 'hf:ckpts/\*'"):
        gp.load_suites("ckpts/chck_1M")


def test_names_of_folders_are_recorded_as_progress(here: Path) -> None:
    pytest.importorskip("transformers")
    for name in ("chck_2M", "chck_1M"):
        save_tiny(here / "ckpts" / name, tiny_llama())
    fields = {"suites": ["agreement"], "sample": 2, "store": here / "store"}
    run = gp.run(models=["hf:ckpts/chck_*"], trained=("hf:ckpts/chck_*=Llama,100M",), **fields)
    read = [model.training and (model.training.words_read, model.training.words) for model in run.manifest.models]
    assert read == [(10**6, 10**8), (2 * 10**6, 10**8)]
