"""Sentences as lists of region contents, for the formats that store those and not the text."""

from gardenpath.errors import InputError
from gardenpath.io.input_files import advise
from gardenpath.suites.suite import Join, Sentence, Suite, join_regions


def region_contents(sentence: Sentence) -> list[tuple[str, str]]:
    """Each region's name and content; a sentence without regions is one region called `*`."""
    if not sentence.regions:
        return [("*", sentence.text)]
    return [(region.name, sentence.text[region.start : region.end]) for region in sentence.regions]


def region_numbers(suite: Suite) -> dict[str, int]:
    """A number for each region name of the suite, from 1, in the order in which they first appear."""
    names: dict[str, None] = {}
    for trial, sentence in suite.trials():
        own = [name for name, _ in region_contents(sentence)]
        if len(set(own)) < len(own):
            raise InputError(
                f"suite {suite.name!r}, item {trial.item!r}, condition {trial.condition!r}: a region name is used "
                f"twice ({', '.join(own)}); rename one of them to write the suite"
            )
        names |= dict.fromkeys(own)
    return {name: number for number, name in enumerate(names, 1)}


def require_joinable(suite: Suite) -> None:
    """Refuse a suite whose sentences are not their regions joined; say so where only joining by blanks gives them."""
    if all(is_joined(sentence, "natural") for _, sentence in suite.trials()):
        return
    for trial, sentence in suite.trials():
        if not is_joined(sentence, "space"):
            raise InputError(
                f"suite {suite.name!r}, item {trial.item!r}, condition {trial.condition!r}: {sentence.text!r} "
                "is not its regions joined by blanks, so this format cannot hold it; write pairs or BLiMP instead"
            )
    advise(f"suite {suite.name!r}: some texts have a blank before punctuation; read the file back with join='space'")


def is_joined(sentence: Sentence, join: Join) -> bool:
    """Whether the sentence is what its region contents give when joined."""
    again = join_regions(region_contents(sentence), join)
    return again.text == sentence.text and (not sentence.regions or again.regions == sentence.regions)
