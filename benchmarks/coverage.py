"""How often 95 % intervals contain the true value, and how wide they are.

python benchmarks/coverage.py [--only accuracy words ...] [--simulations 2000]

Where all outcomes can be listed, coverage is exact; otherwise it is simulated from a seed, with a standard error of
0.005 at 2,000 simulations. `*` marks a coverage below 0.93. Intervals "on request" are no default: they are offered
under their own names, as papers use them. Not simulated are the intervals of Cousineau and Morey and of Baguley, those
of differences between pronouns, and micro means and means with a modifier, which are computed as accuracies of items
that share words and as means over suites are.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import polars
from numpy.typing import NDArray
from scipy.special import expit, gammaln, xlogy
from scipy.stats import binom

from gardenpath.statistics.accuracy import accuracy, macro_mean
from gardenpath.statistics.bootstrap import grouped_bootstrap
from gardenpath.statistics.compare import compare_models
from gardenpath.statistics.learning_curves import fit_line
from gardenpath.statistics.means import difference_over_suites, mean_over_items
from gardenpath.statistics.proportions import agresti_coull_bounds, paired_difference_bounds, wilson_bounds
from gardenpath.statistics.score_deltas import score_deltas

SIZES = (10, 24, 100)
SUITES = (3, 5, 10, 31)
SPREADS = (0.0, 0.04, 0.08)
HOLDS = 0.93
Floats = NDArray[np.float64]


class Cell(NamedTuple):
    """The coverage and the mean width of one interval in one situation."""

    situation: str
    interval: str
    coverage: float
    width: float
    default: bool = True


def covered(situation: str, interval: str, bounds: tuple[Floats, Floats], truth: float, **about: object) -> Cell:
    """A cell from simulated bounds; a missing interval contains nothing."""
    low, high = (np.asarray(bound, dtype=np.float64) for bound in bounds)
    hits = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    return Cell(situation, interval, float(hits.mean()), float(np.nanmean(high - low)), **about)  # type: ignore[arg-type]


def columns(table: polars.DataFrame) -> tuple[Floats, Floats]:
    """The bounds of a table."""
    return tuple(table[name].cast(polars.Float64).fill_null(np.nan).to_numpy() for name in ("low", "high"))  # type: ignore[return-value]


def outcomes(credits: Floats, **about: object) -> polars.DataFrame:
    """Outcomes of (simulations, items) credits: every simulation is a suite."""
    simulations, n = credits.shape
    flat = credits.ravel()
    status = np.where(flat == 1, "correct", np.where(flat == 0, "wrong", "tie"))
    table = {
        "model": "m", "suite": np.repeat(np.arange(simulations), n).astype(str), "prediction": "p",
        "item": np.tile(np.arange(n), simulations).astype(str), "credit": flat, "strict": flat == 1,
        "status": status, "known": True, "chance": 0.5,
    }  # fmt: skip
    return polars.DataFrame(table | about)


def accuracy_cells(simulations: int, rng: np.random.Generator) -> Iterator[Cell]:
    """Accuracy of independent items: exact, over all counts; and with ties."""
    for n in SIZES:
        counts = np.arange(n + 1.0)
        rows = outcomes((np.arange(n) < counts[:, None]).astype(float))
        intervals = {
            "Agresti-Coull with t": (agresti_coull_bounds(counts, np.full(n + 1, n)), True),
            "Wilson": (wilson_bounds(counts, np.full(n + 1, n)), False),
            "bootstrap over items": (columns(accuracy(rows, ["suite"], interval="bootstrap")), False),
        }
        worst = np.concatenate([np.arange(0.5, 0.99, 0.001), np.arange(0.99, 1, 0.0001)])
        for name, ((low, high), default) in intervals.items():
            chances = {f"p {p}": [p] for p in (0.5, 0.8, 0.95, 0.99)} | {"worst p of 0.5-0.9999": worst}
            for label, values in chances.items():
                weights = binom.pmf(counts, n, np.array(values)[:, None])  # (values, counts)
                hits = (low <= np.array(values)[:, None]) & (np.array(values)[:, None] <= high)
                coverage, width = (weights * hits).sum(axis=1), weights @ (high - low)
                least = int(coverage.argmin())
                yield Cell(f"n {n}, {label}", name, float(coverage[least]), float(width[least]), default)
        tied = np.where(rng.random((simulations, n)) < 0.2, 0.5, (rng.random((simulations, n)) < 0.85).astype(float))
        found = accuracy(outcomes(tied), ["suite"])
        yield covered(f"n {n}, p 0.85, 20 % ties", "Agresti-Coull with t", columns(found), 0.8 * 0.85 + 0.1)


def paired_cells(simulations: int, rng: np.random.Generator) -> Iterator[Cell]:
    """The difference of two models on the same independent items: exact, over all counts; and with ties."""
    chances = [(0.99, 0.95), (0.9, 0.9), (0.8, 0.6), (0.95, 0.5)]
    for n in SIZES:
        a_only, b_only = np.array([(a, b) for a in range(n + 1) for b in range(n + 1 - a)], dtype=float).T
        low, high = paired_difference_bounds(a_only, b_only, np.full(len(a_only), n))
        ways = gammaln(n + 1) - gammaln(a_only + 1) - gammaln(b_only + 1) - gammaln(n - a_only - b_only + 1)
        for (a, b), overlap in product(chances, (0.0, 0.9)):
            both = a * b + overlap * (min(a, b) - a * b)
            x, y = a - both, b - both
            weights = np.exp(ways + xlogy(a_only, x) + xlogy(b_only, y) + xlogy(n - a_only - b_only, 1 - x - y))
            hits = (low <= a - b + 1e-12) & (a - b - 1e-12 <= high)
            situation = f"n {n}, p {a} and {b}, {'independent' if overlap == 0 else 'alike'}"
            yield Cell(situation, "Bonett-Price", float(weights @ hits), float(weights @ (high - low)))
            if (a, b, overlap) == (0.99, 0.95, 0.0):
                draws = rng.random((2, simulations, n)) < np.array([a, b])[:, None, None]
                difference = outcomes(draws[0].astype(float) - draws[1])
                drawn = columns(grouped_bootstrap(difference, "credit", ["suite"]))
                yield covered(situation, "bootstrap over items", drawn, a - b, default=False)
        tied = [
            np.where(rng.random((simulations, n)) < 0.2, 0.5, (rng.random((simulations, n)) < p)) for p in (0.9, 0.7)
        ]
        pair = polars.concat([outcomes(credits, model=model) for model, credits in zip("ab", tied, strict=True)])
        found = columns(compare_models(pair, "a", "b", ["suite"]))
        yield covered(f"n {n}, p 0.9 and 0.7, 20 % ties", "Bonett-Price", found, 0.8 * 0.2)


def draw_words(
    n: int, words: tuple[int, ...], simulations: int, rng: np.random.Generator
) -> tuple[list[NDArray[np.int64]], list[str]]:
    """The words of every slot, (simulations, items) each, and the same as fillers."""
    items = [np.tile(np.arange(n) % number, (simulations, 1)) for number in words]
    labels = [rng.permuted(one, axis=1) for one in items]
    names = [f"slot{number}" for number in range(len(words))]
    filled = zip(*(one.ravel() for one in labels), strict=True)
    return labels, [json.dumps(dict(zip(names, map(str, item), strict=True))) for item in filled]


def word_effects(labels: list[NDArray[np.int64]], rng: np.random.Generator) -> Floats:
    """Effects of the words of every item, of variance 1 in all: (simulations, items)."""
    effects = [rng.normal(size=(len(one), one.max() + 1)) for one in labels]
    drawn = [np.take_along_axis(effect, one, axis=1) for effect, one in zip(effects, labels, strict=True)]
    return np.asarray(sum(drawn) / len(labels) ** 0.5)


def logit_of(p: float, spread: float) -> float:
    """The log odds of which the mean probability is p, if they vary normally."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    low, high = -30.0, 30.0
    for _ in range(60):
        middle = (low + high) / 2
        mean = float(weights @ expit(middle + spread * nodes) / weights.sum())
        low, high = (middle, high) if mean < p else (low, middle)
    return low


