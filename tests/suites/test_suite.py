"""Regions by name and by number, and invalid suites."""

import pytest

from gardenpath.errors import InputError
from gardenpath.suites.formats.whole_sentence import GOOD_AND_BAD, conditions_called
from gardenpath.suites.suite import Item, Sentence, Suite, join_regions


def test_regions_are_counted_unless_one_is_called_by_a_number() -> None:
    sentence = join_regions([("np", "The dog"), ("verb", "barks"), ("end", ".")])
    assert sentence.content("2") == sentence.content("verb") == "barks"
    for absent in ("0", "4", "noun"):
        with pytest.raises(KeyError):
            sentence.region(absent)


@pytest.mark.parametrize("names", [("1", "2", "4"), ("np", "2", "4")])
def test_regions_called_by_numbers_are_not_counted(names: tuple[str, ...]) -> None:
    sentence = join_regions(list(zip(names, ("The dog", "barks", "loudly"), strict=True)))
    assert sentence.content("4") == "loudly"
    with pytest.raises(KeyError):
        sentence.region("3")


def test_an_item_without_sentences_is_refused() -> None:
    with pytest.raises(InputError, match="suite 's', item '7': no sentence"):
        Suite("s", conditions_called(GOOD_AND_BAD), (Item("7", {}),), ())


@pytest.mark.parametrize("text", ["", " \t"])
def test_an_empty_sentence_is_refused(text: str) -> None:
    item = Item("7", {"good": Sentence("a"), "bad": Sentence(text)})
    with pytest.raises(InputError, match="suite 's', item '7', condition 'bad': the sentence is empty"):
        Suite("s", conditions_called(GOOD_AND_BAD), (item,), ())
