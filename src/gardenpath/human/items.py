"""Items of a study: drawn from suites, so many of each cell, with the conditions that are shown."""

import os
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.human.choice_predictions import with_choice_prediction
from gardenpath.human.conditions import shown_conditions
from gardenpath.human.sentence_case import as_sentence
from gardenpath.human.spec import Materials, StudySpec
from gardenpath.human.study import Stimulus
from gardenpath.io.messages import quote
from gardenpath.suites.catalog import BuiltinSource, build_builtin, builtin_sources
from gardenpath.suites.grammar.drawn_template import DEFAULT_DRAW
from gardenpath.suites.load import load_suites
from gardenpath.suites.suite import Item, Suite
from gardenpath.suites.templates.template import ItemSample

RESERVE = 4
"""Items loaded for each one needed, where a suite is sampled: some may share sentences with others."""
LEAST_RESERVE = 20


@dataclass(frozen=True, slots=True)
class ChosenItems:
    """The items of a study as stimuli by id, and the suites they come from, with these items only."""

    stimuli: dict[str, Stimulus]
    suites: tuple[Suite, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item of a suite that a cell may take."""

    suite: Suite
    item: Item
    conditions: tuple[str, ...]
    """Those that are shown, the acceptable one of a choice first."""

    def stimulus(self, id_: str, role: str, cell: str, *, is_choice: bool) -> Stimulus:
        """The item as the study shows it."""
        sentences = {condition: self.item.sentences[condition] for condition in self.conditions}
        correct = self.conditions[0] if is_choice else ""
        return Stimulus(id_, role, self.suite.name, self.item.id, cell, sentences, correct)


Cells = dict[str, list[Candidate]]
"""Candidates by the name of their cell."""


def choose_items(spec: StudySpec, folder: Path | None = None) -> ChosenItems:
    """Draw the items of all materials; no sentence is shown twice in a study.

    What a cell gets depends on the seed, its name and its suites; other materials matter only where they share
    sentences with it and stand before it.
    """
    stimuli: dict[str, Stimulus] = {}
    used: dict[str, tuple[Suite, dict[str, Item]]] = {}
    seen: set[str] = set()
    for number, materials in enumerate(spec.materials, 1):
        for cell, candidates in draw_materials(spec, number, seen, folder).items():
            for candidate in candidates:
                id_ = f"s{len(stimuli) + 1}"
                stimuli[id_] = candidate.stimulus(id_, materials.role, cell, is_choice=spec.task == "choice")
                if materials.role != "practice":
                    suite, items = used.setdefault(candidate.suite.name, (candidate.suite, {}))
                    require_same_suite(suite, candidate.suite)
                    items[candidate.item.id] = candidate.item
    suites = [replace(suite, items=tuple(items.values())) for suite, items in used.values()]
    if spec.task == "choice":
        shown = {one.suite: tuple(one.sentences) for one in reversed(stimuli.values()) if one.role != "practice"}
        suites = [with_choice_prediction(suite, shown[suite.name]) for suite in suites]
    return ChosenItems(stimuli, tuple(suites))


def draw_materials(spec: StudySpec, number: int, seen: set[str], folder: Path | None) -> Cells:
    """Draw the items of every cell of some materials, whose number counts from 1; their sentences are added to `seen`.

    A suite is sampled first: where suites are drawn themselves (blimp), drawing all items would take long. If items
    are too few then, or the levels of a factor must all be known, all are loaded.
    """
    materials = spec.materials[number - 1]
    reserve = RESERVE * materials.items + LEAST_RESERVE
    for sample in (None,) if materials.by else (reserve, None):
        suites = load_materials(materials, folder, sample, spec.seed)
        cells = find_cells(materials, suites, spec)
        shown = set(seen)
        drawn = {cell: list(draw_cell(cell, cells[cell], spec, materials, shown)) for cell in cells}
        short = [cell for cell, candidates in drawn.items() if len(candidates) < materials.items]
        if not short:
            seen |= shown
            return drawn
    cell = short[0]
    more = f" (and {len(short) - 1} other cells have too few, too)" if len(short) > 1 else ""
    raise InputError(
        f"materials {number}: the cell {cell!r} has {len(drawn[cell])} items with sentences of their own in the "
        f"conditions {quote(shown_by(cells[cell]))}, but items = {materials.items} of each cell are wanted{more}; "
        "lower `items`, or name more suites"
    )


def shown_by(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """The conditions that candidates show."""
    return candidates[0].conditions if candidates else ()


def load_materials(materials: Materials, folder: Path | None, sample: int | None, seed: int) -> list[Suite]:
    """Load the suites of some materials: built in, or files beside study.toml or in the working directory.

    A built-in suite wins over a file or folder that happens to be called the same, so that a design does not depend on
    where it is built.
    """
    if not materials.suites:
        raise InputError("materials name no suite; give at least one under `suites`")
    draw = ItemSample(sample or (DEFAULT_DRAW.n if seed else 0), seed)
    suites: list[Suite | str] = []
    for name in materials.suites:
        sources = find_builtin(name)
        suites += [suite for source in sources for suite in build_builtin(source, "natural", draw if draw.n else None)]
        suites += [] if sources else [find_path(name, folder)]
    return load_suites(*suites, sample=sample, seed=seed)


def find_builtin(name: str) -> list[BuiltinSource]:
    """The built-in suite of a name, or all suites of the file or collection of that name; none if there is none."""
    return builtin_by_name().get(name, [])


@cache
def builtin_by_name() -> dict[str, list[BuiltinSource]]:
    """All built-in suites by their own name, that of their file and that of their collection; looked through once."""
    sources = builtin_sources()
    found: dict[str, list[BuiltinSource]] = {}
    for kind in ("collection", "file", "name"):  # the later one holds, as in `find_sources`
        named: dict[str, list[BuiltinSource]] = {}
        for source in sources:
            named.setdefault(getattr(source, kind), []).append(source)
        found |= named
    found.pop("", None)  # the collection of suites on their own
    return found


def find_path(name: str, folder: Path | None) -> str:
    """The path of a file beside study.toml if there is one of that name, or else the name."""
    beside = None if folder is None else Path(os.path.normpath(folder / name))
    return str(beside) if beside is not None and beside.exists() else name


def find_cells(materials: Materials, suites: Sequence[Suite], spec: StudySpec) -> Cells:
    """Sort the items of suites into cells; items without one of the conditions belong to none."""
    cells: Cells = {}
    for suite in suites:
        conditions = shown_conditions(suite, materials, spec.task)
        if materials.by and not any(materials.by in item.levels for item in suite.items):
            known = sorted({factor for item in suite.items for factor in item.levels})
            raise InputError(f"suite {suite.name!r} has no factor {materials.by!r} (`by`); its factors: {quote(known)}")
        base = materials.cell or suite.name
        for item in suite.items:
            level = item.levels.get(materials.by, "")
            cell = cells.setdefault(f"{base}/{level}" if level else base, [])
            if all(condition in item.sentences for condition in conditions):
                cell.append(Candidate(suite, item, conditions))
    return cells


def draw_cell(
    cell: str, candidates: Iterable[Candidate], spec: StudySpec, materials: Materials, seen: set[str]
) -> Iterator[Candidate]:
    """Yield items of a cell in random order, as many as are wanted, alternately from its suites."""
    rng = random.Random(f"{spec.seed}/items/{materials.role}/{cell}")
    by_suite: dict[str, list[tuple[float, Candidate]]] = {}
    for candidate in candidates:  # only random(): it is the same in every version of Python
        by_suite.setdefault(candidate.suite.name, []).append((rng.random(), candidate))
    shuffled = [sorted(group, key=lambda pair: pair[0]) for group in by_suite.values()]
    taken = 0
    for _, candidate in (pair for row in zip_longest(*shuffled) for pair in row if pair is not None):
        if taken == materials.items:
            return
        item = prepare_item(candidate.item, sentence_case=spec.sentence_case)
        texts = [item.sentences[condition].text for condition in candidate.conditions]
        alike = spec.task == "choice" and len(set(texts)) < len(texts)  # no choice at all
        if not alike and seen.isdisjoint(texts):
            seen.update(texts)
            taken += 1
            yield replace(candidate, item=item)


def prepare_item(item: Item, *, sentence_case: bool) -> Item:
    """An item as the study keeps it: as sentences if wanted, without the words of its template, which no file keeps."""
    shown = as_sentence if sentence_case else lambda sentence: sentence
    return Item(item.id, {name: shown(sentence) for name, sentence in item.sentences.items()}, levels=item.levels)


def require_same_suite(first: Suite, second: Suite) -> None:
    """Raise if two materials name different suites that are called the same."""
    if (first.conditions, first.predictions, first.source) != (second.conditions, second.predictions, second.source):
        raise InputError(
            f"two suites are called {first.name!r} ({first.source}; {second.source}); their results would be mixed up: "
            "rename one of them"
        )
