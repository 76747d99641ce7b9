"""The spans of a server's tokens: exact, or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faulty_server import cut, tokenizer
from gardenpath.models.served.pieces import Piece, piece_of_text, pieces_of_vocabulary, place_pieces
from gardenpath.models.token_alignment import covers
from gardenpath.models.tokenizers import SubwordTokenizer


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1))
def test_strings_of_a_byte_level_vocabulary_have_the_spans_of_the_library(text: str) -> None:
    strings = [tokenizer().id_to_token(id_) for id_ in cut(text)]
    if "<|endoftext|>" in text:
        return
    pieces = pieces_of_vocabulary(strings, text)
    assert pieces is not None
    spans = place_pieces(text, pieces)
    library = SubwordTokenizer(tokenizer()).encode([text])
    tokenizer().encode_special_tokens = False  # as the server has it
    assert spans == list(zip(library.starts.tolist(), library.ends.tolist(), strict=True))


@pytest.mark.parametrize(
    ("text", "pieces", "spans"),
    [
        ("The café", [b"The", " café".encode()], [(0, 3), (4, 8)]),
        ("The café", [b"The", b" caf", None, None], [(0, 3), (4, 7), (7, 8), (7, 8)]),
        ("é a", [None, b" a"], [(0, 1), (2, 3)]),
        ("a b", [b" a", b" ", b"b"], [(0, 1), (2, 2), (2, 3)]),
        ("The cat", [b"The", None], None),  # ASCII is never part of a character
        ("éé a", [None, None, b" a"], None),  # which belongs to which cannot be told
        ("The cat", [b"The"], None),
        ("The cat", [b"The", b" cats"], None),
        ("The cat", [b"The", b" cat", None], None),
        ("The", [b"th", b"e"], None),
    ],
)
def test_pieces_make_up_the_text_or_are_refused(
    text: str, pieces: list[Piece], spans: list[tuple[int, int]] | None
) -> None:
    assert place_pieces(text, pieces) == spans
    assert spans is None or covers(text, spans)


def test_sentencepiece_strings_are_read() -> None:
    strings = ["▁The", "▁caf", "<0xC3>", "<0xA9>", "▁is"]
    pieces = pieces_of_vocabulary(strings, "The café is")
    assert pieces is not None
    assert place_pieces("The café is", pieces) == [(0, 3), (4, 7), (7, 8), (7, 8), (9, 11)]


def test_marks_of_incomplete_characters_are_unknown_bytes() -> None:
    assert [piece_of_text(text) for text in ("", None, " \N{REPLACEMENT CHARACTER}", "é")] == [
        None, None, None, "é".encode(),
    ]  # fmt: skip
