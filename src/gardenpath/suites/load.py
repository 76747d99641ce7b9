"""Suites by name: built in, a collection, a file or a folder; with sampling and the check of names."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote
from gardenpath.suites.catalog import DEFAULT_SUITES, find_sources, find_suites
from gardenpath.suites.formats.pair_columns import Columns
from gardenpath.suites.grammar.drawn_template import DEFAULT_DRAW
from gardenpath.suites.suite import Item, Join, Suite
from gardenpath.suites.templates.template import ItemSample


def load_suite(
    name: str | Path,
    *,
    join: Join = "natural",
    columns: str | Columns | None = None,
    sample: int | None = None,
    seed: int = 0,
    lexicon: str = "",
) -> Suite:
    """Load the one suite that is built in under a name, or that a file holds; see `load_suites` for the options.

    >>> load_suite("agreement").name
    'agreement'
    """
    if not Path(name).exists():  # before a whole collection is generated
        require_one(name, [source.name for source in find_sources(str(name))])
    suites = load_suites(name, join=join, columns=columns, sample=sample, seed=seed, lexicon=lexicon)
    require_one(name, [suite.name for suite in suites])
    return suites[0]


def read_suite(path: str | Path, *, join: Join = "natural", columns: str | Columns | None = None) -> Suite:
    """Read a file that holds one suite, in any of the formats of the field or as a template.

    >>> from importlib.resources import files
    >>> read_suite(files("gardenpath.suites") / "builtin" / "agreement.json").name
    'agreement'
    """
    if not Path(path).exists():
        raise InputError(f"{path}: there is no such file; `load_suite` loads built-in suites by name")
    suites = find_suites(str(path), join=join, columns=columns)
    require_one(path, [suite.name for suite in suites])
    return suites[0]


def require_one(name: str | Path, found: Sequence[str]) -> None:
    """Raise if a name stands for several suites."""
    if len(found) > 1:
        fault = f"{str(name)!r} is {len(found)} suites, not one: {quote(found, most=5)}"
        raise InputError(f"{fault}; name one of them, or load all with load_suites")


def load_suites(
    *names: str | Path | Suite,
    join: Join = "natural",
    columns: str | Columns | None = None,
    sample: int | None = None,
    seed: int = 0,
    lexicon: str = "",
) -> list[Suite]:
    """Load built-in suites, collections, files and folders; a `Suite` is used as it is.

    Without names, load the default suites. `columns` names the columns of the sentences in files of pairs
    (`good=COLUMN,bad=COLUMN`). With `sample`, at most so many items of each suite, and of each combination of factor
    levels, are drawn from `seed`. `lexicon` names the vocabulary of suites that are drawn (blimp), if not that of the
    published sentences: `full` has more words.

    >>> [len(suite.items) for suite in load_suites("agreement", "blimp/passive_1", sample=10)]
    [10, 10]
    """
    number = sample or (DEFAULT_DRAW.n if seed else 0)
    draw = ItemSample(number, seed, lexicon) if number or lexicon else None
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
    for suite in suites:
        if not suite.predictions:
            advise(f"suite {suite.name} has no predictions: its sentences are scored, nothing is evaluated")
    return suites if sample is None else [sample_items(suite, sample, seed=seed) for suite in suites]


def sample_items(suite: Suite, n: int, *, seed: int = 0) -> Suite:
    """Draw at most n items of a suite; where items have factor levels, at most n of each combination.

    >>> [item.id for item in sample_items(load_suite("agreement"), 3, seed=1).items]
    ['8', '9', '29']
    """
    groups: dict[tuple[tuple[str, str], ...], list[Item]] = {}
    for item in suite.items:
        groups.setdefault(tuple(sorted(item.levels.items())), []).append(item)
    rng = random.Random(f"{seed}:{suite.name}")
    drawn = {item.id for items in groups.values() for item in (rng.sample(items, n) if n < len(items) else items)}
    return replace(suite, items=tuple(item for item in suite.items if item.id in drawn))
