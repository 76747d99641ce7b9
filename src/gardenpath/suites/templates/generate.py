"""From templates to suites: every slot filled with every word, in order, or with a sample of them."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product, repeat
from math import prod
from operator import itemgetter
from typing import Any

from gardenpath.errors import InputError
from gardenpath.suites.suite import SPACE_TO_REMOVE, Item, Join, Region, Sentence, Suite
from gardenpath.suites.templates.pattern import WordForm
from gardenpath.suites.templates.template import DesignCell, ItemSample, Template
from gardenpath.suites.templates.word_lists import Word

ITEM_LIMIT = 2_000_000
"""A template with more items than this must state how many of them to draw."""

DRAWS_PER_ITEM = 100
"""How many combinations a sample tries for each item it needs."""

Index = tuple[int, ...]
"""The index of the word on each axis."""


@dataclass(frozen=True, slots=True)
class ItemBlock:
    """The items that share their levels."""

    levels: Mapping[str, str]
    """The levels of the factors that vary between items."""
    ids: Sequence[str]
    indices: Sequence[Index]
    fillers: Sequence[Mapping[str, str]]


def fill_template(template: Template, join: Join = "natural", *, most: int | None = None) -> Suite:
    """Build the suite of a template; see `item_blocks` for `most`."""
    spans = RegionSpans(template.region_names)
    items: list[Item] = []
    for block in item_blocks(template, most):
        columns = [fill_sentences(template, cell, block, join, spans) for cell in template.cells]
        names = [cell.condition.name for cell in template.cells]
        key = build_key(template, block.levels)
        levels = {**block.levels, "key": key} if key else dict(block.levels)
        for id_, fillers, row in zip(block.ids, block.fillers, zip(*columns, strict=True), strict=True):
            items.append(Item(id_, dict(zip(names, row, strict=True)), fillers, levels))
    return Suite(
        name=template.name,
        conditions=tuple(cell.condition for cell in template.cells),
        items=tuple(items),
        predictions=template.predictions,
        phenomenon=template.phenomenon,
        circuit=template.circuit,
        source=template.source,
        metadata=template.metadata,
    )


def capitalise(text: str) -> str:
    """Return the text with a capital letter, unless its capital is several letters."""
    capital = text[:1].upper()
    return capital + text[1:] if len(capital) == 1 else text


def build_key(template: Template, levels: Mapping[str, str]) -> str:
    """Return the key of items with these levels; empty if the template has none."""
    everywhere = {**template.fixed, **levels}
    return "".join(piece if isinstance(piece, str) else everywhere[piece.name] for piece in template.key)


def item_blocks(template: Template, most: int | None = None) -> Iterator[ItemBlock]:
    """Yield the items of each combination of levels, in order; of each the first `most`."""
    count: Counter[str] = Counter()
    depend = any(requirement.names(factor) for requirement in template.requirements for factor in template.between)
    indices: list[Index] = []
    fillers: list[dict[str, str]] = []
    n_items = 0
    for number, levels in enumerate(template.item_levels()):
        if depend or number == 0:
            indices = list(islice(choose_words(template, {**template.fixed, **levels}), most))
            slots = (words_in_slots(template, index) for index in indices)
            fillers = [{slot: word.citation for slot, word in words.items()} for words in slots]
        n_items += len(indices)
        ids = list(item_ids(template, build_key(template, levels), indices, count))
        yield ItemBlock(levels, ids, indices, fillers)
    if not n_items:
        raise InputError(f"template {template.name!r} makes no item: no words satisfy every requirement of `require`")


def choose_words(template: Template, levels: Mapping[str, str]) -> Iterable[Index]:
    """Return the words of each item: all combinations that satisfy the requirements, or a sample of them."""
    sizes = [len(axis) for axis in template.axes]

    def fits(index: Index) -> bool:
        words = words_in_slots(template, index)
        return all(requirement.holds(words, levels) for requirement in template.requirements)

    if template.sample is not None and template.sample.n < prod(sizes):
        return sample_combinations(sizes, template.sample, fits)
    if prod(sizes) > ITEM_LIMIT:
        raise InputError(
            f"template {template.name!r} would make {prod(sizes):,} items of each combination of levels; "
            "draw a sample of them with `sample = { n = 1000, seed = 1 }`"
        )
    everything = product(*map(range, sizes))
    return filter(fits, everything) if template.requirements else everything


def sample_combinations(sizes: Sequence[int], sample: ItemSample, fits: Callable[[Index], bool]) -> list[Index]:
    """Draw distinct combinations at random; return them in the order of the full product."""
    rng = random.Random(sample.seed)
    total = prod(sizes)
    tried = rng.sample(range(total), min(total, DRAWS_PER_ITEM * sample.n))
    fitting = filter(fits, (unravel(number, sizes) for number in tried))
    return sorted(islice(fitting, sample.n))


def unravel(number: int, sizes: Sequence[int]) -> Index:
    """Return the combination with that number, the last axis varying fastest."""
    indices = []
    for size in reversed(sizes):
        number, index = divmod(number, size)
        indices.append(index)
    return tuple(reversed(indices))


def words_in_slots(template: Template, index: Index) -> dict[str, Word]:
    """Return the word in each slot."""
    pairs = zip(template.axes, index, strict=True)
    return {slot: words.words[number] for axis, number in pairs for slot, words in axis.lists.items()}


def item_ids(template: Template, key: str, indices: Iterable[Index], count: Counter[str]) -> Iterator[str]:
    """Yield ids: a number, after the key or the row if there is one; the row alone if it makes a single item."""
    rows = next((axis.ids for axis in template.axes if axis.ids), ())
    if rows and not key and not template.between and all(len(axis) == 1 for axis in template.axes if not axis.ids):
        yield from (rows[index[0]] for index in indices)
        return
    for index in indices:
        label = key or (rows[index[0]] if rows else "")
        count[label] += 1
        yield f"{label}-{count[label]}" if label else str(count[label])


class RegionSpans(dict[tuple[int, ...], tuple[Region, ...]]):
    """The regions of a sentence by their lengths, computed once: few shapes make many sentences.

    A length is doubled, plus one if a space precedes the region.
    """

    def __init__(self, regions: Sequence[str]) -> None:
        super().__init__()
        self.names = regions

    def __missing__(self, shape: tuple[int, ...]) -> tuple[Region, ...]:
        regions = []
        end = 0
        for name, code in zip(self.names, shape, strict=True):
            length, space = divmod(code, 2)
            start = end + (space if end else 0)
            end = start + length
            regions.append(Region(name, start, end))
        self[shape] = tuple(regions)
        return self[shape]


def fill_sentences(
    template: Template, cell: DesignCell, block: ItemBlock, join: Join, spans: RegionSpans
) -> list[Sentence]:
    """Return the sentences of one condition of a block, joined as by `join_regions`."""
    scope = template.scope(cell, block.levels)
    patterns = [*cell.patterns, (template.period,)] if template.period else cell.patterns
    texts: list[Iterable[str]] = []
    shapes: list[Iterable[int]] = []
    for pattern in patterns:
        raw = fill_pattern(template, scope.resolve(pattern), block.indices, lambda word, form: word.forms[form])
        parts = {content: encode_region(content, join) for content in set(raw)}
        texts.append([parts[content][0] for content in raw])
        shapes.append([parts[content][1] for content in raw])
    joined = [text.removeprefix(" ") for text in map("".join, zip(*texts, strict=True))]
    if template.capitalise:
        joined = [capitalise(text) for text in joined]
    return list(map(Sentence, joined, map(spans.__getitem__, zip(*shapes, strict=True))))


def encode_region(content: str, join: Join) -> tuple[str, int]:
    """Return a region's content with the space before it, and its shape (see `RegionSpans`)."""
    content = " ".join(content.split())
    if join == "natural":
        content = SPACE_TO_REMOVE.sub("", content)
    space = bool(content) and not (join == "natural" and SPACE_TO_REMOVE.match(f" {content}"))
    return f" {content}" if space else content, 2 * len(content) + space


def fill_pattern(
    template: Template, pieces: Sequence[str | WordForm], indices: Sequence[Index], render: Callable[[Word, int], str]
) -> list[str]:
    """Fill a pattern for every item; `render` spells a form of a word, once for each combination of its words."""
    axis_of = {slot: number for number, axis in enumerate(template.axes) for slot in axis.lists}
    axes = sorted({axis_of[piece.slot] for piece in pieces if isinstance(piece, WordForm)})
    slots = template.slots

    def text(key: Any) -> str:
        chosen = dict(zip(axes, key if len(axes) > 1 else (key,), strict=False))
        words = {slot: slots[slot].words[chosen[axis]] for slot, axis in axis_of.items() if axis in chosen}
        return "".join(piece if isinstance(piece, str) else render(words[piece.slot], piece.form) for piece in pieces)

    keys = list(map(itemgetter(*axes), indices)) if axes else list(repeat((), len(indices)))
    made = {key: text(key) for key in set(keys)}
    return [made[key] for key in keys]
