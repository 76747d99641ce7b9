"""JRNN: the files of the release, written byte by byte, and the model against its formulas."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from gardenpath.models.conformance import CHECK_SENTENCES, check_model
from gardenpath.models.load import load_model
from gardenpath.scoring.score import ScoreOptions, score_texts
from literal_jrnn import literal_bits
from refusals import refused
from small_jrnn import OUTPUTS, WORDS, draw_tensors, write_jrnn
from tensorflow_table import table

TEXT = "The wardens don't table été ."
SPELLED = ("The", "wardens", "don", "'t", "table", "été", ".")
UNKNOWN = WORDS.index("<UNK>")

pytestmark = pytest.mark.usefixtures("one_thread")


def codes(word: bytes) -> list[int]:
    """The characters of a word: begin, bytes, end, padding to 50. No word uses the codes 0 to 4."""
    return [2, *word, 3, *[4] * 48][: 50 if len(word) < 48 else None]


def inputs_of(words: tuple[str, ...], begin: bytes) -> list[list[int]]:
    return [codes(begin), *(codes(word.encode()) for word in words[:-1])]


def targets_of(words: tuple[str, ...]) -> list[int]:
    return [WORDS.index(word) if word in WORDS else UNKNOWN for word in words]


def test_it_equals_its_formulas(tmp_path: Path) -> None:
    weights = write_jrnn(tmp_path)
    scores = score_texts(load_model(f"jrnn:{tmp_path}"), [TEXT])
    expected = literal_bits(weights, inputs_of(SPELLED, b"\0"), targets_of(SPELLED), outputs=OUTPUTS)
    np.testing.assert_allclose(scores.bits, expected, atol=1e-5)
    assert [token.known for token in scores.encoded.tokens(0)] == [word in WORDS for word in SPELLED]


def test_it_equals_its_formulas_with_the_conventions_of_lm_zoo(tmp_path: Path) -> None:
    weights = write_jrnn(tmp_path)
    model = load_model(f"jrnn:{tmp_path}", conventions=["lm-zoo"])
    read = tuple(word if word in WORDS else "<UNK>" for word in SPELLED)
    expected = literal_bits(weights, inputs_of(read, b"<S>"), targets_of(SPELLED), outputs=len(WORDS))
    np.testing.assert_allclose(score_texts(model, [TEXT]).bits, expected, atol=1e-5)
    assert model.card.decisions["bos"] == "<S>, read by its letters, as LM Zoo"
    assert model.card.decisions["probabilities"] == "of the words alone, without 5 outputs without a word"


@pytest.mark.parametrize("convention", ["spelled-symbols", "unknown-first", "words-only"])
def test_each_convention_is_another_model(tmp_path: Path, convention: str) -> None:
    write_jrnn(tmp_path)
    one, other = load_model(f"jrnn:{tmp_path}"), load_model(f"jrnn:{tmp_path}", conventions=[convention])
    assert one.card.fingerprint != other.card.fingerprint
    assert not np.allclose(score_texts(one, [TEXT]).bits, score_texts(other, [TEXT]).bits, atol=1e-4)
    assert sum(one.card.decisions[name] != other.card.decisions[name] for name in one.card.decisions) == 1


def test_words_only_shift_all_bits_of_a_position_alike(tmp_path: Path) -> None:
    write_jrnn(tmp_path)
    one, other = load_model(f"jrnn:{tmp_path}"), load_model(f"jrnn:{tmp_path}", conventions=["words-only"])
    texts = ["The keys", "The table", "The on"]
    differences = score_texts(one, texts).bits - score_texts(other, texts).bits
    np.testing.assert_allclose(differences[1::2], differences[1], atol=1e-5)
    assert (differences > 0).all()


@pytest.mark.parametrize("conventions", [[], ["lm-zoo"]])
def test_it_keeps_the_promises_of_a_model(tmp_path: Path, conventions: list[str]) -> None:
    write_jrnn(tmp_path)
    model = load_model(f"jrnn:{tmp_path}", conventions=conventions)
    assert (model.card.bos, model.card.end) == ("<S>", 0)
    check_model(model, vocabulary_size=len(WORDS) if conventions else OUTPUTS)
    check_model(load_model(f"jrnn:{tmp_path}", bos="none", conventions=conventions))
    end = score_texts(model, [TEXT], ScoreOptions(end=True)).end_bits
    assert end is not None
    assert np.isfinite(end).all()


def test_unknown_words_are_read_by_their_spelling(tmp_path: Path) -> None:
    write_jrnn(tmp_path)
    model = load_model(f"jrnn:{tmp_path}")
    one, other = (score_texts(model, [f"The {word} are"]).bits for word in ("wardens", "jailers"))
    assert one[1] == pytest.approx(other[1])  # the same <UNK>
    assert abs(one[2] - other[2]) > 1e-3
    fresh = load_model(f"jrnn:{tmp_path}")
    fresh.tokenizer.encode(["jailers", "wardens"])
    ids = [found.tokenizer.encode(["The wardens are"]).ids for found in (model, fresh)]
    np.testing.assert_array_equal(*ids)  # whatever was read before: stored surprisals depend on it


def test_a_word_has_48_bytes(tmp_path: Path) -> None:
    weights = write_jrnn(tmp_path)
    long = "ü" * 30
    words = ("The", long, "are")
    inputs = [codes(b"\0"), codes(b"The"), [2, *long.encode()[:48], 3]]
    expected = literal_bits(weights, inputs, targets_of(words), outputs=OUTPUTS)
    np.testing.assert_allclose(score_texts(load_model(f"jrnn:{tmp_path}"), [" ".join(words)]).bits, expected, atol=1e-5)


def test_it_is_converted_once_and_again_if_that_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    write_jrnn(tmp_path)
    expected = score_texts(load_model(f"jrnn:{tmp_path}"), [TEXT]).bits
    (converted,) = (tmp_path / "cache" / "jrnn").glob("*.safetensors")
    written = converted.stat().st_mtime_ns
    np.testing.assert_array_equal(score_texts(load_model(f"jrnn:{tmp_path}"), [TEXT]).bits, expected)
    assert converted.stat().st_mtime_ns == written
    content = bytearray(converted.read_bytes())
    content[-9] ^= 1
    converted.write_bytes(content)
    np.testing.assert_array_equal(score_texts(load_model(f"jrnn:{tmp_path}"), [TEXT]).bits, expected)
    assert bytes(content) != converted.read_bytes()


def test_incomplete_or_other_files_are_refused(tmp_path: Path) -> None:
    spec = f"jrnn:{tmp_path}"
    refused("has 0 files vocab", load_model, spec)
    write_jrnn(tmp_path)
    (tmp_path / "ckpt-softmax3").rename(tmp_path / "elsewhere")
    refused("of the parts of 'softmax/W' there are only", load_model, spec)
    (tmp_path / "elsewhere").rename(tmp_path / "ckpt-softmax3")
    shutil.copy(tmp_path / "ckpt-softmax3", tmp_path / "ckpt-softmax4")
    refused("has 'softmax/W_3', as another file", load_model, spec)
    tensors = draw_tensors()
    tensors["lstm/lstm_1/B"] = tensors["lstm/lstm_1/B"][:-1]
    write_jrnn(tmp_path, tensors)
    refused(r"lstm_1/B is \(23,\), where \(24,\) fits", load_model, spec)
    del tensors["lstm/lstm_1/W_F_diag"]
    tensors["lstm/lstm_1/B"] = draw_tensors()["lstm/lstm_1/B"]
    write_jrnn(tmp_path, tensors)
    refused("has no tensor 'lstm/lstm_1/W_F_diag'", load_model, spec)
    (tmp_path / "vocab-2016-09-10.txt").write_text("a\nb\n", encoding="utf-8")
    refused("has no <S>", load_model, spec)
    write_jrnn(tmp_path)
    for path in tmp_path.glob("ckpt-*"):
        path.unlink()
    refused("has no files ckpt-", load_model, spec)
    (tmp_path / "ckpt-base").write_bytes(table({}))
    refused("has no tensor 'char_embedding/W'", load_model, spec)


def test_texts_of_the_check_have_unknown_words(tmp_path: Path) -> None:
    write_jrnn(tmp_path)
    encoded = load_model(f"jrnn:{tmp_path}").tokenizer.encode(CHECK_SENTENCES)
    assert 0 < encoded.known.mean() < 1
