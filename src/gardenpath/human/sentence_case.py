"""Sentences as people expect to read them: with a capital and a full stop."""

from itertools import count

from gardenpath.suites.suite import Region, Sentence
from gardenpath.suites.templates.generate import capitalise

ENDS = ".!?…。！？｡؟۔।॥։።"
"""Marks that end a sentence, in several scripts."""
CLOSING = "\"'”’»›)]"
"""Marks that may stand behind the end."""


def as_sentence(sentence: Sentence) -> Sentence:
    """Put a capital and a full stop where a sentence has none; the full stop is a region of its own, if there are any.

    >>> as_sentence(Sentence("the dog barks", (Region("subject", 0, 7), Region("verb", 8, 13)))).text
    'The dog barks.'
    """
    text = capitalise(sentence.text)
    bare = text.rstrip()
    if bare.rstrip(CLOSING).endswith(tuple(ENDS)):
        return Sentence(text, sentence.regions)
    end = len(bare)
    if not sentence.regions:
        return Sentence(f"{bare}.")
    kept = tuple(Region(region.name, min(region.start, end), min(region.end, end)) for region in sentence.regions)
    return Sentence(f"{bare}.", (*kept, Region(free_name({region.name for region in kept}), end, end + 1)))


def free_name(taken: set[str]) -> str:
    """A name for the region of the full stop that no other region has."""
    names = ("period" if number == 1 else f"period_{number}" for number in count(1))
    return next(name for name in names if name not in taken)
