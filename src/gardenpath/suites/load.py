"""Suites by name: built in, a collection, a file or a folder; with sampling and the check of names."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote
from gardenpath.io.workbook import split_sheet
from gardenpath.suites.catalog import DEFAULT_SUITES, find_suites, match_sources
from gardenpath.suites.formats.named_columns import ColumnOption
from gardenpath.suites.given_predictions import Formulas, choose_predictions
from gardenpath.suites.grammar.drawn_template import DEFAULT_DRAW
from gardenpath.suites.known_words.fill_known import unknown_words
from gardenpath.suites.known_words.known_words import KnownWords, read_known_words
from gardenpath.suites.suite import Item, Join, Suite
from gardenpath.suites.templates.template import ItemSample


class LoadOptions(TypedDict, total=False):
    """Options of `load_suites`."""

    join: Join
    columns: ColumnOption
    sample: int | None
    seed: int
    lexicon: str
    vocabulary: str | Path | None
    predictions: Formulas


def load_suite(name: str | Path, **options: Unpack[LoadOptions]) -> Suite:
    """Load one suite by its built-in name or from a file; see `load_suites` for the options.

    >>> load_suite("agreement").name
    'agreement'
    """
    if not split_sheet(Path(name))[0].exists():  # before a whole collection is generated
        require_one(name, [source.name for source in match_sources(str(name))])
    suites = load_suites(name, **options)
    require_one(name, [suite.name for suite in suites])
    return suites[0]


def read_suite(path: str | Path, *, join: Join = "natural", columns: ColumnOption = None) -> Suite:
    """Read a file with one suite, in any supported format or as a template.

    >>> from importlib.resources import files
    >>> read_suite(files("gardenpath.suites") / "builtin" / "agreement.json").name
    'agreement'
    """
    if not split_sheet(Path(path))[0].exists():
        raise InputError(f"{path}: there is no such file; `load_suite` loads built-in suites by name")
    named = str(path) if Path(path).is_absolute() else f"./{path}"  # not what is built in under the name
    suites = find_suites(named, join=join, columns=columns)
    require_one(path, [suite.name for suite in suites])
    return suites[0]


def require_one(name: str | Path, found: Sequence[str]) -> None:
    """Raise if a name stands for several suites."""
    if len(found) > 1:
        fault = f"{str(name)!r} is {len(found)} suites, not one: {quote(found, most=5)}"
        raise InputError(f"{fault}; name one of them, or load all with load_suites")


def load_suites(  # noqa: PLR0913 - every choice in loading
    *names: str | Path | Suite,
    join: Join = "natural",
    columns: ColumnOption = None,
    sample: int | None = None,
    seed: int = 0,
    lexicon: str = "",
    vocabulary: str | Path | None = None,
    predictions: Formulas = (),
) -> list[Suite]:
    """Load built-in suites, collections, those of other packages, files and folders; a `Suite` is used as it is.

    Without names, load the default suites. `columns` names the columns of the sentences in files of pairs
    (`good=COLUMN,bad=COLUMN`, or a list of these). With `sample`, at most this many items of each suite, and of each
    combination of factor levels, are drawn with `seed`. `lexicon` names another vocabulary than that of the published
    sentences for suites that are drawn at random (blimp): `full` has more words. With `vocabulary`, a list of words or
    a model folder, the slots of suites are filled with known words (see docs/known_words.md); a suite for which words
    are missing is left out. `predictions` are names, which select among the predictions of suites, or formulas (also
    NAME=FORMULA, or by name) for suites whose files have none, such as tables of regions; if all files have
    predictions, formulas are added to them. Name a sheet of a workbook after its file: `items.xlsx#Sheet2`.

    >>> [len(suite.items) for suite in load_suites("agreement", "blimp/passive_1", sample=10)]
    [10, 10]
    >>> [(suite.name, len(suite.predictions)) for suite in load_suites("blimp/passive_1", predictions="full-sentence")]
    [('blimp/passive_1', 1)]
    """
    number = sample or (DEFAULT_DRAW.n if seed else 0)
    known = read_known_words(vocabulary) if vocabulary else None
    draw = ItemSample(number, seed, lexicon, known, sample or 0) if number or lexicon or known else None
    suites: list[Suite] = []
    for name in names or DEFAULT_SUITES:
        if isinstance(name, Suite):
            suites.append(name)
        else:
            suites += find_suites(str(name), join=join, columns=columns, draw=draw)
    repeated = sorted(name for name, count in Counter(suite.name for suite in suites).items() if count > 1)
    if repeated:
        raise InputError(f"two suites are called {repeated[0]!r}; their results would be mixed up: rename one of them")
    if lexicon and not any("lexicon" in suite.metadata for suite in suites):
        raise InputError(
            f"no suite draws its words from a lexicon: leave {lexicon!r} out, or name suites such as blimp"
        )
    if known is not None:
        check_known_words(suites, known)
    if predictions:
        suites = choose_predictions(suites, predictions)
    if sample is None:
        return suites
    drawn = [sample_items(suite, sample, seed=seed) for suite in suites]
    note_crossed_samples(suites, drawn, sample)
    return drawn


def check_known_words(suites: Sequence[Suite], known: KnownWords) -> None:
    """Report the unknown words that are left in suites; raise if there is no suite."""
    if not suites:
        raise InputError(
            f"{known.source}: no suite can be filled with these {len(known.counts):,} words; give a larger vocabulary"
        )
    left: dict[str, list[str]] = {}
    for suite in suites:
        if unknown := unknown_words(suite, known):
            left.setdefault(quote(unknown, most=6), []).append(suite.name)
    for words, names in left.items():
        advise(f"unknown words that the design fixes: {words} in {quote(names, most=6)}")


def sample_items(suite: Suite, n: int, *, seed: int = 0) -> Suite:
    """Draw at most n items of a suite; where items have factor levels, at most n of each combination.

    Combinations do not count if most of them have only one item, as those of words in a user's own table.

    >>> [item.id for item in sample_items(load_suite("agreement"), 3, seed=1).items]
    ['8', '9', '29']
    """
    groups = level_groups(suite)
    rng = random.Random(f"{seed}:{suite.name}")
    drawn = {item.id for items in groups.values() for item in (rng.sample(items, n) if n < len(items) else items)}
    return replace(suite, items=tuple(item for item in suite.items if item.id in drawn))


def level_groups(suite: Suite) -> dict[tuple[tuple[str, str], ...], list[Item]]:
    """Group items by their combination of levels; one group of all where most combinations have only one item."""
    groups: dict[tuple[tuple[str, str], ...], list[Item]] = {}
    for item in suite.items:
        groups.setdefault(tuple(sorted(item.levels.items())), []).append(item)
    return groups if len(groups) <= len(suite.items) / 2 else {(): list(suite.items)}


def note_crossed_samples(suites: Sequence[Suite], drawn: Sequence[Suite], n: int) -> None:
    """Report the factors whose combinations were sampled, where a suite has several that are crossed."""
    for suite, own in zip(suites, drawn, strict=True):
        groups = level_groups(suite)
        names = dict.fromkeys(name for item in suite.items for name in item.levels)
        levels = {name: len({dict(group).get(name) for group in groups}) for name in names}
        varied = {name: number for name, number in levels.items() if number > 1}
        if len(groups) > max(varied.values(), default=1):
            advise(
                f"suite {suite.name!r}: the sample is {n} per cell of {' × '.join(varied)} ({len(own.items):,} of "
                f"{len(suite.items):,} items); --columns ignore=COLUMN keeps a column of a table from being a factor"
            )
