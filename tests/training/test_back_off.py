"""Back-off Kneser-Ney against its formulas, written out for one word and one context at a time."""

import json
import tempfile
import warnings
from collections import Counter
from math import log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gardenpath as gp
from gardenpath.errors import InputError, InputWarning
from gardenpath.io.digest import digest_text
from gardenpath.models.load import load_model
from gardenpath.models.ngram.kenlm_model import read_kenlm
from gardenpath.training.ngram.arpa import write_arpa
from gardenpath.training.ngram.kneser_ney import FALLBACK, KneserNey, estimate_kneser_ney
from gardenpath.training.specs.architectures import NgramSpec

TEXT = (Path(__file__).parents[1] / "data" / "kneser_ney.txt").read_text(encoding="utf-8")
BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
Ngram = tuple[str, ...]


class LiteralBackOff:
    """ngram-discount(7): p(a_z) = f(a_z) if c(a_z) > 0, else bow(a_) p(_z), with f(a_z) = (c(a_z) - D) / c(a_).

    c: how often an n-gram of the highest order, or one that begins with <s>, occurs; else how many words precede it.
    """

    def __init__(self, sentences: list[list[str]], order: int) -> None:
        marked = [[BEGIN, *sentence, END] for sentence in sentences]
        self.vocabulary = sorted({word for sentence in marked for word in sentence} | {UNKNOWN})
        self.vocabulary.remove(BEGIN)
        grams = [tuple(s[i : i + n]) for n in range(1, order + 1) for s in marked for i in range(len(s) - n + 1)]
        raw = Counter(grams)
        before = Counter(gram[1:] for gram in raw if len(gram) > 1)
        self.counts = {
            gram: count if len(gram) == order or gram[0] == BEGIN else before[gram]
            for gram, count in raw.items()
            if gram != (BEGIN,)
        }
        self.discounts = [self.estimate_discounts(n) for n in range(1, order + 1)]
        self.order = order

    def estimate_discounts(self, length: int) -> tuple[float, ...]:
        """D(j) = j - (j+1) Y n(j+1)/n(j), Y = n(1)/(n(1) + 2 n(2)); what our estimator has where that is undefined."""
        n = Counter(count for gram, count in self.counts.items() if len(gram) == length)
        if 0 in (n[1], n[2], n[3]):
            return FALLBACK
        y = n[1] / (n[1] + 2 * n[2])
        found = tuple(j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3))
        return found if all(0 <= each <= j for j, each in enumerate(found, start=1)) else FALLBACK

    def followers(self, context: Ngram) -> list[str]:
        return [word for word in self.vocabulary if (*context, word) in self.counts]

    def share(self, context: Ngram, word: str) -> float:
        """f(a_z)."""
        count = self.counts[*context, word]
        total = sum(self.counts[*context, other] for other in self.followers(context))
        return (count - self.discounts[len(context)][min(count, 3) - 1]) / total

    def probability(self, context: Ngram, word: str) -> float:
        seen = self.followers(context)
        if not context:
            left = 1 - sum(self.share((), other) for other in seen)
            unseen = [other for other in self.vocabulary if other not in seen]
            if not unseen:
                return self.share((), word) + left / len(seen)
            return self.share((), word) if word in seen else left / len(unseen)
        if not seen:
            return self.probability(context[1:], word)
        left = 1 - sum(self.share(context, other) for other in seen)
        left_below = 1 - sum(self.probability(context[1:], other) for other in seen)
        if word in seen:
            return self.share(context, word) / (1 - left if left_below < 3e-6 else 1)
        return left / left_below * self.probability(context[1:], word)


