"""How often 95 % intervals of people's accuracy contain the true one, in simulated studies.

python benchmarks/human_coverage.py [--studies 200] [--participant-sd 1] [--item-sd 1] [--careless 0.05]

The design is that of Marvin and Linzen (2018): ten lists, ten participants each; a list has one pair of each of 66
cells and ten easy pairs, five of each of two cells, and participants with more than one error on these are excluded.
Participants have abilities and items difficulties, both in log odds. The true accuracy of a cell is its mean over all
participants who would be kept and all items that there might be; of a group, the mean of its cells. `*` marks a
coverage outside 0.93 to 0.97; with 200 studies, the coverage of all cells together has a standard error below 0.002,
that of one cell or of the mean one of 0.015.
"""

import argparse
import sys

import numpy as np
import polars
from numpy.typing import NDArray
from scipy.special import expit, roots_hermitenorm
from scipy.stats import binom

from gardenpath.human.exclusions import apply_exclusions
from gardenpath.human.responses import RESPONSES, SESSIONS
from gardenpath.human.spec import Exclusions
from gardenpath.statistics.crossed_means import crossed_means
from gardenpath.statistics.grouping import aggregate

CELLS, LISTS, CATCH_CELLS, CATCH_ITEMS = 66, 10, 2, 5
RULES = Exclusions(catch_errors=1)
ACCURACIES = np.append(np.linspace(0.60, 0.98, CELLS), [0.96, 0.96])
"""Of every cell, the two of catch items last."""
GROUP_SIZE = 6
"""Cells of one construction."""
NODES, WEIGHTS = roots_hermitenorm(101)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
Floats = NDArray[np.float64]


def mean_accuracy(log_odds: Floats, spread: float) -> Floats:
    """The mean of accuracies whose log odds vary normally."""
    return np.asarray(expit(log_odds[..., None] + spread * NODES) @ WEIGHTS)


def log_odds_of(accuracies: Floats, spread: float) -> Floats:
    """The mean log odds that give mean accuracies, by bisection."""
    low, high = np.full(len(accuracies), -20.0), np.full(len(accuracies), 20.0)
    for _ in range(60):
        middle = (low + high) / 2
        above = mean_accuracy(middle, spread) > accuracies
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return low


def true_accuracies(log_odds: Floats, participant_sd: float, item_sd: float) -> Floats:
    """The mean accuracy of every cell over the participants who make at most one error on the catch items."""
    abilities = participant_sd * NODES
    right = mean_accuracy(log_odds[:, None] + abilities, item_sd)  # (cells, abilities)
    catch = right[-1]
    kept = WEIGHTS * binom.cdf(RULES.catch_errors, CATCH_CELLS * CATCH_ITEMS, 1 - catch)
    return np.asarray(right @ kept / kept.sum())


def simulate(
    log_odds: Floats, spreads: tuple[float, float], careless: float, per_list: int, rng: np.random.Generator
) -> tuple[polars.DataFrame, polars.DataFrame]:
    """The responses and sessions of one study."""
    people = LISTS * per_list
    ability = rng.normal(0, spreads[0], people)
    attentive = rng.random(people) >= careless
    of_list = np.arange(people) % LISTS
    cells = np.append(np.arange(CELLS), np.repeat(CELLS + np.arange(CATCH_CELLS), CATCH_ITEMS))
    difficulty = rng.normal(0, spreads[1], (LISTS, len(cells)))
    chance = expit(log_odds[cells] + ability[:, None] + difficulty[of_list])
    right = rng.random(chance.shape) < np.where(attentive[:, None], chance, 0.5)
    person, trial = (index.ravel() for index in np.indices(right.shape))
    names = {"participant": np.char.add("p", person.astype(str)), "item": of_list[person] * 100 + trial}
    columns = {
        **names,
        "session": names["participant"],
        "cell": np.char.add("cell ", cells[trial].astype(str)),
        "role": np.where(cells[trial] < CELLS, "test", "catch"),
        "correct": right.ravel(),
        "trial": trial + 1,
    }
    rows = polars.DataFrame(columns).with_columns(
        polars.col("item").cast(polars.String), polars.lit("choice").alias("task"), polars.col("cell").alias("suite")
    )
    missing = [polars.lit(None, dtype=kind).alias(name) for name, kind in RESPONSES.items() if name not in rows.columns]
    everyone = (
        rows.select("participant", "session")
        .unique(maintain_order=True)
        .with_columns(polars.lit("complete").alias("status"), polars.lit("{}").alias("answers"))
    )
    others = [
        polars.lit(None, dtype=kind).alias(name) for name, kind in SESSIONS.items() if name not in everyone.columns
    ]
    return rows.with_columns(missing).select(list(RESPONSES)), everyone.with_columns(others).select(list(SESSIONS))