def word_cells(simulations: int, rng: np.random.Generator) -> Iterator[Cell]:
    """Items that share words: the log odds of words vary with a standard deviation of 0, 0.7 or 1.5."""
    designs = [(10, (5,)), (24, (6,)), (24, (8, 6)), (100, (10,)), (100, (10, 10, 5)), (400, (10, 8))]
    for (n, words), spread, p in product(designs, (0.0, 0.7, 1.5), (0.6, 0.9)):
        labels, fillers = draw_words(n, words, simulations, rng)
        chances = [expit(logit_of(p, spread) + spread * word_effects(labels, rng)) for _ in range(2)]
        credits = [(rng.random((simulations, n)) < one).astype(float) for one in chances]
        rows = outcomes(credits[0], fillers=fillers)
        situation = f"n {n}, {' x '.join(map(str, words))} words, spread {spread}, p {p}"
        yield covered(situation, "Agresti-Coull, shared words", columns(accuracy(rows, ["suite"])), p)
        wilson = columns(accuracy(rows, ["suite"], interval="wilson"))
        yield covered(situation, "Wilson", wilson, p, default=False)
        if len(words) == 1:
            one = accuracy(rows, ["suite"], interval="words", clusters="filler:slot0")
            yield covered(situation, "Agresti-Coull, clusters=", columns(one), p)
            drawn = accuracy(rows, ["suite"], interval="bootstrap", clusters="filler:slot0")
            yield covered(situation, "bootstrap over words", columns(drawn), p, default=False)
        pair = polars.concat([rows, outcomes(credits[1], fillers=fillers, model="b")])
        found = columns(compare_models(pair, "m", "b", ["suite"]))
        yield covered(situation, "Bonett-Price, shared words", found, 0.0)


