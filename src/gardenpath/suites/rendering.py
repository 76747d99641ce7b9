"""How the sentences of a suite are written for models: their case, and the full stop at their end."""

from dataclasses import replace
from typing import Literal

from gardenpath.suites.suite import Region, Sentence, Suite

Case = Literal["as-is", "lower"]
Stop = Literal["as-is", "apart"]
STOPS = (".", "?", "!")


def render_suite(suite: Suite, *, case: Case = "as-is", stop: Stop = "as-is") -> Suite:
    """Return the suite with its sentences in lower case, or with their full stops set apart.

    >>> pair = Suite.from_pairs([("The dog barks.", "The dog bark.")])
    >>> [sentence.text for _, sentence in render_suite(pair, case="lower", stop="apart").trials()]
    ['the dog barks .', 'the dog bark .']
    """
    if case == stop == "as-is":
        return suite

    def render(sentence: Sentence) -> Sentence:
        apart = set_stop_apart(sentence) if stop == "apart" else sentence
        return replace(apart, text=lower_letters(apart.text)) if case == "lower" else apart

    items = (
        replace(item, sentences={name: render(sentence) for name, sentence in item.sentences.items()})
        for item in suite.items
    )
    return replace(suite, items=tuple(items))


def set_stop_apart(sentence: Sentence) -> Sentence:
    """Put a space before the full stop (question mark, exclamation mark) at the end; add ` .` where there is none.

    A region that begins with the full stop begins after the space.

    >>> set_stop_apart(Sentence("No dogs bark", (Region("verb", 8, 12),)))
    Sentence(text='No dogs bark .', regions=(Region(name='verb', start=8, end=12),))
    """
    text = sentence.text.rstrip()
    if not text.endswith(STOPS):
        return replace(sentence, text=f"{text} .")
    at = len(text) - 1
    if text[:at].endswith(" "):
        return sentence
    spans = [(region.name, min(region.start, len(text)), min(region.end, len(text))) for region in sentence.regions]
    regions = tuple(Region(name, start + (start >= at), end + (end > at)) for name, start, end in spans)
    return Sentence(f"{text[:at]} {text[at:]}", regions)


def lower_letters(text: str) -> str:
    """Put a text into lower case; a letter that would become several stays, so that regions keep their spans."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
