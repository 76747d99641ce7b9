"""Our own reader of n-gram models: equal to KenLM on the same model, and a model like any other."""

import json
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputWarning
from gardenpath.models.conformance import check_model
from gardenpath.models.ngram.arrays import NgramArrays, load_ngram_arrays
from gardenpath.models.ngram.kenlm_model import read_kenlm
from gardenpath.models.ngram.mapped_arrays import map_arrays, write_arrays
from gardenpath.models.ngram.tables import BITS_PER_LOG10, NOWHERE
from gardenpath.models.trained.checkpoint_record import read_record, write_record
from gardenpath.runs.run import run
from gardenpath.scoring.score import ScoreOptions, score_texts
from gardenpath.suites.suite import Suite
from gardenpath.text.reading import Reading
from gardenpath.training.ngram.checkpoint import build_table, estimate_ngrams, read_ngram_text, save_ngrams
from gardenpath.training.specs.parts import VocabularyChoice
from refusals import refused

TEXT = Path(__file__).parents[1] / "data" / "kneser_ney.txt"
SENTENCES = (
    "The keys to the cabinet are on the table.",
    "The key to the cabinets is on the tables.",
    "The author that the guards like laughs at the man.",
    "While the man hunted, the deer ran into the woods quickly.",
    "The guards like the café!",
    "The student hated walking.",
)
MODELS = {"lmplz": (1, "blanks", 3), "classes": (2, "penn", 4), "unigrams": (2, "penn", 1), "long": (1, "penn", 6)}
"""Minimum count, words, order."""


def train(folder: Path, name: str) -> NgramArrays:
    min_count, split, order = MODELS[name]
    corpus = folder / "corpus.txt"
    corpus.write_text(TEXT.read_text(encoding="utf-8") + "\n".join(SENTENCES[:4] * 2), encoding="utf-8")
    reading = Reading(split=split)
    wanted = VocabularyChoice(min_count=min_count, unknown="single" if min_count == 1 else "classes")
    text = read_ngram_text(corpus, reading, wanted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        save_ngrams(estimate_ngrams(text, order=order), text, folder, how={})
    return load_ngram_arrays(folder)


@pytest.fixture(scope="module", params=list(MODELS))
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> NgramArrays:
    return train(tmp_path_factory.mktemp(request.param), request.param)


def words_of(model: NgramArrays) -> list[str]:
    """All words of the model by number; the one unknown word comes last where there are classes."""
    words = list(model.tokenizer.vocabulary.words)  # type: ignore[attr-defined]  # a VocabularyTokenizer
    return words if "<unk>" in words else [*words, "<unk>"]


def kenlm_bits(arpa: object, words: Sequence[str]) -> list[float]:
    scores = arpa.full_scores(" ".join(words), bos=True, eos=True)  # type: ignore[attr-defined]  # kenlm has no types
    return [-logarithm * BITS_PER_LOG10 for logarithm, _, _ in scores]


def arpa_of(model: NgramArrays) -> object:
    if model.order == 1:
        pytest.skip("KenLM reads no unigram models")
    return read_kenlm(Path(model.card.name) / "model.arpa")


def read(model: NgramArrays, numbers: Sequence[int]) -> list[float]:
    state, found = model.start(), []
    for number in numbers:
        bits, state = model.step(state, [0], [number], [0])
        found.append(float(bits[0]))
    return found


def test_equals_kenlm_on_random_words(model: NgramArrays) -> None:
    arpa, words = arpa_of(model), words_of(model)
    rng = np.random.default_rng(0)
    for _ in range(100):
        # Words 0 and 1 are the markers; all others, known, unknown or a class that never occurred, may follow anything.
        numbers = rng.integers(2, len(words), size=rng.integers(1, 9)).tolist()
        expected = kenlm_bits(arpa, [words[number] for number in numbers])
        assert read(model, [*numbers, 1]) == pytest.approx(expected, abs=1e-4)


def test_equals_kenlm_on_sentences(model: NgramArrays) -> None:
    arpa, words = arpa_of(model), words_of(model)
    scores = score_texts(model, SENTENCES, ScoreOptions(end=True))
    for number in range(len(SENTENCES)):
        found = scores[number]
        expected = kenlm_bits(arpa, [words[token.id] for token in found.tokens])
        assert [*found.bits, found.end_bits] == pytest.approx(expected, abs=1e-4)


def test_is_a_model(model: NgramArrays) -> None:
    check_model(model, vocabulary_size=len(words_of(model)))


def test_no_word_is_followed_by_a_beginning(model: NgramArrays) -> None:
    _, state = model.step(model.start(), [0], [3], [0])
    bits, _ = model.step(state, [0], [0], [0])
    assert bits[0] == np.inf


def test_nothing_kept(model: NgramArrays) -> None:
    bits, state = model.step(model.start(), [], [], [])
    assert len(bits) == 0
    assert state.backoffs.shape == (model.order, 0)


def test_classes_are_scored(tmp_path: Path) -> None:
    model = train(tmp_path, "classes")
    (known, unknown) = model.tokenizer.encode(["the walked"]).tokens(0)
    assert known.known
    assert not unknown.known
    assert model.tokenizer.vocabulary.words[unknown.id].startswith("UNK")  # type: ignore[attr-defined]
    assert "classes" in model.card.decisions["unknown words"]


def test_other_beginnings_are_refused(tmp_path: Path) -> None:
    train(tmp_path, "lmplz")
    assert load_ngram_arrays(tmp_path, bos="<s>").card.bos == "<s>"
    refused("begins with <s>, not with 'none'; leave out `bos`", load_ngram_arrays, tmp_path, bos="none")


def test_files_of_two_trainings(tmp_path: Path) -> None:
    train(tmp_path, "lmplz")
    vocabulary = json.loads((tmp_path / "vocabulary.json").read_text(encoding="utf-8"))
    vocabulary["words"][-2:] = reversed(vocabulary["words"][-2:])
    (tmp_path / "vocabulary.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    refused(r"vocabulary.json is damaged: it does not have the digest", load_ngram_arrays, tmp_path)
    record = read_record(tmp_path)
    write_record(tmp_path, record["kind"], record["options"], record["training"])  # of this vocabulary
    refused("do not belong together; restore", load_ngram_arrays, tmp_path)


def test_a_flipped_bit_in_a_probability_is_refused_and_never_stored(tmp_path: Path) -> None:
    train(tmp_path, "lmplz")
    weights, store = tmp_path / "weights.safetensors", tmp_path / "store.sqlite"
    suite = Suite.from_pairs([("the dog sleeps", "the sleeps dog")])
    whole = weights.read_bytes()
    _, arrays = map_arrays(weights)
    begin = whole.index(arrays["2.log10_probabilities"].tobytes())
    for position in (begin, begin + 3, len(whole) - 1):
        weights.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        refused(
            "weights.safetensors is damaged .*do not have the digest",
            run,
            models=[tmp_path],
            suites=[suite],
            store=store,
        )
    weights.write_bytes(whole)
    remembered, computed = (
        run(models=[tmp_path], suites=[suite], store=path) for path in (store, tmp_path / "other.sqlite")
    )
    assert remembered == computed


def test_a_damaged_record_or_header_is_refused(tmp_path: Path) -> None:
    train(tmp_path, "lmplz")
    record, weights = tmp_path / "checkpoint.json", tmp_path / "weights.safetensors"
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace('"sentences": ', '"sentences": 1'), encoding="utf-8")
    assert record.read_text(encoding="utf-8") != text
    refused("checkpoint.json is damaged .*digest they were written with", load_ngram_arrays, tmp_path)
    record.write_text(text, encoding="utf-8")
    content = weights.read_bytes()
    weights.write_bytes(content.replace(b'\\"vocabulary\\"', b'\\"vocabulars\\"'))
    refused("its header does not have the digest it was written with", load_ngram_arrays, tmp_path)


@pytest.mark.parametrize("size", [0, 5, 3000, 17000])
def test_weights_cut_short(tmp_path: Path, size: int) -> None:
    train(tmp_path, "lmplz")
    weights = tmp_path / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:size])
    refused(r"weights.safetensors is damaged or incomplete \(.*restore it", load_ngram_arrays, tmp_path)


