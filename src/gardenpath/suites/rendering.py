"""How the sentences of a suite are written for models: their case, and the full stop at their end."""

import re
from dataclasses import replace

from gardenpath.io.choices import Case, Stop
from gardenpath.suites.suite import Region, Sentence, Suite

FINAL = re.compile(r"""\s*[.?!…]+["'”’»)\]]*$""")
"""Full stops (question marks, exclamation marks, an ellipsis) at the end of a text, with what closes after them."""


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
        return lower_sentence(apart) if case == "lower" else apart

    items = (
        replace(item, sentences={name: render(sentence) for name, sentence in item.sentences.items()})
        for item in suite.items
    )
    return replace(suite, items=tuple(items))


def set_stop_apart(sentence: Sentence) -> Sentence:
    """Put a space before the full stop (question mark, exclamation mark) at the end; add ` .` where there is none.

    A region that begins with the full stop begins after the space; one that is added is in the last region.

    >>> set_stop_apart(Sentence("No dogs bark", (Region("verb", 8, 12),)))
    Sentence(text='No dogs bark .', regions=(Region(name='verb', start=8, end=14),))
    """
    text = sentence.text.rstrip()
    spans = [(region.name, min(region.start, len(text)), min(region.end, len(text))) for region in sentence.regions]
    final = FINAL.search(text)
    if final is None:
        n = len(text)  # empty regions at the end stay there, and empty
        regions = (Region(name, start + 2 * (start == n), end + 2 * (end == n)) for name, start, end in spans)
        return Sentence(f"{text} .", tuple(regions))
    at = final.start()
    if at == 0 or text[at].isspace():
        return sentence
    regions = (Region(name, start + (start >= at), end + (end > at or start == at)) for name, start, end in spans)
    return Sentence(f"{text[:at]} {text[at:]}", tuple(regions))


def lower_sentence(sentence: Sentence) -> Sentence:
    """Put a sentence into lower case, also as its file has it."""
    return replace(sentence, text=lower_letters(sentence.text), written=tuple(map(lower_letters, sentence.written)))


def lower_letters(text: str) -> str:
    """Put a text into lower case; a letter that would become several stays, so that regions keep their spans."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
