"""From a template with a language to a suite: items drawn at random from a seed, no two the same."""

import random
import re
from collections.abc import Iterator

from gardenpath.errors import InputError
from gardenpath.suites.grammar.drawing import OPEN_CLASSES, Bound, DeadEnd, Drawer, NoForm, spelt
from gardenpath.suites.grammar.drawn_template import Count, DrawnTemplate
from gardenpath.suites.grammar.lexicon import Lexicon
from gardenpath.suites.suite import Condition, Item, Join, Sentence, Suite
from gardenpath.suites.templates.generate import MOST_ITEMS, Spans, capitalised, part
from gardenpath.suites.templates.pattern import Pattern

ATTEMPTS = 1000
"""How often an item is begun anew before we say that there are no more."""

SAME = "the sentences of an item are the same"
REPEATED = "the sentences were there already"
FORMLESS = "a word does not have the form that a text asks for"
"""Why an item was drawn in vain, apart from slots that no word fits."""

LINKED = re.compile(r"\ba\(n\)(?=\0? +([\w-]+))")
"""The article whose form hangs on the sound of the next word."""

VOWEL = re.compile(r"[aeiouAEIOU]")


def draw_suite(template: DrawnTemplate, join: Join = "natural") -> Suite:
    """Draw the items of a template: those of a smaller number are the first ones of a larger."""
    if template.sample.n > MOST_ITEMS:
        raise InputError(f"{template.sample.n:,} items of {template.name!r} are too many; draw at most {MOST_ITEMS:,}")
    return Suite(
        name=template.name,
        conditions=tuple(Condition(name) for name in template.conditions),
        items=tuple(draw_items(template, join)),
        predictions=template.predictions,
        phenomenon=template.phenomenon,
        circuit=template.circuit,
        source=template.source,
        metadata={**template.metadata, "seed": str(template.sample.seed)},
    )


def draw_items(template: DrawnTemplate, join: Join) -> Iterator[Item]:
    """The items, numbered from 0; sentences that were there before are drawn again."""
    # The name is part of the seed, so that suites of one seed do not draw the same words in step.
    stem = template.name.rpartition("/")[2]
    drawer = Drawer(template.language, random.Random(f"{template.sample.seed}/{stem}"))
    seen: set[str] = set()
    spans = Spans(template.regions)
    number = vain = 0
    while number < template.sample.n:
        item = attempt(template, drawer, str(number), join, spans)
        texts = [] if item is None else [sentence.text for sentence in item.sentences.values()]
        if item is None or len(set(texts)) < len(texts) or not seen.isdisjoint(texts):
            if item is not None:
                drawer.failures[SAME if len(set(texts)) < len(texts) else REPEATED] += 1
            vain += 1
            if vain > ATTEMPTS:
                raise InputError(too_few(template, number, drawer))
            continue
        seen.update(texts)
        vain = 0
        number += 1
        yield item


def too_few(template: DrawnTemplate, number: int, drawer: Drawer) -> str:
    """The message when no more items can be found, with what stood in the way most often."""
    worst = drawer.failures.most_common(1)[0][0]
    told = worst if worst in (SAME, REPEATED, FORMLESS) else f"no word fits {worst!r}"
    return (
        f"template {template.name!r} ({template.source}): {number} different items were found, not "
        f"{template.sample.n:,}; most often {told}"
    )


def attempt(template: DrawnTemplate, drawer: Drawer, number: str, join: Join, spans: Spans) -> Item | None:
    """One item, if the words drawn for it go together."""
    bound: Bound = {}
    drawer.used.clear()
    try:
        drawer.fill(template.slots, bound)
        sentences = {
            name: sentence(patterns, bound, template.language.lexicon, join, spans)
            for name, patterns in template.conditions.items()
        }
        levels = {name: level(said, bound) for name, said in template.levels.items()}
    except NoForm:
        drawer.failures[FORMLESS] += 1
        return None
    except DeadEnd:
        return None
    heads = {slot: filler.head for slot, filler in bound.items()}
    fillers = {slot: head.lemma for slot, head in heads.items() if head and head.category in OPEN_CLASSES}
    return Item(number, sentences, fillers, levels)


def level(said: Pattern | Count, bound: Bound) -> str:
    """What an item has for one level."""
    return str(len(spelt(said.pattern, bound).split())) if isinstance(said, Count) else spelt(said, bound)


def sentence(patterns: tuple[Pattern, ...], bound: Bound, lexicon: Lexicon, join: Join, spans: Spans) -> Sentence:
    """The sentence of one condition."""
    contents = [spelt(pattern, bound) for pattern in patterns]
    if any("a(n)" in content for content in contents):
        contents = articles(contents, lexicon)
    parts = [part(content, join) for content in contents]
    text = "".join(content for content, _ in parts).removeprefix(" ")
    return Sentence(capitalised(text), spans[tuple(shape for _, shape in parts)])


def articles(contents: list[str], lexicon: Lexicon) -> list[str]:
    """The contents with `a(n)` made a or an, also where the next word is in the next region."""
    marked = LINKED.sub(lambda match: "an" if begins_with_vowel(match[1], lexicon) else "a", "\0 ".join(contents))
    if "a(n)" in marked:
        raise InputError(f"{' '.join(contents)!r}: after a(n) must come a word")
    return [content.strip() for content in marked.split("\0")]


def begins_with_vowel(word: str, lexicon: Lexicon) -> bool:
    """Whether a word begins with the sound of a vowel: by its first letter, unless the lexicon knows better."""
    return lexicon.sounds.get(word, VOWEL.match(word) is not None)
