"""Words as in the corpora of the published models."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.models.published.words import moses_words, wikitext_words
from gardenpath.models.token_alignment import covers


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I don't think John's well-known.", "I don 't think John 's well-known ."),
        ("5,000 people, 1.73 each", "5,000 people , 1.73 each"),
        ('He said, "Go!"', 'He said , " Go ! "'),
        ("Mr. Smith of the U.S. Senate", "Mr. Smith of the U.S. Senate"),
        ("He left the U.S.", "He left the U.S."),
        ("It was plan B.", "It was plan B ."),
        ("J. Smith arrived at 5 a.m. today.", "J. Smith arrived at 5 a.m. today ."),
        ("Wait... what -- no?", "Wait ... what -- no ?"),
        ("the students’ “books” in the 1990's", "the students ' \" books \" in the 1990 's"),
        ("rock'n'roll (loud)", "rock 'n 'roll ( loud )"),
        ("One ends. Two begins.", "One ends . Two begins ."),
    ],
)
def test_words_of_moses(text: str, words: str) -> None:
    assert [word for word, _, _ in moses_words(text)] == words.split()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a well-known man", "a well @-@ known man"),
        ("5,000,000 people", "5 @,@ 000 @,@ 000 people"),
        ("1.73 m.", "1 @.@ 73 m ."),
        ("well @-@ known <unk> of 5 @,@ 000", "well @-@ known <unk> of 5 @,@ 000"),
        ("the U.S. on acl.org", "the U.S. on acl.org"),
        ("state-of-the-art", "state @-@ of @-@ the @-@ art"),
    ],
)
def test_words_of_wikitext(text: str, words: str) -> None:
    assert [word for word, _, _ in wikitext_words(text)] == words.split()


@given(st.text(alphabet="ab Z.,-'’\"5`@<>é_\u0301\u3000 \n…", max_size=30))
def test_spans_cover_every_text(text: str) -> None:
    for split in (moses_words, wikitext_words):
        found = split(text)
        assert covers(text, [(start, end) for _, start, end in found])
        assert all(end > start for _, start, end in found)