def test_missing_weights(tmp_path: Path) -> None:
    train(tmp_path, "lmplz")
    (tmp_path / "weights.safetensors").unlink()
    refused(r"weights.safetensors: there is no such file; name", load_ngram_arrays, tmp_path)


def test_arrays_are_safetensors(tmp_path: Path) -> None:
    from safetensors import safe_open

    arrays = {"a": np.arange(3, dtype=np.int32), "b": np.array([2**63], dtype=np.uint64), "c": np.zeros(0, np.float32)}
    digest = write_arrays(tmp_path / "file", arrays.items(), {"key": "value"})
    facts, mapped = map_arrays(tmp_path / "file")
    assert facts == {"key": "value", "digest": digest, "format": 2}
    with safe_open(tmp_path / "file", framework="numpy") as file:
        for name, array in arrays.items():
            assert np.array_equal(file.get_tensor(name), array)
            assert np.array_equal(mapped[name], array)
            assert mapped[name].flags.aligned


PAIRS = st.dictionaries(st.tuples(st.integers(0, 2**31 - 1), st.integers(0, 5)), st.just(None), max_size=60)


@given(pairs=PAIRS, others=PAIRS)
def test_pairs_are_found(pairs: dict[tuple[int, int], None], others: dict[tuple[int, int], None]) -> None:
    contexts, words = np.array([*pairs], dtype=np.int32).reshape(-1, 2).T
    values = np.arange(len(pairs), dtype=np.float32)
    table, rows = build_table(contexts, words, values, values)
    assert table.find(contexts, words).tolist() == rows.tolist()
    assert table.log10_probabilities[rows].tolist() == values.tolist()
    missing = np.array([*others.keys() - pairs.keys()], dtype=np.int32).reshape(-1, 2).T
    assert np.all(table.find(*missing) == NOWHERE)


def test_only_the_last_words_matter(model: NgramArrays) -> None:
    """After two different beginnings with the same last words, all bits are the same."""
    if model.order > 4:
        pytest.skip("the beginnings are not longer than the context")
    words = list(range(2, 7))
    _, first = model.step(model.start(), [0], [2], [0])
    for word in words:
        _, first = model.step(first, [0], [word], [0])
    second = model.start()
    for word in words:
        _, second = model.step(second, [0], [word], [0])
    everything = list(range(1, len(words_of(model))))
    zeros = [0] * len(everything)
    assert model.step(first, zeros, everything, [])[0] == pytest.approx(model.step(second, zeros, everything, [])[0])
