"""Every token of every family of tokenizers knows which characters of the text it stands for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from gardenpath.errors import InputError
from gardenpath.models.token_alignment import Span, align, covers, find_pieces, fold_text, match_pieces
from gardenpath.models.tokenizers import (
    SubwordTokenizer,
    WordSpans,
    WordTokenizer,
    pattern_words,
    penn_words,
    space_words,
)

CORPUS = [
    "The keys to the cabinet are on the table.",
    "The author that the guards like laughs, and the manager doesn't.",
    "No student has ever said that the senators' assistants were unreasonable!",
    "While the man hunted the deer ran into the woods.",
] * 4
ENGLISH = [
    "The keys to the cabinet are on the table.",
    "The manager doesn't like the senators' assistants, and the man laughs!",
    "the the the",
    "While the man hunted, the deer ran.",
]
BITS = [
    "a", "Z", "the", "author", "don't", "3.14", "a.m.", "'s", "...", "--", ",", ".", "!", "?", "(", "\"", "well-known",
    "é", "e\u0301", "Ünder", "naïve", "ß", "İ", "½", "…", "ﬁn", "¨", "#", "##a", "@@", "▁", "Ġ", "<unk>", "日本", "한",
    "😀", "👍🏽", "👩‍🚀", "❤️", "I😀it", " ", "  ", "\t", "\n", "\u00a0", "\u3000",
]  # fmt: skip
texts = st.lists(st.sampled_from(BITS), min_size=1, max_size=12).map("".join).filter(lambda text: text.strip())


def trained(tokenizer: Tokenizer, trainer: Any) -> Tokenizer:
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


@cache
def byte_level(prefix: bool = False) -> SubwordTokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return SubwordTokenizer(
        trained(tokenizer, trainers.BpeTrainer(vocab_size=320, initial_alphabet=alphabet, show_progress=False))
    )


@cache
def metaspace_bpe() -> SubwordTokenizer:
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return SubwordTokenizer(
        trained(tokenizer, trainers.BpeTrainer(vocab_size=120, special_tokens=["<unk>"], show_progress=False)), 0
    )


@cache
def unigram() -> SubwordTokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=80, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False)
    return SubwordTokenizer(trained(tokenizer, trainer), 0)


@cache
def wordpiece() -> SubwordTokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return SubwordTokenizer(
        trained(tokenizer, trainers.WordPieceTrainer(vocab_size=120, special_tokens=["[UNK]"], show_progress=False)), 0
    )


def words(split: Callable[[str], WordSpans] = pattern_words) -> WordTokenizer:
    return WordTokenizer.from_words(["<unk>", "the", "author", "."], split=split, lower=True)


SUBWORDS = {
    "byte-level": byte_level,
    "byte-level, prefixed": lambda: byte_level(prefix=True),
    "metaspace": metaspace_bpe,
    "unigram": unigram,
    "wordpiece": wordpiece,
}
FAMILIES = SUBWORDS | {"words": words, "words between spaces": lambda: words(space_words)}


@pytest.mark.parametrize("family", FAMILIES)
@given(text=texts)
@settings(max_examples=150)
def test_tokens_cover_any_text(family: str, text: str) -> None:
    tokens = FAMILIES[family]().encode([text]).tokens(0)
    spans = [(token.start, token.end) for token in tokens]
    assert covers(text, spans)
    for start, end in spans:
        assert text[start:end] == text[start:end].strip()
        assert start == len(text) or not text[start].isspace()


@dataclass(frozen=True)
class FalseEncoding:
    ids: list[int]
    tokens: list[str]
    offsets: list[Span]


@dataclass
class FalseOffsets:
    """A tokenizer of the library whose offsets have been spoilt, as Llama 3's once were."""

    backend: Tokenizer
    spoil: Callable[[Span], Span]

    def encode_batch(self, batch: Sequence[str], *, add_special_tokens: bool) -> list[FalseEncoding]:
        return [
            FalseEncoding(encoding.ids, encoding.tokens, [self.spoil(span) for span in encoding.offsets])
            for encoding in self.backend.encode_batch(batch, add_special_tokens=add_special_tokens)
        ]

    def decode(self, ids: list[int], *, skip_special_tokens: bool) -> str:
        return self.backend.decode(ids, skip_special_tokens=skip_special_tokens)


SPOILS: dict[str, Callable[[Span], Span]] = {
    "zero": lambda span: (0, 0),
    "empty": lambda span: (span[0], span[0]),
    "late": lambda span: (span[0] + 1, span[1] + 1),
    "early": lambda span: (max(0, span[0] - 1), max(0, span[1] - 1)),
    "backwards": lambda span: (span[1], span[0]),
    "beyond": lambda span: (span[0] + 100, span[1] + 100),
}