def beta(mean: float, spread: float, size: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Accuracies of suites between 0 and 1."""
    if not spread:
        return np.full(size, mean)
    total = mean * (1 - mean) / spread**2 - 1
    return rng.beta(mean * total, (1 - mean) * total, size)


def suite_cells(simulations: int, rng: np.random.Generator) -> Iterator[Cell]:
    """Means over suites of 24 items each, and mean differences of two models over suites."""
    populations = [(0.6, 0.2), (0.8, 0.0), (0.8, 0.15), (0.8, 0.25), (0.9, 0.1), (0.9, 0.15), (0.95, 0.1)]
    for suites, (mean, spread) in product(SUITES, populations):
        scores = rng.binomial(24, beta(mean, spread, (simulations, suites), rng)) / 24
        rows = score_rows(scores)
        situation = f"{suites} suites, mean {mean}, spread {spread}"
        yield covered(situation, "over suites", columns(macro_mean(rows, ["model"])), mean)
        drawn = macro_mean(rows, ["model"], interval="bootstrap")
        yield covered(situation, "bootstrap over suites", columns(drawn), mean, default=False)
    for suites, (a, b, spread) in product(SUITES, [(0.8, 0.8, 0.0), (0.8, 0.7, 0.15), (0.95, 0.9, 0.1)]):
        chances = [beta(p, spread, (simulations, suites), rng) for p in (a, b)]
        right = [rng.random((24, simulations, suites)) < one for one in chances]
        only = (right[0] & ~right[1]).mean(axis=0), (right[1] & ~right[0]).mean(axis=0)
        bounds = np.array([difference_over_suites(*pair) for pair in zip(*only, strict=True)], dtype=float)
        situation = f"{suites} suites, means {a} and {b}, spread {spread}"
        yield covered(situation, "difference over suites", (bounds[:, 0], bounds[:, 1]), a - b)


def score_rows(scores: Floats, first: int = 0) -> polars.DataFrame:
    """A table of scores, (models, suites)."""
    models, suites = scores.shape
    names = np.char.add("m", np.repeat(np.arange(first, first + models), suites).astype(str))
    table = {"model": names, "suite": np.tile(np.arange(suites), models).astype(str), "accuracy": scores.ravel()}
    return polars.DataFrame(table).with_columns(polars.lit(24).alias("n"))


def crossed_scores(
    classes: int, models: int, suites: int, spread: float, rng: np.random.Generator
) -> tuple[polars.DataFrame, Floats]:
    """Scores of classes of models on suites, and the true means of the classes, which differ by up to 0.2.

    Suites vary by 0.1, classes on suites by 0.08, models by the spread, single scores by 0.08.
    """
    truth = 0.6 + np.linspace(-0.1, 0.1, classes)
    kind = np.repeat(np.arange(classes), models)
    noise = rng.normal(size=(len(kind), 1)) * spread + rng.normal(size=(1, suites)) * 0.1
    noise = noise + (rng.normal(size=(classes, suites)) * 0.08)[kind] + rng.normal(size=(len(kind), suites)) * 0.08
    rows = score_rows(np.clip(truth[kind][:, None] + noise, 0, 1))
    return rows.with_columns(polars.Series("architecture", np.repeat(kind, suites).astype(str))), truth


def model_cells(simulations: int, rng: np.random.Generator) -> Iterator[Cell]:
    """Means and deltas of classes of models over models and suites."""
    for (classes, models, suites), spread in product([(5, 2, 31), (3, 4, 10), (5, 8, 31), (3, 8, 5)], SPREADS):
        found: dict[str, list[tuple[float, float, float]]] = {}
        for _ in range(max(50, simulations // (2 * classes))):
            rows, truth = crossed_scores(classes, models, suites, spread, rng)
            scores = rows.with_columns(prediction=polars.lit("p"))
            tables = {
                "mean over models and suites": (macro_mean(rows, ["architecture"]), truth),
                "delta over models and suites": (score_deltas(scores), truth - truth.mean()),
                "delta, bootstrap over scores": (score_deltas(scores, interval="scores"), truth - truth.mean()),
            }
            for name, (table, true) in tables.items():
                found.setdefault(name, []).extend(zip(*columns(table), true, strict=True))
        for name, values in found.items():
            low, high, true = np.array(values, dtype=float).T
            situation = f"{classes} classes x {models} models, {suites} suites, model spread {spread}"
            yield covered(situation, name, (low - true, high - true), 0.0, default="bootstrap" not in name)


def bits_cells(simulations: int, rng: np.random.Generator) -> Iterator[Cell]:
    """Means of differences in bits over items, symmetric and skewed; slopes over models."""
    shapes: dict[str, Callable[[tuple[int, int]], Floats]] = {
        "normal": lambda size: rng.normal(1, 2, size),
        "skewed (gamma 2)": lambda size: rng.gamma(2, 0.5, size),
    }
    for n, (shape, draw) in product(SIZES, shapes.items()):
        values = draw((simulations, n))
        rows = polars.DataFrame({"group": np.repeat(np.arange(simulations), n), "bits": values.ravel()})
        yield covered(f"n {n}, {shape}", "t over items", columns(mean_over_items(rows, "bits", ["group"])), 1.0)
        drawn = columns(grouped_bootstrap(rows, "bits", ["group"]))
        yield covered(f"n {n}, {shape}", "bootstrap over items", drawn, 1.0, default=False)
    for models in (4, 10):
        sizes = np.resize(np.arange(1.0, 5.0), models)
        lines = [fit_line(sizes, 0.05 * sizes + rng.normal(0, 0.05, models)) for _ in range(simulations)]
        bounds = np.array([line["low"] for line in lines]), np.array([line["high"] for line in lines])
        yield covered(f"{models} models of 4 sizes", "slope of a learning curve", bounds, 0.05)


def word_bits_cells(simulations: int, rng: np.random.Generator) -> Iterator[Cell]:
    """Means of bits over items that share words, which have 0, 20 or 50 % of the variance."""
    designs = [(24, (6,)), (24, (8, 6)), (100, (10,)), (100, (10, 10, 5))]
    for (n, words), share in product(designs, (0.0, 0.2, 0.5)):
        labels, fillers = draw_words(n, words, simulations, rng)
        noise = rng.normal(size=(simulations, n))
        values = 1 + 2 * (share**0.5 * word_effects(labels, rng) + (1 - share) ** 0.5 * noise)
        rows = polars.DataFrame({"group": np.repeat(np.arange(simulations), n), "bits": values.ravel()})
        situation = f"n {n}, {' x '.join(map(str, words))} words, {share:.0%} of the variance"
        shared = mean_over_items(rows.with_columns(polars.Series("fillers", fillers)), "bits", ["group"])
        yield covered(situation, "t over items, shared words", columns(shared), 1.0)
        alone = mean_over_items(rows, "bits", ["group"])
        yield covered(situation, "t over items as if independent", columns(alone), 1.0, default=False)


def test_cells(simulations: int, rng: np.random.Generator) -> Iterator[Cell]:
    """Tests of items that share words, where there is no difference: how often p is at least 0.05 (nominally 95 %)."""
    for (n, words), spread in product([(24, (8, 6)), (100, (10,)), (400, (10, 8))], (0.0, 0.7, 1.5)):
        labels, fillers = draw_words(n, words, simulations, rng)
        chances = [expit(spread * word_effects(labels, rng)) for _ in range(2)]
        pair = polars.concat(
            outcomes((rng.random((simulations, n)) < one).astype(float), fillers=fillers, model=model)
            for model, one in zip("ab", chances, strict=True)
        )
        first = pair.filter(polars.col("model") == "a")
        found = {
            ("exact binomial test", True): accuracy(first, ["suite"])["p_chance"],
            ("exact binomial test, items independent", False): accuracy(first, ["suite"], interval="items")["p_chance"],
            ("exact McNemar test", True): compare_models(pair, "a", "b", ["suite"])["p_value"],
            ("exact McNemar test, items independent", False): compare_models(pair.drop("fillers"), "a", "b", ["suite"])[
                "p_value"
            ],
        }
        situation = f"n {n}, {' x '.join(map(str, words))} words, spread {spread}"
        for (name, default), p_values in found.items():
            yield Cell(situation, name, float((p_values >= 0.05).mean()), float("nan"), default)


SECTIONS = {
    "accuracy": accuracy_cells, "paired": paired_cells, "words": word_cells, "suites": suite_cells,
    "models": model_cells, "bits": bits_cells, "word-bits": word_bits_cells, "tests": test_cells,
}  # fmt: skip


def summary(sections: dict[str, list[Cell]]) -> Iterator[str]:
    """A Markdown table: of every interval and size the lowest and highest coverage and, in brackets, the mean width."""
    yield "| of | interval | coverage (mean width) |"
    yield "|---|---|---|"
    for section, cells in sections.items():
        intervals: dict[str, dict[str, list[Cell]]] = {}
        for cell in cells:
            name = cell.interval + ("" if cell.default else " (on request)")
            intervals.setdefault(name, {}).setdefault(cell.situation.partition(",")[0], []).append(cell)
        for name, sizes in intervals.items():
            yield f"| {section} | {name} | {' · '.join(f'{size}: {span(own)}' for size, own in sizes.items())} |"


def span(cells: list[Cell]) -> str:
    """The range of coverages, bold where it goes below what should hold, and the mean width."""
    low, high = (choose(cell.coverage for cell in cells) for choose in (min, max))
    width = float(np.mean([cell.width for cell in cells]))
    return f"{f'**{low:.3f}**' if low < HOLDS else f'{low:.3f}'}–{high:.3f}" + (
        "" if np.isnan(width) else f" ({width:.2f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=list(SECTIONS), default=list(SECTIONS))
    parser.add_argument("--simulations", type=int, default=2000)
    arguments = parser.parse_args()
    sections: dict[str, list[Cell]] = {}
    for name in arguments.only:
        started = time.monotonic()
        print(f"\n{SECTIONS[name].__doc__}\n{'':52}{'':50}{'coverage':>9}{'width':>8}")
        for cell in SECTIONS[name](arguments.simulations, np.random.default_rng(0)):
            mark = "*" if cell.coverage < HOLDS else " "
            kind = "" if cell.default else " (on request)"
            width = "" if np.isnan(cell.width) else f"{cell.width:8.3f}"
            print(f"{cell.situation:52}{cell.interval + kind:54}{cell.coverage:.3f}{mark}{width}", flush=True)
            sections.setdefault(name, []).append(cell)
        print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    print("", *summary(sections), sep="\n")
    defaults = [cell for cells in sections.values() for cell in cells if cell.default]
    low = [cell for cell in defaults if cell.coverage < HOLDS]
    print(f"\n{len(low)} of {len(defaults)} cells of the default intervals lie below {HOLDS}")
    for cell in low:
        print(f"  {cell.interval}: {cell.situation}: {cell.coverage:.3f}")


if __name__ == "__main__":
    main()
