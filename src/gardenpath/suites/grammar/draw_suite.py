"""Suites from templates with a language: distinct items drawn at random from a seed."""

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

RETRIES_PER_ITEM = 1000
"""How many times an item is attempted again before the draw fails."""

RETRIES_FOR_KNOWN = 100
"""How many items with an unknown word, perhaps by its capital letter, are drawn again if a vocabulary is given."""

ARTICLE = re.compile(r"\ba\(n\)(?=\0? +([\w-]+))")
"""The article whose form depends on the sound of the next word."""

VOWEL = re.compile(r"[aeiouAEIOU]")


def draw_suite(template: DrawnTemplate, join: Join = "natural") -> Suite:
    """Draw the items of a template; a smaller number gives the first items of a larger one."""
    if template.sample.n > ITEM_LIMIT:
        raise InputError(f"{template.sample.n:,} items of {template.name!r} are too many; draw at most {ITEM_LIMIT:,}")
    return Suite(
        name=template.name,
        conditions=tuple(Condition(name) for name in template.conditions),
        items=tuple(draw_distinct_items(template, join)),
        predictions=template.predictions,
        phenomenon=template.phenomenon,
        circuit=template.circuit,
        source=template.source,
        metadata={
            **template.metadata,
            "lexicon": template.language.lexicon.part,
            "seed": str(template.sample.seed),
        },
    )


def draw_distinct_items(template: DrawnTemplate, join: Join) -> Iterator[Item]:
    """Yield the items, numbered from 0; sentences that already occurred are drawn again."""
    # The name is part of the seed, so that suites of one seed do not draw the same words in step.
    stem = template.name.rpartition("/")[2]
    drawer = Drawer(template.language, random.Random(f"{template.sample.seed}/{stem}"))
    seen: set[str] = set()
    spans = RegionSpans(template.regions)
    known = template.sample.vocabulary
    for number in range(template.sample.n):
        for attempt in range(1 + RETRIES_PER_ITEM):
            item = attempt_item(template, drawer, str(number), join, spans)
            if item is None:
                continue
            texts = [sentence.text for sentence in item.sentences.values()]
            if known is not None and not all(map(known.knows, texts)):
                if attempt < RETRIES_FOR_KNOWN:
                    continue
                known = None  # the template itself has unknown words, which stay
            if len(set(texts)) < len(texts):
                drawer.failures["the sentences of an item are identical"] += 1
            elif not seen.isdisjoint(texts):
                drawer.failures["the sentences occurred before"] += 1
            else:
                break
        else:
            found = f"{number} different items were found instead of {template.sample.n:,}"
            reason = drawer.failures.most_common(1)[0][0]
            raise InputError(f"template {template.name!r} ({template.source}): {found}; most often {reason}")
        seen.update(texts)
        yield item


def attempt_item(template: DrawnTemplate, drawer: Drawer, number: str, join: Join, spans: RegionSpans) -> Item | None:
    """Draw one item; return None if the words drawn for it do not fit together."""
    bound: FilledSlots = {}
    drawer.used.clear()
    try:
        drawer.fill(template.slots, bound)
        sentences = {
            name: fill_sentence(patterns, bound, template.language.lexicon, join, spans)
            for name, patterns in template.conditions.items()
        }
        levels = {
            name: str(len(fill_text(text.pattern, bound).split()))
            if isinstance(text, WordCount)
            else fill_text(text, bound)
            for name, text in template.levels.items()
        }
    except MissingForm:
        drawer.failures["a word does not have the form that a text requires"] += 1
        return None
    except DeadEnd:
        return None
    heads = {slot: filler.head for slot, filler in bound.items()}
    fillers = {slot: head.lemma for slot, head in heads.items() if head and head.category in OPEN_CLASSES}
    return Item(number, sentences, fillers, levels)


def fill_sentence(
    patterns: tuple[TextPattern, ...], bound: FilledSlots, lexicon: Lexicon, join: Join, spans: RegionSpans
) -> Sentence:
    """Return the sentence of one condition."""
    contents = [fill_text(pattern, bound) for pattern in patterns]
    if any("a(n)" in content for content in contents):
        contents = choose_articles(contents, lexicon)
    parts = [encode_region(content, join) for content in contents]
    text = "".join(content for content, _ in parts).removeprefix(" ")
    return Sentence(capitalise(text), spans[tuple(shape for _, shape in parts)])


def choose_articles(contents: list[str], lexicon: Lexicon) -> list[str]:
    """Return the contents with `a(n)` replaced by a or an, also if the next word is in the next region.

    Whether a word begins with a vowel sound depends on its first letter, unless the lexicon states it.
    """

    def choose(match: re.Match[str]) -> str:
        return "an" if lexicon.sounds.get(match[1], VOWEL.match(match[1]) is not None) else "a"

    marked = ARTICLE.sub(choose, "\0 ".join(contents))
    if "a(n)" in marked:
        raise InputError(f"{' '.join(contents)!r}: a(n) must be followed by a word")
    return [content.strip() for content in marked.split("\0")]