@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("family", SUBWORDS)
def test_false_offsets_are_found_out_and_mended(family: str, spoil: str) -> None:
    truthful = SUBWORDS[family]()
    lying = SubwordTokenizer(FalseOffsets(truthful.backend, SPOILS[spoil]), truthful.unknown)
    expected, found = truthful.encode(ENGLISH), lying.encode(ENGLISH)
    assert found.starts.tolist() == expected.starts.tolist()
    assert found.ids.tolist() == expected.ids.tolist()
    # The library gives a mark put before the text the text's first character; it stands for none.
    differ = found.ends != expected.ends
    assert {truthful.backend.id_to_token(id_) for id_ in found.ids[differ]} <= {"▁", "Ġ"}


@pytest.mark.parametrize("family", SUBWORDS)
@given(text=texts)
@settings(max_examples=100)
def test_any_text_is_covered_without_offsets(family: str, text: str) -> None:
    lying = SubwordTokenizer(FalseOffsets(SUBWORDS[family]().backend, SPOILS["zero"]))
    tokens = lying.encode([text]).tokens(0)
    assert covers(text, [(token.start, token.end) for token in tokens])


@pytest.mark.parametrize("family", ["metaspace", "unigram", "wordpiece"])
def test_unknown_characters_are_flagged_in_their_place(family: str) -> None:
    text = "the 日 man"
    unknown = [token for token in SUBWORDS[family]().encode([text]).tokens(0) if not token.known]
    assert [text[token.start : token.end] for token in unknown] == ["日"]


def test_bytes_of_one_character_share_its_span() -> None:
    text = "the 😀 man"
    for tokenizer in (byte_level(), SubwordTokenizer(FalseOffsets(byte_level().backend, SPOILS["zero"]))):
        emoji = [token for token in tokenizer.encode([text]).tokens(0) if token.start <= 4 < token.end]
        assert len(emoji) == 4
        assert {(token.start, token.end) for token in emoji} == {(4, 5)}


def test_a_text_of_which_no_token_is_made_is_refused() -> None:
    with pytest.raises(InputError, match="do not cover the text"):
        wordpiece().encode(["\u200b"])


def test_no_texts_and_empty_texts() -> None:
    for family in FAMILIES.values():
        assert len(family().encode([])) == 0
        encoded = family().encode(["", "  "])
        assert encoded.lengths[0] == 0
        assert set(encoded.starts.tolist()) <= {2}  # spaces may be tokens, but stand for no character


def spelt(text: str, pieces: Sequence[str]) -> list[str]:
    """The characters given to each piece, with every promise of `align` kept."""
    spans = align(text, pieces)
    assert len(spans) == len(pieces)
    assert covers(text, spans)
    return [text[start:end] for start, end in spans]


def test_align_by_hand() -> None:
    assert spelt("The cats sat.", ["the", "cat", "##s", "sat", "."]) == ["The", "cat", "s", "sat", "."]
    assert spelt("The cats sat.", ["The", "Ġcat", "s", "Ġsat", "."]) == ["The", "cat", "s", "sat", "."]
    assert spelt("The cats sat.", ["▁The", "▁cat", "s", "▁sat", "."]) == ["The", "cat", "s", "sat", "."]
    assert spelt("The cats sat.", ["The</w>", "cat@@", "s</w>", "sat@@", "."]) == ["The", "cat", "s", "sat", "."]
    assert spelt("Café ÉTÉ", ["cafe", "ete"]) == ["Café", "ÉTÉ"]
    assert spelt("?! ...", ["?", "!", ".", "..", ""]) == ["?", "!", ".", "..", ""]
    assert spelt("##a b", ["##a", "b"]) == ["##a", "b"]


def test_align_empty_pieces_stand_before_the_next() -> None:
    assert align("a b", ["", "a", "▁", "b", ""]) == [(0, 0), (0, 1), (2, 2), (2, 3), (3, 3)]
    assert align("a x b", ["", "a", "▁", "<unk>", "b", ""]) == [(0, 0), (0, 1), (2, 2), (2, 3), (4, 5), (5, 5)]
    assert align("", []) == []
    assert align(" ", [" "]) == [(1, 1)]


