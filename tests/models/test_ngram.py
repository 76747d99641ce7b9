"""N-gram models against an ARPA file whose probabilities were worked out by hand."""

import base64
import bz2
import gzip
import lzma
import math
import zlib
from math import log2
from pathlib import Path

import numpy as np
import pytest

from gardenpath.errors import InputError, InputWarning
from gardenpath.models.conformance import check_model
from gardenpath.models.ngram.kenlm_model import NgramModel, load_ngram

# p(the) = .4, p(dog) = .3, p(</s>) = .2, p(<unk>) = .1; p(the|<s>) = .5, p(dog|the) = .6, p(</s>|the) = .1,
# p(</s>|dog) = .7; so the back-off weights are 5/6 after <s>, .6 after the, .375 after dog.
ARPA = """\\data\\
ngram 1=5
ngram 2=4

\\1-grams:
-1.0000000	<unk>
-99	<s>	-0.0791812
-0.6989700	</s>
-0.3979400	the	-0.2218487
-0.5228787	dog	-0.4259687

\\2-grams:
-0.3010300	<s> the
-0.2218487	the dog
-1.0000000	the </s>
-0.1549020	dog </s>

\\end\\
"""
# The same through `build_binary probing` and `build_binary trie`; and without <s>, through `build_binary -s probing`.
PROBING = """
eNrLzU0sUMjJVcgoKSmw0tfPzkhNTMtMzUnRS87P1U/OT0lVSMsvyk0sUShLLSrOzM9TMOViQIAGeyCxnxFI/AcCkAgjVIYJTB6wRxZjhdIsDKgA
JF5Qp7jXsq0UrhYb0F70VGqNuvUSZiCbK+f7x9riB9kgezZtYkgPirv3nQVDR8N+EMHAcOzQQc1Feze/NwK5p+H0vtN2fjrJ+xJvs9pPkri1D6aa
4xNTRstGY2GQXGPR2w+11TWtsxVm7RM77/V5XU2WBNQ8rECzzfzCnkPNCgvnye2zKc3LtmOwKQZifSBRkpHKkJKfzgAA+mBUzw=="""
TRIE = """
eNrLzU0sUMjJVcgoKSmw0tfPzkhNTMtMzUnRS87P1U/OT0lVSMsvyk0sUShLLSrOzM9TMOViQIAGeyCxnxFI/AcCkAgjVIYJTB6wZ4KKgTArVI4F
yQQYu6BOca9lWykDV873j7XFD7K1Fz2VWqNuvWTTJob0oLh735Hs3A8iEPxjhw5qLtoL421+b4Qif3rf6X1+Osn7mKD8xNus+ydJ3NrHzIAKWBiw
A6C6P4ZXLh+e7ivge39OxLEaFFmb0rxsOwabYiDWBxIlGakMKfnpDADE9Ufr"""
WITHOUT_BEGIN = """
eNrLzU0sUMjJVcgoKSmw0tfPzkhNTMtMzUnRS87P1U/OT0lVSMsvyk0sUShLLSrOzM9TMOViQIAGeyCxnxFI/AcCkAgjVIYJTB6wRxZjgdLMDKgA
JL5pE0N6UNy97+hyyEB70VOpNerWS0Bmc+V8/1hb/CCbEUNVw34Qsfm9EcjuhtP7Tu/z00nel3ib1X6SxK19MFUT9LziXT3mTQWpn3nx3T7rWcfm
Lpwnt2+WNdO1fN7rc0B6kE21Kc3LtmOw0S+2YyjJSGVIyU9nAADDWEg7"""


@pytest.fixture
def arpa(tmp_path: Path) -> Path:
    path = tmp_path / "hand.arpa"
    path.write_text(ARPA)
    return path


def binary(path: Path, packed: str) -> Path:
    path.write_bytes(zlib.decompress(base64.b64decode(packed)))
    return path


def score(model: NgramModel, text: str) -> list[float]:
    """The bits of a text and of its end."""
    state = model.start()
    found = []
    assert model.card.end is not None
    for token in [*model.tokenizer.encode([text]).ids.tolist(), model.card.end]:
        bits, state = model.step(state, [0], [token], [0])
        found.append(float(bits[0]))
    return found


def by_hand(*probabilities: float) -> object:
    return pytest.approx([-log2(probability) for probability in probabilities], abs=1e-5)


def test_prices_are_those_worked_out_by_hand(arpa: Path) -> None:
    model = load_ngram(arpa)
    assert score(model, "the dog") == by_hand(0.5, 0.6, 0.7)
    assert score(model, "dog the") == by_hand(0.3 * 5 / 6, 0.4 * 0.375, 0.1)
    assert score(model, "the wug dog") == by_hand(0.5, 0.1 * 0.6, 0.3, 0.7)


def test_it_keeps_every_promise_and_probabilities_sum_to_one(arpa: Path) -> None:
    model = load_ngram(arpa)
    texts = ["the dog wug", "the the dog", "wug dog"]
    model.tokenizer.encode(texts)
    assert model.words == ["</s>", "the", "dog", "wug"]
    check_model(model, texts, vocabulary_size=4)
    check_model(load_ngram(arpa))


