"""Sentences as lists of region contents, for formats that store these instead of the text."""

from gardenpath.errors import InputError
from gardenpath.io.messages import advise
from gardenpath.suites.suite import Join, Sentence, Suite, join_regions


def region_contents(sentence: Sentence) -> list[tuple[str, str]]:
    """Return each region's name and content, as its file has it; without regions, the sentence is one called `*`."""
    names = [region.name for region in sentence.regions] or ["*"]
    texts = [sentence.text[region.start : region.end] for region in sentence.regions] or [sentence.text]
    return list(zip(names, sentence.written or texts, strict=True))


def region_numbers(suite: Suite) -> dict[str, int]:
    """Number the region names of a suite from 1, in the order of first appearance."""
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
    """Raise if sentences are not their regions joined; warn if they only are when always joined by a space."""
    if all(is_joined(sentence, "natural") for _, sentence in suite.trials()):
        return
    for trial, sentence in suite.trials():
        if not is_joined(sentence, "space"):
            raise InputError(
                f"suite {suite.name!r}, item {trial.item!r}, condition {trial.condition!r}: {sentence.text!r} "
                "is not its regions joined by spaces, so this format cannot hold it; write pairs or BLiMP instead"
            )
    advise(f"suite {suite.name!r}: some texts have a space before punctuation; read the file with --join space")


def is_joined(sentence: Sentence, join: Join) -> bool:
    """Return whether the sentence is its region contents joined."""
    again = join_regions(region_contents(sentence), join)
    return again.text == sentence.text and (not sentence.regions or again.regions == sentence.regions)