def estimate(sentences: list[list[str]], *, order: int) -> KneserNey:
    words = {UNKNOWN: 0, BEGIN: 1, END: 2}
    tokens = [words.setdefault(word, len(words)) for sentence in sentences for word in (*sentence, END)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return estimate_kneser_ney(np.array(tokens, dtype=np.int32), list(words), order=order, smoothing="back-off")


def read_probabilities(model: KneserNey, sentence: list[str]) -> list[float]:
    """Those of the words of a sentence and of its end, as KenLM reads them from the ARPA file of a model."""
    with tempfile.TemporaryDirectory() as folder:
        write_arpa(model, Path(folder) / "model.arpa")
        scores = read_kenlm(Path(folder) / "model.arpa").full_scores(" ".join(sentence), bos=True, eos=True)
        return [10**logarithm for logarithm, _, _ in scores]


def literal_probabilities(literal: LiteralBackOff, sentence: list[str]) -> list[float]:
    before, found = [BEGIN], []
    for word in (*sentence, END):
        known = word if word in literal.vocabulary else UNKNOWN
        found.append(literal.probability(tuple(before[-(literal.order - 1) :]), known))
        before.append(known)
    return found


def require_equal(text: str, sentence: str, order: int) -> None:
    sentences = [line.split() for line in text.splitlines() if line.split()]
    model, literal = estimate(sentences, order=order), LiteralBackOff(sentences, order)
    assert np.array(model.discounts) == pytest.approx(np.array(literal.discounts), abs=1e-5)
    found, expected = read_probabilities(model, sentence.split()), literal_probabilities(literal, sentence.split())
    assert found == pytest.approx(expected, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("order", [2, 3, 5])
@pytest.mark.parametrize("sentence", ["the dog sees the old cat soon", "cats see an unheard word", "soon soon soon"])
def test_the_formulas_on_a_text(order: int, sentence: str) -> None:
    require_equal(TEXT, sentence, order)


LINES = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6).map(" ".join), max_size=25)


@settings(max_examples=30)
@given(lines=LINES, order=st.integers(2, 4), sentence=st.lists(st.sampled_from("abcdefg"), max_size=5).map(" ".join))
def test_the_formulas_on_short_texts(lines: list[str], order: int, sentence: str) -> None:
    require_equal("\n".join([*lines, "a b a"]), sentence, order)


def test_what_is_left_goes_to_all_words_where_every_word_occurs() -> None:
    require_equal(TEXT.replace("cat", "<unk>"), "the dog sees the old cat", 3)


def test_by_command_and_record(tmp_path: Path) -> None:
    sentences = [line.split() for line in TEXT.splitlines() if line.split()]
    (tmp_path / "corpus.txt").write_text("\n".join(map(" ".join, sentences)), encoding="utf-8")
    fields = {"corpus": tmp_path / "corpus.txt", "order": 3, "tokenize": False, "min_count": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        gp.train("ngram", out=tmp_path / "one", smoothing="back-off", **fields)
        gp.train("ngram", out=tmp_path / "two", **fields)
    one, two = (load_model(tmp_path / name) for name in ("one", "two"))
    assert one.card.decisions["architecture"].startswith("3-gram, back-off modified Kneser-Ney")
    assert two.card.decisions["architecture"].startswith("3-gram, interpolated modified Kneser-Ney")
    record = json.loads((tmp_path / "one" / "checkpoint.json").read_text(encoding="utf-8"))
    assert record["options"]["smoothing"] == record["training"]["spec"]["smoothing"] == "back-off"
    scores = gp.score(one, ["the dog sees the old cat soon"], end=True)
    literal = literal_probabilities(LiteralBackOff(sentences, 3), ["the", "dog", "sees", "the", "old", "cat", "soon"])
    assert scores.sentences()["bits"].item() == pytest.approx(-sum(map(log2, literal)), abs=1e-3)
    with pytest.raises(InputError, match="smoothing"):
        gp.train("ngram", out=tmp_path / "three", smoothing="katz", **fields)


def test_models_made_before_keep_their_digest(tmp_path: Path) -> None:
    spec = NgramSpec(corpus=tmp_path / "a.txt", out=tmp_path)
    before = {name: value for name, value in spec.result_fields().items() if name not in ("smoothing", "sections")}
    assert spec.digest() == digest_text(json.dumps(before, sort_keys=True, ensure_ascii=False))
    other = NgramSpec(corpus=tmp_path / "a.txt", out=tmp_path, smoothing="back-off")
    assert other.digest() != spec.digest()
