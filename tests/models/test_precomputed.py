"""Surprisals from a file are found by text, and stand where their tokens stand."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from gardenpath.errors import InputWarning
from gardenpath.models.conformance import check_model
from gardenpath.models.precomputed.model import PrecomputedModel, load_precomputed
from gardenpath.models.tokenizers import SubwordTokenizer
from refusals import refused

Tokens = Sequence[tuple[str, float]]


def write_lm_zoo(path: Path, *sentences: Tokens, separator: str = "\t") -> Path:
    """As lm-zoo writes it: everything counted from one."""
    lines = [separator.join(["sentence_id", "token_id", "token", "surprisal"])]
    for number, tokens in enumerate(sentences, 1):
        lines += [
            separator.join([str(number), str(rank), token, str(bits)]) for rank, (token, bits) in enumerate(tokens, 1)
        ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def found(model: PrecomputedModel, text: str) -> list[tuple[str, float, bool]]:
    """What each token of a text stands for, its bits, and whether it is known."""
    encoded, bits = model.score([text])
    tokens = encoded.tokens(0)
    assert model.tokenizer.encode([text]).tokens(0) == tokens
    return [(text[token.start : token.end], own, token.known) for token, own in zip(tokens, bits, strict=True)]


OURS = """sentence	token	text	start	end	bits	known
0	0	The	0	3	1.5	true
0	1	caf	4	7	2.5	true
0	2	é	7	8	3.0	true
0	3	é	7	8	0.5	true
0	4	wugs	9	13	9.0	false
0	5	.	13	14	nan	true
1	0	Yes	0	3	4.0	true
1	1	!	3	4	0.25	true
"""


@pytest.fixture
def ours(tmp_path: Path) -> PrecomputedModel:
    path = tmp_path / "ours.tsv"
    path.write_text(OURS, encoding="utf-8")
    return load_precomputed(path)


def test_our_own_layout(ours: PrecomputedModel) -> None:
    tokens = found(ours, "The café wugs.")
    assert [text for text, _, _ in tokens] == ["The", "caf", "é", "é", "wugs", "."]
    assert [known for _, _, known in tokens] == [True, True, True, True, False, True]
    assert [bits for _, bits, _ in tokens][:5] == [1.5, 2.5, 3.0, 0.5, 9.0]
    assert math.isnan(tokens[-1][1])
    assert found(ours, "Yes !") == [("Yes", 4.0, True), ("!", 0.25, True)]
    assert ours.card.bos == "unrecorded"


def test_it_keeps_every_promise(tmp_path: Path, ours: PrecomputedModel) -> None:
    check_model(ours, ["Yes!", "Yes !"])
    tokens = [("The", 1.0), ("Ġkeys", 2.0), ("Ġare", 3.0), (".", 0.5)]
    path = write_lm_zoo(tmp_path / "zoo.tsv", tokens, [("The", 1.0), ("Ġ<unk>", 9.0), (".", 1.5)])
    check_model(load_precomputed(path), ["The keys are.", "The wug.", "The keys  are ."])


@pytest.mark.parametrize(
    "pieces",
    [
        ["The", "Ġcat", "s", "Ġsat", "."],
        ["▁The", "▁cat", "s", "▁sat", "."],
        ["the", "cat", "##s", "sat", "."],
        ["The", "cat@@", "s", "sat@@", "."],
        ["The</w>", "cat", "s</w>", "sat", ".</w>"],
        ["<s>", "The", "cat", "s", "sat", ".", "</s>"],
        ["<|endoftext|>", "The", "Ġcat", "s", "Ġsat", "."],
        ["[CLS]", "the", "cat", "##s", "sat", ".", "[SEP]"],
        ["The", "cat", "s", "sat", ".", "<eos>"],
    ],
)
def test_marks_case_blanks_and_special_symbols_do_not_matter(tmp_path: Path, pieces: Sequence[str]) -> None:
    model = load_precomputed(write_lm_zoo(tmp_path / "zoo.tsv", [(piece, float(len(piece))) for piece in pieces]))
    own = [float(len(piece)) for piece in pieces if not piece.startswith(("<", "["))]
    for text in ("The cats sat.", "The cats  sat ."):
        tokens = found(model, text)
        assert [text for text, _, _ in tokens] == ["The", "cat", "s", "sat", "."]
        assert [bits for _, bits, _ in tokens] == own


def test_the_first_symbol_is_recorded_where_the_file_has_it(tmp_path: Path) -> None:
    with_symbol = write_lm_zoo(tmp_path / "a.tsv", [("<s>", 0.0), ("Yes", 2.0)], [("<s>", 0.0), ("No", 3.0)])
    assert load_precomputed(with_symbol).card.bos == "<s>"
    missing = write_lm_zoo(tmp_path / "b.tsv", [("Yes", math.nan), (".", 2.0)], [("No", math.nan)])
    assert load_precomputed(missing).card.bos is None


def test_a_first_price_of_zero_is_missing(tmp_path: Path) -> None:
    path = write_lm_zoo(tmp_path / "zoo.tsv", [("Yes", 0.0), (".", 2.0)], [("No", 0.0), (".", 3.0)])
    with pytest.warns(InputWarning, match="first token of every sentence has 0 bits"):
        model = load_precomputed(path)
    assert model.card.bos is None
    _, bits = model.score(["No."])
    assert math.isnan(bits[0])
    assert bits[1] == 3.0


def test_exact_case_comes_first(tmp_path: Path) -> None:
    path = write_lm_zoo(tmp_path / "zoo.tsv", [("Polish", 1.0), ("it", 2.0)], [("polish", 3.0), ("it", 4.0)])
    model = load_precomputed(path)
    assert model.score(["polish it"])[1].tolist() == [3.0, 4.0]
    assert model.score(["Polish it"])[1].tolist() == [1.0, 2.0]
    refused(r"'POLISH it' can be the sentence at line 2 or that at line 4", model.score, ["POLISH it"])


def test_the_same_sentence_may_stand_twice_with_the_same_bits(tmp_path: Path) -> None:
    path = write_lm_zoo(tmp_path / "zoo.tsv", [("Yes", 1.0)], [("Yes", 1.0)], [("No", 1.0)], [("No", 1.5)])
    model = load_precomputed(path)
    assert model.score(["Yes"])[1].tolist() == [1.0]
    refused("different surprisals", model.score, ["No"])


def test_unknown_words_match_anything_in_their_place(tmp_path: Path) -> None:
    path = write_lm_zoo(
        tmp_path / "zoo.tsv",
        [("the", 1.0), ("<unk>", 2.0), ("is", 3.0), (".", 4.0)],
        [("<unk>", 5.0), ("<unk>", 6.0), ("is", 7.0), (".", 8.0)],
        [("[UNK]", 5.5), ("[UNK]", 6.5)],
        [("no", 0.5), ("unk", 0.25)],
    )
    model = load_precomputed(path)
    assert found(model, "The dax is.") == [("The", 1, True), ("dax", 2, False), ("is", 3, True), (".", 4, True)]
    assert found(model, "This trunk is.")[1] == ("trunk", 6.0, False)
    assert found(model, "dax wug") == [("dax", 5.5, False), ("wug", 6.5, False)]
    assert found(model, "no unk") == [("no", 0.5, True), ("unk", 0.25, True)]
    refused("no surprisals for the text 'dax wug zop'", model.score, ["dax wug zop"])


def test_classes_of_unknown_words_fit_their_endings(tmp_path: Path) -> None:
    path = write_lm_zoo(
        tmp_path / "zoo.tsv",
        [("the", 1.0), ("UNK-LC", 2.0), ("sat", 3.0)],
        [("the", 1.0), ("UNK-LC-s", 5.0), ("sat", 3.0)],
    )
    model = load_precomputed(path)
    assert found(model, "the wugs sat")[1] == ("wugs", 5.0, False)
    assert found(model, "the dax sat")[1] == ("dax", 2.0, False)


def test_sentences_that_differ_only_in_what_is_unknown_must_agree(tmp_path: Path) -> None:
    path = write_lm_zoo(
        tmp_path / "zoo.tsv", [("a", 1.0), ("<unk>", 2.0)], [("a", 1.0), ("<unk>", 2.0)], [("b", 1.0), ("<unk>", 2.0)]
    )
    assert load_precomputed(path).score(["a wug"])[1].tolist() == [1.0, 2.0]
    path = write_lm_zoo(tmp_path / "zoo.tsv", [("a", 1.0), ("UNK-CAPS", 2.0)], [("a", 1.0), ("UNK-LC", 3.0)])
    refused("line 2 or that at line 4", load_precomputed(path).score, ["a wug"])


def test_many_unknown_words_are_matched_in_time(tmp_path: Path) -> None:
    unknown = [("<unk>", 1.0)] * 30
    model = load_precomputed(write_lm_zoo(tmp_path / "zoo.tsv", unknown, [*unknown, ("end", 2.0)]))
    assert len(model.score([" ".join(["slithytoves"] * 30)])[1]) == 30
    refused("its 2 sentences", model.score, [" ".join(["slithytoves"] * 31)])


def test_byte_level_tokens_are_read_as_bytes(tmp_path: Path) -> None:
    """The tokens of a byte-level tokenizer, written as lm-zoo writes them, stand where the tokenizer has them."""
    alphabet = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    backend = Tokenizer(models.BPE(alphabet, []))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    texts = ["He’s at the café 😀 now.", "日本 naïve"]
    sentences = [[(token, 1.0) for token in backend.encode(text).tokens] for text in texts]
    model = load_precomputed(write_lm_zoo(tmp_path / "zoo.tsv", *sentences))
    encoded, expected = model.tokenizer.encode(texts), SubwordTokenizer(backend).encode(texts)
    assert encoded.starts.tolist() == expected.starts.tolist()
    assert encoded.ends.tolist() == expected.ends.tolist()


def test_penn_symbols_and_quoted_quotes(tmp_path: Path) -> None:
    path = write_lm_zoo(
        tmp_path / "zoo.tsv", [("-LRB-", 1.0), ("yes", 2.0), ("-RRB-", 3.0)], [('""""', 4.0), ("no", 5.0)]
    )
    model = load_precomputed(path)
    assert [text for text, _, _ in found(model, "(yes)")] == ["(", "yes", ")"]
    assert [text for text, _, _ in found(model, '"no')] == ['"', "no"]


