"""How often does a regression of scores find an effect of architecture or size where there is none?

python benchmarks/false_positives.py [--draws 200] [--designs 5x10 8x31 8x6 8x2] [--bootstrap 0] [--items]

Scores are drawn without any effect, for some true spreads between models (of one architecture and size) and of the
effects between suites. The likelihood-ratio test against chi-squared is how such regressions are usually tested; the
F test with Satterthwaite's degrees of freedom is what `architecture_and_size` reports as `p`. Both should be .05.
`--bootstrap N` adds the parametric bootstrap with N resamples; `--items` draws single outcomes for `item_regression`.
"""

import argparse
import math
import time
from dataclasses import dataclass

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.statistics.ablations import BootstrapOptions, Regression
from gardenpath.statistics.regression import LOG_WORDS, architecture_and_size, item_regression

SUITE_SPREAD, NOISE = 0.15, 0.10
"""Standard deviations of suite means and of the residual, on the scale of accuracies."""
LOG_ODDS = 8.0
"""Log odds per unit of accuracy, for single outcomes."""


@dataclass(frozen=True, slots=True)
class Design:
    """The models of a study and its number of suites."""

    architectures: str
    """A letter for the architecture of each model."""
    millions: tuple[int, ...]
    """Millions of training words of each model."""
    suites: int


FIVE = ("aabbb", (1, 10, 1, 10, 100))
EIGHT = ("aaabbbcc", (1, 10, 100, 1, 10, 100, 1, 10))
DESIGNS = {"5x10": Design(*FIVE, 10), "8x31": Design(*EIGHT, 31), "8x6": Design(*EIGHT, 6), "8x2": Design(*EIGHT, 2)}
TRUTHS = ((0.0, 0.0), (0.04, 0.0), (0.08, 0.0), (0.04, 0.05), (0.0, 0.1))
"""Spread between models; spread of the effects of size (per tenfold increase) and architecture between suites."""


def draw_scores(design: Design, truth: tuple[float, float], rng: np.random.Generator) -> polars.DataFrame:
    """Scores of all models on all suites, with no effect of architecture or size on average."""
    (between_models, between_suites), kinds = truth, sorted(set(design.architectures))
    sizes = np.log10(np.array(design.millions) * 1e6)
    rows = []
    suite_means = rng.normal(0.6, SUITE_SPREAD, design.suites)
    model_means = rng.normal(0, between_models, len(design.architectures))
    by_kind = rng.normal(0, between_suites, (design.suites, len(kinds)))
    by_size = rng.normal(0, between_suites, design.suites)
    for model, kind in enumerate(design.architectures):
        for suite in range(design.suites):
            slope = by_size[suite] * (sizes[model] - sizes.mean()) + by_kind[suite, kinds.index(kind)]
            mean = suite_means[suite] + model_means[model] + slope
            rows.append((f"model {model}", f"suite {suite}", mean, kind, design.millions[model] * 10**6))
    names = ["model", "suite", "accuracy", "architecture", "words"]
    table = polars.DataFrame(rows, schema=names, orient="row").with_columns(prediction=polars.lit("p"))
    return table.with_columns(polars.col("accuracy") + rng.normal(0, NOISE, len(table)))


def draw_outcomes(scores: polars.DataFrame, items: int, rng: np.random.Generator) -> polars.DataFrame:
    """Single outcomes whose log odds are the scores, some items being harder than others."""
    tables = []
    difficulty = {suite: rng.normal(0, 0.5, items) for suite in scores["suite"].unique(maintain_order=True)}
    for row in scores.iter_rows(named=True):
        log_odds = LOG_ODDS * (row["accuracy"] - 0.5) + difficulty[row["suite"]]
        right = rng.random(items) < 1 / (1 + np.exp(-log_odds))
        about = {name: row[name] for name in ("model", "suite", "prediction", "architecture", "words")}
        tables.append(
            polars.DataFrame({"item": [str(item) for item in range(items)], "strict": right}).with_columns(
                polars.lit(value).alias(name) for name, value in about.items()
            )
        )
    return polars.concat(tables)


def rejections(
    design: Design, truth: tuple[float, float], options: argparse.Namespace
) -> tuple[dict[str, list[float]], int]:
    """The share of draws with p < .05 by test, of size and of architecture; and the draws that could not be fitted."""
    p_values: dict[str, list[list[float]]] = {}
    refused = 0
    for draw in range(options.draws):
        rng = np.random.default_rng([options.seed, draw])
        scores = draw_scores(design, truth, rng)
        bootstrap = BootstrapOptions(options.bootstrap, seed=draw) if options.bootstrap else None
        try:
            found: Regression = (
                item_regression(draw_outcomes(scores, 6, rng), bootstrap=bootstrap)
                if options.items
                else architecture_and_size(scores, bootstrap=bootstrap)
            )
        except InputError:
            refused += 1
            continue
        for column in ("p_chi2", "p", "p_bootstrap"):
            if column in found.ablations.columns:
                p_values.setdefault(column, []).append(found.ablations[column][1:].to_list())
    return {name: (np.array(values) < 0.05).mean(axis=0).tolist() for name, values in p_values.items()}, refused


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--designs", nargs="+", choices=list(DESIGNS), default=list(DESIGNS))
    parser.add_argument("--bootstrap", type=int, default=0, help="resamples of a parametric bootstrap")
    parser.add_argument("--items", action="store_true", help="single outcomes and the logistic model")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    noise = math.sqrt(0.05 * 0.95 / options.draws)
    print(f"share of {options.draws} draws without effect with p < .05; standard error {noise:.3f} where it is .05")
    print("design: models x suites; spread between models; spread of effects between suites\n")
    tests = ["chi2", "F", *(["bootstrap"] if options.bootstrap else [])]
    print(f"{'design':7} {'models':>7} {'suites':>7}  {'term':12} {' '.join(f'{name:>9}' for name in tests)}")
    for name in options.designs:
        for truth in TRUTHS:
            begin = time.perf_counter()
            shares, refused = rejections(DESIGNS[name], truth, options)
            about = f"  {time.perf_counter() - begin:.0f} s" + (f", {refused} draws refused" if refused else "")
            for index, term in enumerate((LOG_WORDS, "architecture")):
                numbers = " ".join(f"{share[index]:9.3f}" for share in shares.values())
                spreads = f"{truth[0]:7.2f} {truth[1]:7.2f}"
                print(f"{name:7} {spreads}  {term:12} {numbers}{'' if index else about}", flush=True)


if __name__ == "__main__":
    main()
