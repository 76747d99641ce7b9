"""Words and their ids, classes of unknown words by hand, and NLTK's words with their spans."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.models.token_alignment import covers
from gardenpath.text.penn import penn_sentences, place_tokens
from gardenpath.text.vocabulary import Vocabulary, VocabularyTokenizer, read_vocabulary, unknown_class

WORDS = ("<s>", "</s>", "UNK", "UNK-CAPS", "UNK-LC", "UNK-LC-ed", "the", "dog", "slept", "The", ".")
VOCABULARY = Vocabulary(WORDS, "classes")
PIECES = st.sampled_from(
    ["a", "The", "n't", "'s", "'", '"', "''", "``", ".", "...", ",", ":", ";", "(", ")", "[", "--", "-", " ", "  ", "5",
     "cannot", "gimme", "wanna", "more'n", "'tis", "!", "?", "%", "é", "’", "“", "”", "<", ">", "$", "\t", "\u00a0"]
)  # fmt: skip


@pytest.mark.parametrize(
    ("word", "first", "name"),
    [
        ("walked", False, "UNK-LC-ed"),
        ("quickly", False, "UNK-LC-ly"),
        ("walking", False, "UNK-LC-ing"),
        ("nation", False, "UNK-LC-ion"),
        ("larger", False, "UNK-LC-er"),
        ("largest", False, "UNK-LC-est"),
        ("clarity", False, "UNK-LC-ity"),
        ("happy", False, "UNK-LC-y"),
        ("local", False, "UNK-LC-al"),
        ("cats", False, "UNK-LC-s"),
        ("glass", False, "UNK-LC"),  # not -ss, -us, -is
        ("virus", False, "UNK-LC"),
        ("red", False, "UNK-LC"),  # endings but -s need five letters
        ("cat", False, "UNK-LC"),
        ("Paris", False, "UNK-CAPS"),
        ("Walked", False, "UNK-CAPS-ed"),
        ("Walked", True, "UNK-INITC-ed"),
        ("Dog", True, "UNK-INITC-KNOWNLC"),
        ("NATO", True, "UNK-CAPS"),  # more than one capital
        ("eBay", False, "UNK-LC"),
        ("'Tis", False, "UNK-CAPS"),
        ("1984", False, "UNK-NUM"),
        ("80s", False, "UNK-LC-NUM-s"),
        ("F-16", False, "UNK-CAPS-NUM-DASH"),
        ("well-trained", False, "UNK-LC-DASH"),  # no ending beside a dash
        ("B2ished", False, "UNK-CAPS-NUM"),  # nor beside capital and digit
        ("§", False, "UNK"),
        ("UNK-LC-ed", False, "UNK-LC-ed"),
        ("<unk>", False, "UNK"),
    ],
)
def test_unknown_classes(word: str, first: bool, name: str) -> None:
    assert unknown_class(word, first, {"dog"}) == name


@pytest.mark.parametrize(
    ("word", "first", "symbol"),
    [
        ("dog", False, "dog"),
        ("barked", False, "UNK-LC-ed"),
        ("quickly", False, "UNK-LC"),  # UNK-LC-ly, which training lacks, falls back to a prefix
        ("Barked", True, "UNK"),  # UNK-INITC-ed, UNK-INITC
        ("</s>", False, "UNK-LC"),  # markers in a text are unknown words
        ("<s>", False, "UNK-LC"),
        ("UNK-LC", False, "UNK-LC"),  # a class spelled in a text is the class
    ],
)
def test_ids(word: str, first: bool, symbol: str) -> None:
    assert VOCABULARY.id_of(word, first=first) == WORDS.index(symbol)
    assert VOCABULARY.known(word) == (word == "dog")


def test_single_unknown_word_in_lower_case() -> None:
    vocabulary = Vocabulary(("<s>", "</s>", "<unk>", "the", "dog"), "single", lower=True)
    assert vocabulary.encode([["The", "Cat", "<unk>"]]).__next__().tolist() == [3, 2, 2]
    assert vocabulary.known("DOG")
    assert not vocabulary.known("<unk>")


def test_file_round_trip(tmp_path: Path) -> None:
    (tmp_path / "vocabulary.json").write_text(VOCABULARY.to_json(), encoding="utf-8")
    assert read_vocabulary(tmp_path / "vocabulary.json") == VOCABULARY


def test_file_that_is_no_vocabulary(tmp_path: Path) -> None:
    found = ((9, "[]"), (1, "5"), (1, '["a", 5]'))
    records = (f'{{"format": {form}, "unknown": "classes", "lower": false, "words": {words}}}' for form, words in found)
    for content in ("", "[]", "{}", *records):
        (tmp_path / "vocabulary.json").write_text(content)
        with pytest.raises(InputError, match=r"vocabulary\.json"):
            read_vocabulary(tmp_path / "vocabulary.json")


@pytest.mark.parametrize("words", [("the", "dog"), ("<s>", "</s>", "<unk>"), ("<s>", "</s>", "UNK", "dog", "dog")])
def test_words_that_make_no_vocabulary(words: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="build"):
        Vocabulary(words, "classes")


def test_penn_words() -> None:
    assert penn_sentences(['He said, "They can\'t (cannot) pay $3.88."']) == [
        ["He", "said", ",", "``", "They", "ca", "n't", "(", "can", "not", ")", "pay", "$", "3.88", ".", "''"]
    ]


@given(st.lists(st.lists(PIECES).map("".join), min_size=1, max_size=4))
def test_penn_words_are_those_of_nltk(sentences: list[str]) -> None:
    from nltk.tokenize.treebank import TreebankWordTokenizer

    assert penn_sentences(sentences) == [TreebankWordTokenizer().tokenize(sentence) for sentence in sentences]


@given(st.lists(PIECES).map("".join))
def test_penn_words_cover_the_text(sentence: str) -> None:
    spans = list(place_tokens(sentence, penn_sentences([sentence])[0]))
    assert covers(sentence, [(start, end) for _, start, end in spans])
    assert all(sentence[start:end] == word or word in ("``", "''") for word, start, end in spans)


def test_tokenizer_gives_words_with_positions() -> None:
    encoded = VocabularyTokenizer(VOCABULARY, "penn").encode(["The dog slept.", 'A "dog"'])
    assert encoded.ids.tolist() == [9, 7, 8, 10, 2, 2, 7, 2]
    assert encoded.tokens(0)[3].start == 13
    assert [(token.start, token.end, token.known) for token in encoded.tokens(1)] == [
        (0, 1, False), (2, 3, False), (3, 6, True), (6, 7, False),
    ]  # fmt: skip


def test_tokenizer_by_blanks() -> None:
    encoded = VocabularyTokenizer(VOCABULARY, "blanks").encode(["The dog  slept."])
    spans = [(token.start, token.end, token.known) for token in encoded.tokens(0)]
    assert spans == [(0, 3, True), (4, 7, True), (9, 15, False)]
