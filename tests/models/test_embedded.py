"""The embedded model: real weights, end to end."""

from pathlib import Path

import numpy as np
import pytest

from gardenpath.errors import InputError
from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from gardenpath.models.pretrained.gguf import convert_once, embedded_file, no_progress_bars
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.models.protocol import AnyModel
from gardenpath.scoring.score import ScoreOptions, score_texts
from gardenpath.suites.catalog import find_suites

PAIRS = [
    ("The keys to the cabinet are on the table.", "The keys to the cabinet is on the table."),
    ("These books are expensive.", "These book are expensive."),
    ("The woman hurt herself.", "The woman hurt themselves."),
]


@pytest.fixture(scope="module")
def embedded(shared_cache: Path) -> AnyModel:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GARDENPATH_CACHE", str(shared_cache))
        return load_model("smollm2")


def totals(model: AnyModel, texts: list[str], **options: int) -> np.ndarray:
    scores = score_texts(model, texts, ScoreOptions(**options))
    return np.array([scores[number].total for number in range(len(texts))])


def test_conformance(embedded: AnyModel) -> None:
    check_model(embedded)


def test_a_cache_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "file"))
    with pytest.raises(InputError, match=r"could not be written to .*; set GARDENPATH_CACHE"):
        load_model("smollm2")


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, folder: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path))
    monkeypatch.setattr("gardenpath.models.pretrained.gguf.convert", full)
    with pytest.raises(InputError, match=r"No space left on device; set GARDENPATH_CACHE"):
        load_model("smollm2")
    assert not list((tmp_path / "gguf").iterdir())


def test_conversion_shows_no_progress(capfd: pytest.CaptureFixture[str]) -> None:
    from transformers import modeling_gguf_pytorch_utils as library

    with no_progress_bars():
        assert list(library.tqdm([1, 2], desc="Converting")) == [1, 2]
    assert capfd.readouterr().err == ""
    assert list(library.tqdm([1, 2], desc="Converting")) == [1, 2]
    assert "Converting" in capfd.readouterr().err


def test_grammar_is_less_surprising(embedded: AnyModel) -> None:
    good, bad = (totals(embedded, [pair[side] for pair in PAIRS]) for side in (0, 1))
    assert (good < bad).all()


def test_scores_do_not_depend_on_batch_size_or_order(embedded: AnyModel) -> None:
    (suite,) = find_suites("agreement")
    texts = [sentence.text for _, sentence in suite.trials()][:12]
    together = totals(embedded, texts)
    assert totals(embedded, texts[::-1])[::-1] == pytest.approx(together, abs=5e-3)
    assert totals(embedded, texts, memory=1) == pytest.approx(together, abs=5e-3)
    assert np.concatenate([totals(embedded, [text]) for text in texts[:4]]) == pytest.approx(together[:4], abs=5e-3)


def test_bits_are_the_librarys(embedded: AnyModel) -> None:
    """The same weights read by the transformers library in one plain pass, with <|endoftext|> first."""

    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = convert_once(embedded_file())
    library = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    text = PAIRS[0][0]
    first = tokenizer.convert_tokens_to_ids("<|endoftext|>")
    ids = torch.tensor([[first, *tokenizer.encode(text, add_special_tokens=False)]])
    with torch.inference_mode():
        log_probabilities = torch.log_softmax(library(ids).logits[0, :-1].double(), dim=-1)
    expected = -log_probabilities.gather(1, ids[0, 1:, None])[:, 0].numpy() / np.log(2)
    assert score_texts(embedded, [text])[0].bits == pytest.approx(expected, abs=5e-3)


def test_it_is_read_without_the_library(embedded: AnyModel) -> None:
    from gardenpath.models.pretrained.rotary import RotaryReader

    assert isinstance(embedded, PackedModel)
    assert isinstance(embedded.reader, RotaryReader)


def test_the_same_weights_begin_with_the_same_symbol(embedded: AnyModel) -> None:
    file = embedded_file()
    quantised, folder = load_model(f"gguf:{file}"), load_model(f"hf:{convert_once(file)}")
    assert {model.card.bos for model in (embedded, quantised, folder)} == {"<|endoftext|>"}
    assert quantised.card.fingerprint == folder.card.fingerprint == embedded.card.fingerprint


def test_identical_prefixes_are_identical_to_the_last_bit(embedded: AnyModel) -> None:
    scores = score_texts(embedded, [text for pair in PAIRS for text in pair])
    assert scores[0].bits[:5].tolist() == scores[1].bits[:5].tolist()