def test_whole_sentences_are_as_kenlm_has_them(arpa: Path) -> None:
    model = load_ngram(arpa)
    for text in ("the dog", "the wug the the dog", "wug", "dog dog dog"):
        assert sum(score(model, text)) == pytest.approx(-model.kenlm.score(text) * log2(10), abs=1e-4)


def test_rows_and_keep(arpa: Path) -> None:
    model = load_ngram(arpa)
    the, dog = model.tokenizer.encode(["the dog"]).ids.tolist()
    bits, state = model.step(model.start(), [0, 0], [the, dog], [1, 0])
    assert bits.tolist() == by_hand(0.5, 0.25)
    assert bits.dtype == np.float64
    after, none = model.step(state, [0, 1, 1], [dog, dog, the], [])
    assert after.tolist() == by_hand(0.3 * 0.375, 0.6, 0.4 * 0.6)
    assert none == ()


def test_unknown_words_keep_their_own_numbers(arpa: Path) -> None:
    tokens = load_ngram(arpa).tokenizer.encode(["the wug dax wug"]).tokens(0)
    assert [token.known for token in tokens] == [True, False, False, False]
    assert tokens[1].id == tokens[3].id != tokens[2].id


@pytest.mark.parametrize("opener", [gzip.open, bz2.open, lzma.open])
def test_compressed_files(tmp_path: Path, opener: object) -> None:
    path = tmp_path / "hand.arpa.packed"
    with opener(path, "wt") as file:  # type: ignore[operator]  # open functions of three libraries
        file.write(ARPA)
    model = load_ngram(path)
    assert model.tokenizer.lower
    assert score(model, "The dog") == by_hand(0.5, 0.6, 0.7)


@pytest.mark.parametrize("packed", [PROBING, TRIE])
def test_binaries(arpa: Path, tmp_path: Path, packed: str) -> None:
    model = load_ngram(binary(tmp_path / "hand.binary", packed))
    for text in ("The dog", "the wug the the dog"):
        assert score(model, text) == score(load_ngram(arpa), text)
    assert model.tokenizer.lower
    check_model(model)


def test_case_follows_the_vocabulary(arpa: Path, tmp_path: Path) -> None:
    lower = load_ngram(arpa)
    assert lower.card.decisions["case"].startswith("lower")
    assert score(lower, "The DOG") == by_hand(0.5, 0.6, 0.7)
    path = tmp_path / "cased.arpa"
    path.write_text(ARPA.replace("the", "The"))
    cased = load_ngram(path)
    assert score(cased, "The dog") == by_hand(0.5, 0.6, 0.7)
    assert [token.known for token in cased.tokenizer.encode(["the dog"]).tokens(0)] == [False, True]
    assert cased.card.decisions["case"] == "as in the text"
    assert cased.card.fingerprint != lower.card.fingerprint


def test_without_a_beginning_the_first_word_has_no_bits(tmp_path: Path) -> None:
    model = load_ngram(binary(tmp_path / "hand.binary", WITHOUT_BEGIN))
    assert model.card.bos is None
    first, *others = score(model, "the dog")
    assert math.isnan(first)
    assert others == by_hand(0.6, 0.7)
    check_model(model)


def test_kenlm_refuses_an_arpa_file_without_a_beginning(tmp_path: Path) -> None:
    path = tmp_path / "hand.arpa"
    lines = [line for line in ARPA.splitlines(keepends=True) if "<s>" not in line]
    path.write_text("".join(lines).replace("1=5", "1=4").replace("2=4", "2=3"))
    with pytest.raises(InputError, match=r"hand\.arpa.* missing <s>.*; name a complete ARPA file, with <s> and </s>"):
        load_ngram(path)


def test_without_a_symbol_for_them_unknown_words_are_impossible(tmp_path: Path) -> None:
    path = tmp_path / "closed.arpa"
    path.write_text(ARPA.replace("-1.0000000	<unk>\n", "").replace("1=5", "1=4"))
    with pytest.warns(InputWarning, match="has no <unk>"):
        model = load_ngram(path)
    assert score(model, "the wug dog")[1] == math.inf
    assert score(model, "the dog") == by_hand(0.5, 0.6, 0.7)
    check_model(model)


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "End of file"),
        (b"hello\n", "first non-empty line"),
        (ARPA.replace("-0.5228787", "minus").encode(), 'Could not parse "minus"'),
        (ARPA.replace("-0.5228787", "0.5").encode(), "Positive log probability 0.5"),
        (ARPA[:-20].encode(), ""),
        (bytes(range(256)) * 8, ""),
        (zlib.decompress(base64.b64decode(PROBING))[:200], "Binary file has size 200"),
        (gzip.compress(ARPA.encode(), mtime=0)[:60], "zlib"),
    ],
)
def test_damaged_files_are_refused_with_cause_and_remedy(tmp_path: Path, content: bytes, cause: str) -> None:
    path = tmp_path / "damaged"
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"damaged is not an n-gram model.*{cause}.*name a complete ARPA file"):
        load_ngram(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.arpa"):
        with pytest.raises(InputError, match="is not a file"):
            load_ngram(path)
