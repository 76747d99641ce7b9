"""Kneser-Ney estimates against values worked out by hand, against lmplz, and through KenLM."""

import errno
import os
import tempfile
import warnings
from math import log10
from pathlib import Path

import kenlm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import InputError, InputWarning
from gardenpath.models.ngram.kenlm_model import load_ngram, read_kenlm
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import WordIds
from gardenpath.training.ngram.arpa import iterate_words_backwards, write_arpa
from gardenpath.training.ngram.checkpoint import estimate_ngrams, read_ngram_text
from gardenpath.training.ngram.counts import count_ngrams, insert_beginnings
from gardenpath.training.ngram.kneser_ney import (
    FALLBACK,
    KneserNey,
    estimate_kneser_ney,
)
from gardenpath.training.ngram.sorting import sort_keys
from gardenpath.training.specs.parts import VocabularyChoice

DATA = Path(__file__).parents[1] / "data"
Table = dict[str, tuple[float, float]]
"""Logarithms of probability and back-off weight of each n-gram."""


def number(text: str) -> tuple[WordIds, dict[str, int]]:
    """The tokens of a text, a sentence per line, and its words with their numbers."""
    words = {"<unk>": 0, "<s>": 1, "</s>": 2}
    tokens = [words.setdefault(word, len(words)) for word in text.replace("\n", " </s> ").split()]
    return np.array(tokens, dtype=np.int32), words


