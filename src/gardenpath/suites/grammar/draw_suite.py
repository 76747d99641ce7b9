"""From a template with a language to a suite: items drawn at random from a seed, no two the same."""

import random
import re
from collections.abc import Iterator

from gardenpath.errors import InputError
from gardenpath.suites.grammar.draw_words import OPEN_CLASSES, DeadEnd, Drawer, FilledSlots, MissingForm, fill_text
from gardenpath.suites.grammar.drawn_template import DrawnTemplate, WordCount
from gardenpath.suites.grammar.lexicon import Lexicon
from gardenpath.suites.suite import Condition, Item, Join, Sentence, Suite
from gardenpath.suites.templates.generate import ITEM_LIMIT, RegionSpans, capitalise, encode_region
from gardenpath.suites.templates.pattern import TextPattern

ATTEMPTS_PER_ITEM = 1000
"""How often an item is begun anew before we say that there are no more."""

SAME_SENTENCES = "the sentences of an item are the same"
REPEATED_SENTENCES = "the sentences were there already"
MISSING_FORM = "a word does not have the form that a text asks for"
"""Why an item was drawn in vain, apart from slots that no word fits."""

ARTICLE = re.compile(r"\ba\(n\)(?=\0? +([\w-]+))")
"""The article whose form hangs on the sound of the next word."""

VOWEL = re.compile(r"[aeiouAEIOU]")


def draw_suite(template: DrawnTemplate, join: Join = "natural") -> Suite:
    """Draw the items of a template: those of a smaller number are the first ones of a larger."""
    if template.sample.n > ITEM_LIMIT:
        raise InputError(f"{template.sample.n:,} items of {template.name!r} are too many; draw at most {ITEM_LIMIT:,}")
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
    spans = RegionSpans(template.regions)
    number = vain = 0
    while number < template.sample.n:
        item = attempt_item(template, drawer, str(number), join, spans)
        texts = [] if item is None else [sentence.text for sentence in item.sentences.values()]
        if item is None or len(set(texts)) < len(texts) or not seen.isdisjoint(texts):
            if item is not None:
                drawer.failures[SAME_SENTENCES if len(set(texts)) < len(texts) else REPEATED_SENTENCES] += 1
            vain += 1
            if vain > ATTEMPTS_PER_ITEM:
                raise InputError(describe_shortage(template, number, drawer))
            continue
        seen.update(texts)
        vain = 0
        number += 1
        yield item


def describe_shortage(template: DrawnTemplate, number: int, drawer: Drawer) -> str:
    """The message when no more items can be found, with what stood in the way most often."""
    worst = drawer.failures.most_common(1)[0][0]
    told = worst if worst in (SAME_SENTENCES, REPEATED_SENTENCES, MISSING_FORM) else f"no word fits {worst!r}"
    return (
        f"template {template.name!r} ({template.source}): {number} different items were found, not "
        f"{template.sample.n:,}; most often {told}"
    )


def attempt_item(template: DrawnTemplate, drawer: Drawer, number: str, join: Join, spans: RegionSpans) -> Item | None:
    """One item, if the words drawn for it go together."""
    bound: FilledSlots = {}
    drawer.used.clear()
    try:
        drawer.fill(template.slots, bound)
        sentences = {
            name: fill_sentence(patterns, bound, template.language.lexicon, join, spans)
            for name, patterns in template.conditions.items()
        }
        levels = {name: fill_level(said, bound) for name, said in template.levels.items()}
    except MissingForm:
        drawer.failures[MISSING_FORM] += 1
        return None
    except DeadEnd:
        return None
    heads = {slot: filler.head for slot, filler in bound.items()}
    fillers = {slot: head.lemma for slot, head in heads.items() if head and head.category in OPEN_CLASSES}
    return Item(number, sentences, fillers, levels)


def fill_level(said: TextPattern | WordCount, bound: FilledSlots) -> str:
    """What an item has for one level."""
    return str(len(fill_text(said.pattern, bound).split())) if isinstance(said, WordCount) else fill_text(said, bound)


def fill_sentence(
    patterns: tuple[TextPattern, ...], bound: FilledSlots, lexicon: Lexicon, join: Join, spans: RegionSpans
) -> Sentence:
    """The sentence of one condition."""
    contents = [fill_text(pattern, bound) for pattern in patterns]
    if any("a(n)" in content for content in contents):
        contents = choose_articles(contents, lexicon)
    parts = [encode_region(content, join) for content in contents]
    text = "".join(content for content, _ in parts).removeprefix(" ")
    return Sentence(capitalise(text), spans[tuple(shape for _, shape in parts)])


def choose_articles(contents: list[str], lexicon: Lexicon) -> list[str]:
    """The contents with `a(n)` made a or an, also where the next word is in the next region."""
    marked = ARTICLE.sub(lambda match: "an" if begins_with_vowel(match[1], lexicon) else "a", "\0 ".join(contents))
    if "a(n)" in marked:
        raise InputError(f"{' '.join(contents)!r}: after a(n) must come a word")
    return [content.strip() for content in marked.split("\0")]


def begins_with_vowel(word: str, lexicon: Lexicon) -> bool:
    """Whether a word begins with the sound of a vowel: by its first letter, unless the lexicon knows better."""
    return lexicon.sounds.get(word, VOWEL.match(word) is not None)
