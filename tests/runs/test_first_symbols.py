"""The first symbol of each model of a run: one for all, or its own."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.errors import InputError, InputWarning
from gardenpath.runs.first_symbols import symbol_for
from gardenpath.runs.model_choice import choose_symbol, expand_choices, model_names
from gardenpath.runs.spec import RunSpec
from small_bigram import Bigram
from test_cli import gardenpath_command


def symbols(bos: str | Sequence[str] | Mapping[str, str], *models: str) -> list[str]:
    """The symbols that the models of a run read first."""
    spec = RunSpec.from_fields({"models": models, "bos": bos})
    return [choose_symbol(name, spec) for name in expand_choices(spec)]


def test_a_symbol_for_all_and_one_for_each() -> None:
    models = ("big=hf:a/b@main", "hf:c/d")
    assert symbols("default", *models) == ["default", "default"]
    assert symbols("<s>", *models) == ["<s>", "<s>"]
    assert symbols("big=<s>", *models) == ["<s>", "default"]
    assert symbols(["none", "hf:c/d=<s>"], *models) == ["none", "<s>"]
    assert symbols({"big": "<s>", "hf:c/d": "</s>"}, *models) == ["<s>", "</s>"]
    assert symbols(["hf:a/b=x=y", "none"], *models) == ["x=y", "none"]
    assert model_names("big=hf:a/b@main") == ["big", "hf:a/b@main", "hf:a/b"]
    assert symbol_for("<a=b>", ["a"], ["a"]) == "<a=b>"  # a symbol may have the sign


def test_a_pattern_of_revisions_and_a_series_may_be_named_as_written(tmp_path: Path) -> None:
    spec = RunSpec.from_fields({"models": ("hf:a/b@step{0,1*}", "hf:a/b@main"), "bos": "hf:a/b@step{0,1*}=<s>"})
    members = ("hf:a/b@step0", "hf:a/b@step10", "hf:a/b@main")
    assert [choose_symbol(name, spec) for name in members] == ["<s>", "<s>", "default"]
    (tmp_path / "series.json").write_text("{}", encoding="utf-8")
    for written in (str(tmp_path), f"{tmp_path}/"):
        spec = RunSpec.from_fields({"models": (written,), "bos": f"{written}=<s>"})
        assert choose_symbol(str(tmp_path / "1k"), spec) == "<s>"


def test_no_symbols_are_the_default() -> None:
    assert RunSpec.from_fields({"bos": []}) == RunSpec.from_fields({"bos": {}}) == RunSpec()


@pytest.mark.parametrize(
    ("bos", "message"),
    [
        (["none", "<s>"], "'none', '<s>' are each for all models, and only one can be"),
        (["a=<s>", "hf:x=</s>", "c=none"], "--bos c=none: every model has a symbol of its own"),
        (["a=<s>", "a=none"], "'a=<s>', 'a=none' are both for 'a=hf:y', which reads one symbol first"),
    ],
)
def test_symbols_that_no_model_can_read(bos: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        symbols(bos, "a=hf:y", "hf:x")


def test_one_value_is_recorded_as_before() -> None:
    plain = RunSpec(bos="none")
    assert RunSpec.from_fields({"bos": ["none"]}) == plain
    assert plain.record()["bos"] == "none"
    assert RunSpec.from_fields({"bos": ["none"]}).digest() == plain.digest()
    several = RunSpec.from_fields({"bos": ["none", "a=<s>"]})
    assert RunSpec.from_fields(several.record()) == several


def test_an_object_has_its_own_symbol() -> None:
    with pytest.raises(InputError, match="'bigram' is an object: choose its first symbol where you make it"):
        gp.run(models=[Bigram()], suites=["agreement"], sample=1, bos={"bigram": "none"})


def test_a_run_records_the_symbol_of_each_model(tmp_path: Path, llama_folder: Path, gpt2_folder: Path) -> None:
    models = {"one": f"hf:{llama_folder}", "two": f"hf:{llama_folder}", "three": f"hf:{gpt2_folder}"}
    named = [argument for label, model in models.items() for argument in ("--model", f"{label}={model}")]
    chosen = ("--bos", "none", "--bos", "two=<|endoftext|>")
    done = gardenpath_command(
        "run", "agreement", *named, *chosen, "--sample", "2", "--out", tmp_path / "run", "--store", tmp_path / "store"
    )
    assert done.returncode == 0, done.stderr
    run = gp.read_run(tmp_path / "run")
    assert run.first_symbols() == {"one": "none", "two": "<|endoftext|>", "three": "none"}
    assert run.manifest.spec["bos"] == ["none", "two=<|endoftext|>"]
    assert run.spec.bos == ("none", "two=<|endoftext|>")
    with pytest.warns(InputWarning, match="no beginning-of-sentence symbol"):
        again = gp.run(
            models=[f"{label}={model}" for label, model in models.items()], suites=["agreement"], sample=2,
            bos=("none", "two=<|endoftext|>"), store=tmp_path / "store",
        )  # fmt: skip
    assert again.first_symbols() == run.first_symbols()