def study_intervals(responses: polars.DataFrame, sessions: polars.DataFrame) -> polars.DataFrame:
    """The intervals of one study: by cell, by construction, and over all test cells."""
    included = apply_exclusions(responses, sessions, RULES)
    number = polars.col("cell").str.strip_prefix("cell ").cast(polars.Int64)
    rows = included.responses.with_columns(
        polars.col("correct").alias("accuracy"),
        polars.format("construction {}", number // GROUP_SIZE).alias("construction"),
    )
    test = rows.filter(polars.col("role") == "test")
    parts = [
        crossed_means(rows, "accuracy", ["cell"]).rename({"cell": "of"}),
        crossed_means(test, "accuracy", ["construction"]).rename({"construction": "of"}),
        crossed_means(test, "accuracy", []).select(polars.lit("all").alias("of"), polars.all()),
    ]
    kept = included.sessions.height
    return polars.concat(parts).with_columns(polars.lit(kept).alias("kept"))


def truths_by_name(truths: Floats) -> polars.DataFrame:
    """The true accuracy of every cell and group, with the band of accuracies that a cell is in."""
    rows = [(f"cell {number}", f"cells at .{int(10 * truth)}", float(truth)) for number, truth in enumerate(truths)]
    test = truths[:CELLS]
    for number in range(CELLS // GROUP_SIZE):
        own = test[number * GROUP_SIZE : (number + 1) * GROUP_SIZE]
        rows.append((f"construction {number}", "constructions", float(own.mean())))
    rows.append(("all", "all cells", float(test.mean())))
    return polars.DataFrame(rows, schema=["of", "situation", "truth"], orient="row")


def main() -> int:
    """Simulate studies and print the coverage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=200)
    parser.add_argument("--per-list", type=int, default=10, help="participants of every list")
    parser.add_argument("--participant-sd", type=float, default=1.0, help="of abilities, in log odds")
    parser.add_argument("--item-sd", type=float, default=1.0, help="of difficulties, in log odds")
    parser.add_argument("--careless", type=float, default=0.05, help="share of participants who answer at chance")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    spreads = options.participant_sd, options.item_sd
    log_odds = log_odds_of(ACCURACIES, float(np.hypot(*spreads)))
    rng = np.random.default_rng(options.seed)
    found = polars.concat(
        study_intervals(*simulate(log_odds, spreads, options.careless, options.per_list, rng))
        for _ in range(options.studies)
    )
    joined = found.join(truths_by_name(true_accuracies(log_odds, *spreads)), on="of")
    hit = (polars.col("low") <= polars.col("truth")) & (polars.col("truth") <= polars.col("high"))
    joined = joined.with_columns(hit.alias("hit"), (polars.col("high") - polars.col("low")).alias("width"))
    single = joined.filter(polars.col("of").str.starts_with("cell ")).with_columns(
        polars.lit("cells").alias("situation")
    )
    sums = [polars.len().alias("intervals"), polars.col("hit").mean(), polars.col("width").mean()]
    tails = [(polars.col(side) > polars.col(other)).mean().alias(name) for side, other, name in (
        ("low", "truth", "above"), ("truth", "high", "below"))]  # fmt: skip
    table = aggregate(
        polars.concat([single, joined.sort("situation", maintain_order=True)]), ["situation"], *sums, *tails
    )
    print(f"{options.studies} studies, {LISTS} lists of {options.per_list}, spreads {spreads[0]:g} and {spreads[1]:g}, "
          f"{options.careless:.0%} careless; kept {joined['kept'].mean():.1f}")  # fmt: skip
    print(f"{'':16}{'intervals':>10}{'coverage':>10}{'width':>8}{'too high':>10}{'too low':>9}")
    for name, count, coverage, width, above, below in table.iter_rows():
        mark = "" if 0.93 <= coverage <= 0.97 else " *"
        print(f"{name:16}{count:>10,}{coverage:>10.3f}{width:>8.3f}{above:>10.3f}{below:>9.3f}{mark}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