def build(text: str, *, order: int) -> KneserNey:
    """The model of a text; short texts need the discounts that `lmplz --discount_fallback` has."""
    tokens, words = number(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return estimate_kneser_ney(tokens, list(words), order=order)


def table(model: KneserNey) -> Table:
    """What a model holds, by the spelling of its n-grams."""
    found = {}
    for order, ngrams in enumerate(model.orders, start=1):
        columns = reversed(list(iterate_words_backwards(model, order, slice(None))))
        spellings = [" ".join(model.words[word] for word in words) for words in zip(*columns, strict=True)]
        values = zip(ngrams.log10_probabilities.tolist(), ngrams.log10_backoffs.tolist(), strict=True)
        found |= dict(zip(spellings, values, strict=True))
    return found


def read_arpa(path: Path) -> Table:
    """The n-grams of an ARPA file; those of the highest order have no back-off weight, which means 0."""
    lines = (line.split("\t") for line in path.read_text(encoding="utf-8").split("\n"))
    return {words: (float(value), float(*backoff or [0])) for value, words, *backoff in (x for x in lines if x[1:])}


def test_values_by_hand() -> None:
    model = build("a b\na b\na c\n", order=2)
    # Distinct words to the left of a: 1 (<s>), of b: 1 (a), of c: 1 (a), of </s>: 2 (b, c); together 5.
    # No word has three, so the discounts are 0.5 and 1: 3·0.5 + 1 = 2.5 are taken off, and half the probability
    # is spread over a, b, c, </s>, <unk>, 0.1 each.
    assert model.discounts[0] == FALLBACK
    unigrams = {"a": 0.5 / 5 + 0.1, "b": 0.5 / 5 + 0.1, "c": 0.5 / 5 + 0.1, "</s>": 1 / 5 + 0.1, "<unk>": 0.1}
    # Bigrams: <s> a 3, a b 2, b </s> 2, a c 1, c </s> 1; n1 = n2 = 2, n3 = 1, n4 = 0; y = 2 / (2 + 2·2) = 1/3;
    # D1 = 1 - 2/3·2/2 = 1/3, D2 = 2 - 3/3·1/2 = 3/2, D3 = 3 - 4/3·0 = 3.
    assert model.discounts[1] == pytest.approx((1 / 3, 3 / 2, 3))
    backoffs = {"<s>": 3 / 3, "a": (3 / 2 + 1 / 3) / 3, "b": (3 / 2) / 2, "c": 1 / 3, "</s>": 1, "<unk>": 1}
    bigrams = {
        "<s> a": (3 - 3) / 3 + 1 * 0.2,
        "a b": (2 - 3 / 2) / 3 + 11 / 18 * 0.2,
        "a c": (1 - 1 / 3) / 3 + 11 / 18 * 0.2,
        "b </s>": (2 - 3 / 2) / 2 + 3 / 4 * 0.3,
        "c </s>": (1 - 1 / 3) / 1 + 1 / 3 * 0.3,
    }
    expected = {words: (log10(p), log10(backoffs.get(words, 1))) for words, p in (unigrams | bigrams).items()}
    found = table(model)
    assert found.keys() == expected.keys() | {"<s>"}
    assert found["<s>"] == (0, 0)
    for words, values in expected.items():
        assert found[words] == pytest.approx(values, abs=1e-6), words


def test_counts_are_adjusted_below_the_highest_order_but_not_after_the_beginning() -> None:
    tokens, vocabulary = number("a b\na b\nc a b\n")
    unigrams, bigrams, trigrams = count_ngrams(insert_beginnings(tokens, list(vocabulary)), 3)
    a, b, c, begin, end = (vocabulary[word] for word in ("a", "b", "c", "<s>", "</s>"))
    assert dict(enumerate(unigrams.counts)) == {0: 0, begin: 0, end: 1, a: 2, b: 1, c: 1}
    pairs = zip(bigrams.prefixes.tolist(), bigrams.words.tolist(), strict=True)
    adjusted = dict(zip(pairs, bigrams.counts.tolist(), strict=True))
    # `a b` follows <s> and c; `<s> a` is seen twice; `b </s>` three times, but always after a.
    assert adjusted == {(begin, a): 2, (begin, c): 1, (a, b): 2, (b, end): 1, (c, a): 1}
    # <s> a b twice, a b </s> three times, <s> c a and c a b once.
    assert sorted(trigrams.counts.tolist()) == [1, 1, 2, 3]


def test_equals_lmplz() -> None:
    # The ARPA file was written by `lmplz -o 3 --discount_fallback` of KenLM 0.3.0. The text has an empty line, a tab
    # and two blanks in a row; its last new word, `soon`, makes lmplz count one unigram with its raw count.
    text = read_ngram_text(
        DATA / "kneser_ney.txt", Reading(split="blanks"), VocabularyChoice(min_count=1, unknown="single")
    )
    model = estimate_ngrams(text, order=3)
    expected, found = read_arpa(DATA / "kneser_ney.arpa"), table(model)
    assert found.keys() == expected.keys()
    for words, values in expected.items():
        assert found[words] == pytest.approx(values, abs=1e-5), words
    # As lmplz printed them.
    assert np.array(model.discounts) == pytest.approx(
        np.array([[0.578947, 0.697368, 2.22807], [0.736842, 0.821053, 1.52632], [0.724138, 1.00431, 2.73668]]), abs=1e-5
    )


def test_the_file_holds_the_model(tmp_path: Path) -> None:
    model = build((DATA / "kneser_ney.txt").read_text(encoding="utf-8"), order=4)
    write_arpa(model, tmp_path / "model.arpa")
    written, kept = read_arpa(tmp_path / "model.arpa"), table(model)
    assert written.keys() == kept.keys()
    for words, values in kept.items():
        assert written[words] == pytest.approx(values, abs=1e-6), words
    assert list(tmp_path.iterdir()) == [tmp_path / "model.arpa"]


def test_kenlm_reads_what_we_write(tmp_path: Path) -> None:
    model = build((DATA / "kneser_ney.txt").read_text(encoding="utf-8"), order=3)
    write_arpa(model, tmp_path / "model.arpa")
    known = table(model)
    (_, see, unknown) = read_kenlm(tmp_path / "model.arpa").full_scores("dogs ran", bos=True, eos=True)
    # Nothing begins with `dogs`, no word is called `ran`, and what follows an unknown word depends on nothing.
    assert see == (pytest.approx(known["<unk>"][0] + known["dogs"][1]), 1, True)
    assert unknown == (pytest.approx(known["</s>"][0]), 1, False)
    ngram = load_ngram(tmp_path / "model.arpa")
    assert ngram.card.decisions["architecture"] == "3-gram"
    assert ngram.knows_unknown


def test_a_text_shorter_than_the_order(tmp_path: Path) -> None:
    write_arpa(build("a b\n", order=5), tmp_path / "model.arpa")
    # As lmplz has it: p(a) = 0.5/3 + 0.5/4 = 7/24, and each longer n-gram is the mean of 1 and the next shorter one.
    assert read_arpa(tmp_path / "model.arpa")["<s> a b </s>"][0] == pytest.approx(log10(0.875 + 7 / 24 / 8), abs=1e-6)
    assert read_kenlm(tmp_path / "model.arpa").order == 5


SENTENCES = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8).map(" ".join), max_size=30)