def test_align_unknown_pieces() -> None:
    assert spelt("the dax sat", ["the", "<unk>", "sat"]) == ["the", "dax", "sat"]
    assert spelt("a a b", ["<unk>", "a", "b"]) == ["a", "a", "b"]
    assert spelt("This is on", ["<unk>", "is", "on"]) == ["This", "is", "on"]
    assert spelt("dax wug", ["[UNK]", "[UNK]"]) == ["dax", "wug"]
    assert spelt("dax wug zop", ["[UNK]", "[UNK]"]) == ["dax", "wug zop"]
    assert spelt("dax", ["[UNK]", "[UNK]"]) == ["dax", "dax"]
    assert spelt("sat the dax", ["sat", "the", "UNK-LC-s"]) == ["sat", "the", "dax"]
    assert spelt("日a本a", ["▁", "<unk>", "a", "<unk>", "a"]) == ["", "日", "a", "本", "a"]


def test_align_characters_without_a_piece_go_to_their_neighbour() -> None:
    assert spelt("a\u200b b", ["a", "b"]) == ["a\u200b", "b"]
    assert spelt("\u200b a b", ["a", "b"]) == ["\u200b a", "b"]
    assert spelt("a b \u200b", ["a", "b"]) == ["a", "b \u200b"]


def test_fold_keeps_every_character_in_its_place() -> None:
    for text in BITS:
        assert len(fold_text(text)) == len(text)
        assert [character.isspace() for character in fold_text(text)] == [character.isspace() for character in text]


def test_covers() -> None:
    assert covers("a b", [(0, 1), (1, 3)])
    assert not covers("a b", [(0, 1)])
    assert not covers("a b", [(2, 3), (0, 1)])
    assert not covers("a b", [(0, 1), (2, 4)])
    assert not covers("a b c", [(0, 1), (4, 5)])


def test_pattern_words() -> None:
    text = "I don't know; Mr. Li's at the well-known 3.14 a.m. ... (really)--yes."
    assert all(text[start:end] == word for word, start, end in pattern_words(text))
    assert [word for word, _, _ in pattern_words(text)] == [
        "I", "do", "n't", "know", ";", "Mr.", "Li", "'s", "at", "the", "well-known", "3.14", "a.m.", "...",
        "(", "really", ")", "--", "yes", ".",
    ]  # fmt: skip


def test_words_know_what_the_model_knows() -> None:
    tokens = words().encode(["The author sneezed."]).tokens(0)
    assert [token.known for token in tokens] == [True, True, False, True]
    assert [token.id for token in tokens] == [1, 2, 0, 3]


def test_penn_words_are_spelled_as_in_the_treebank() -> None:
    assert penn_words('I cannot say "no".') == [
        ("I", 0, 1), ("can", 2, 5), ("not", 5, 8), ("say", 9, 12), ("``", 13, 14), ("no", 14, 16), ("''", 16, 17),
        (".", 17, 18),
    ]  # fmt: skip


def test_a_word_list_needs_a_word_for_all_others() -> None:
    with pytest.raises(InputError, match=r"2 words have no '<unk>'"):
        WordTokenizer.from_words(["the", "author"])


@given(st.lists(st.sampled_from(["a", "the", "author", "x", ".", "", "<unk>", "é"]), max_size=400), st.integers(2, 9))
def test_long_texts_are_aligned_stretch_by_stretch(pieces: list[str], unknown: int) -> None:
    # Every so many words is one that the tokenizer does not know.
    words = [f"zz{index}q" if piece == "<unk>" or index % unknown == 0 else piece for index, piece in enumerate(pieces)]
    wanted = ["<unk>" if word.startswith("zz") else word for word in words]
    text = " ".join(words)
    spans = align(text, wanted)
    assert covers(text, spans)
    assert [text[start:end] for start, end in spans] == words


def test_the_work_of_aligning_grows_with_the_length(monkeypatch: pytest.MonkeyPatch) -> None:
    matched = []

    def count(source: str, wanted: Sequence[str], start: int, end: int) -> list[Span | None]:
        matched.append(len(wanted) * (min(end, len(source)) - start))
        return match_pieces(source, wanted, start, end)

    for name, value in (("match_pieces", count), ("PIECES_MATCHED", 8), ("SOURCE_MATCHED", 64)):
        monkeypatch.setattr(f"gardenpath.models.token_alignment.{name}", value)
    work = []
    for copies in (20, 40):
        matched.clear()
        wanted = ["the", "author", "<unk>", "laughs", "."] * copies
        assert all(find_pieces("theauthorzzzlaughs." * copies, wanted)[:2])
        work.append(sum(matched))
    assert work[1] <= 3 * work[0]