def test_columns_may_be_separated_by_spaces(tmp_path: Path) -> None:
    model = load_precomputed(write_lm_zoo(tmp_path / "zoo.txt", [("Yes", 1.0), (".", 2.0)], separator=" "))
    assert model.score(["Yes."])[1].tolist() == [1.0, 2.0]


def test_bits_are_float64_and_of_many_texts(ours: PrecomputedModel) -> None:
    encoded, bits = ours.score(["Yes!", "The café wugs.", "Yes!"])
    assert bits.dtype == np.float64
    assert encoded.lengths.tolist() == [2, 6, 2]
    assert encoded.ids[:2].tolist() == encoded.ids[-2:].tolist()
    encoded, bits = ours.score([])
    assert len(encoded) == len(bits) == 0


def test_a_text_that_is_not_there(ours: PrecomputedModel) -> None:
    for find in (ours.score, ours.tokenizer.encode):
        refused(r"ours\.tsv has no surprisals for .* 'No!': none of its 2 sentences", find, ["Yes!", "No!"])


@pytest.mark.parametrize(
    ("row", "cause"),
    [
        ("1\t2\tx\t4\t5\t1.0", "6 columns instead of 7"),
        ("1\tfirst\tx\t4\t5\t1.0\ttrue", "token is 'first' and not a whole number"),
        ("1\t2\tx\t4.5\t5\t1.0\ttrue", "start is '4.5' and not a whole number"),
        ("1\t2\tx\t-4\t-3\t1.0\ttrue", "start is '-4' and not a whole number from 0 on"),
        ("1\t-2\tx\t4\t5\t1.0\ttrue", "token is '-2' and not a whole number"),
        ("1\t2\tx\t4\t5_0\t1.0\ttrue", "end is '5_0' and not a whole number"),
        ("1\t\u0662\tx\t4\t5\t1.0\ttrue", "token is '\u0662' and not a whole number"),
        ("1\t2\tx\t4\t5\t1_0\ttrue", "bits is '1_0' and not a number"),
        ("1\t2\tx\t4\t5\t\u0663.\u0665\ttrue", "bits is '\u0663.\u0665' and not a number"),
        ("1\t2\tx\t4\t5\t0x1p3\ttrue", "bits is '0x1p3' and not a number"),
        (f"1\t2\tx\t4\t{'9' * 5000}\t1.0\ttrue", "end is '9+' and not a whole number"),
        ("1\t2\tx\t4\t5\tmuch\ttrue", "bits is 'much' and not a number"),
        ("1\t2\tx\t4\t5\t-3.0\ttrue", "never negative"),
        ("1\t2\tx\t4\t5\t1.0\tmaybe", "known is 'maybe'"),
        ("1\t2\tx\t4\t9\t1.0\ttrue", "the 5 characters of 4 to 9"),
        ("1\t1\tx\t4\t5\t1.0\ttrue", "token 1 of sentence 1 after 1"),
    ],
)
def test_malformed_rows_are_named(tmp_path: Path, row: str, cause: str) -> None:
    path = tmp_path / "ours.tsv"
    path.write_text(OURS + row + "\n", encoding="utf-8")
    refused(rf"ours\.tsv, line 10: .*{cause}", load_precomputed, path)


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "some.tsv"
    refused("is not a file", load_precomputed, path)
    for content, cause in (
        (b"word\tsurprisal\nyes\t1\n", "columns word, surprisal are not a known layout"),
        (b"", "not a known layout"),
        (OURS.splitlines()[0].encode(), "holds no sentence"),
        (OURS.encode("latin-1"), "is not UTF-8"),
    ):
        path.write_bytes(content)
        refused(cause, load_precomputed, path)


def test_the_fingerprint_is_that_of_the_file(tmp_path: Path) -> None:
    first = load_precomputed(write_lm_zoo(tmp_path / "a.tsv", [("Yes", 1.0)])).card.fingerprint
    assert load_precomputed(write_lm_zoo(tmp_path / "b.tsv", [("Yes", 1.0)])).card.fingerprint == first
    assert load_precomputed(write_lm_zoo(tmp_path / "c.tsv", [("Yes", 1.1)])).card.fingerprint != first