@settings(max_examples=40)
@given(sentences=SENTENCES, order=st.integers(2, 5), context=st.lists(st.sampled_from("abcdefghi"), max_size=5))
def test_sums_to_one(sentences: list[str], order: int, context: list[str]) -> None:
    model = build("\n".join([*sentences, "a b a"]), order=order)
    with tempfile.TemporaryDirectory() as folder:
        write_arpa(model, Path(folder) / "model.arpa")
        reader = read_kenlm(Path(folder) / "model.arpa")
    state = kenlm.State()
    reader.BeginSentenceWrite(state)
    for word in context:
        following = kenlm.State()
        reader.BaseScore(state, word, following)
        state = following
    logarithms = [reader.BaseScore(state, word, kenlm.State()) for word in model.words if word != "<s>"]
    assert sum(10**logarithm for logarithm in logarithms) == pytest.approx(1, abs=1e-4)


@settings(max_examples=40)
@given(sentences=SENTENCES, seed=st.integers(0, 9))
def test_numbers_of_words_do_not_matter(sentences: list[str], seed: int) -> None:
    tokens, vocabulary = number("\n".join([*sentences, "a b a"]))
    permutation = np.random.default_rng(seed).permutation(len(vocabulary)).astype(np.int32)
    spellings = [word for _, word in sorted(zip(permutation.tolist(), vocabulary, strict=True))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        usual = table(estimate_kneser_ney(tokens, list(vocabulary), order=3))
        permuted = table(estimate_kneser_ney(permutation[tokens], spellings, order=3))
    assert permuted.keys() == usual.keys()
    for words, values in usual.items():
        assert permuted[words] == pytest.approx(values, abs=1e-5), words


def test_words_that_never_occur_are_as_likely_as_unknown_ones() -> None:
    tokens, vocabulary = number("a b\n")
    with pytest.warns(InputWarning, match="1-grams, 2-grams cannot be estimated"):
        known = table(estimate_kneser_ney(tokens, [*vocabulary, "never"], order=2))
    assert known["never"] == known["<unk>"]


def test_unknown_words_of_the_text_are_counted() -> None:
    known = table(build("a <unk>\nb <unk>\n", order=2))
    assert known["<unk>"][0] > known["a"][0]
    assert "a <unk>" in known
    assert sum(
        10**value for words, (value, _) in known.items() if words in ("a", "b", "<unk>", "</s>")
    ) == pytest.approx(1)


@pytest.mark.parametrize(
    ("tokens", "words", "message"),
    [
        ([0, 1], ["a", "b"], "no '</s>'; add it"),
        ([0, 1, 2], ["a", "b c", "</s>"], "'b c' is empty or contains a space"),
        ([0, 1, 2], ["a", "", "</s>"], "'' is empty or contains a space"),
        ([0, 1, 2], ["a", "a", "</s>"], "'a' twice"),
        ([0, 7, 2], ["a", "b", "</s>"], "token 7 is not the id"),
        ([0, -1, 2], ["a", "b", "</s>"], "token -1 is not the id"),
        ([3, 0, 1, 2], ["a", "b", "</s>", "<s>"], "has the token '<s>'"),
        ([], ["a", "</s>"], r"the corpus has no words \(sentence ends: 0\)"),
        ([1, 1], ["a", "</s>"], r"the corpus has no words \(sentence ends: 2\)"),
        ([0, 1], ["a", "</s>"], "the corpus has one word .*needs at least two: check"),
    ],
)
def test_tokens_that_cannot_be_used(tokens: list[int], words: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        estimate_kneser_ney(np.array(tokens, dtype=np.int32), words)


def test_an_order_that_cannot_be_used() -> None:
    with pytest.raises(InputError, match="order 0"):
        build("a b\n", order=0)


def test_a_full_disk_keeps_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "model.arpa").write_text("older")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"model.arpa cannot be written \(No space left.*free some space"):
        write_arpa(build("a b\n", order=2), tmp_path / "model.arpa")
    assert list(tmp_path.iterdir()) == [tmp_path / "model.arpa"]
    assert (tmp_path / "model.arpa").read_text() == "older"


def test_a_file_instead_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"cannot be written \(Not a directory\); a part of the path is a file"):
        write_arpa(build("a b\n", order=2), tmp_path / "file" / "model.arpa")


@given(keys=st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 3) | st.integers(2**40, 2**40 + 3), max_size=40))
def test_keys_are_sorted_to_their_last_bit(keys: list[int]) -> None:
    array = np.array(keys, dtype=np.uint64)
    ordered, indices = sort_keys(array)
    assert ordered.tolist() == sorted(keys)
    assert array[indices].tolist() == sorted(keys)
    assert sorted(indices.tolist()) == list(range(len(keys)))
    low = array & np.uint64(7)
    assert sort_keys(low, bits=3)[0].tolist() == sorted(low.tolist())
