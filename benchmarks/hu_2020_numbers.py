"""The numbers of docs/papers/hu-2020.md that stand in no table of the experiment.

python benchmarks/hu_2020_numbers.py FOLDER

FOLDER is that of `gardenpath experiment run hu-2020 --scale small`: how many items of each 5-gram are ties, in how many
items of agreement exactly one of the two comparisons holds, and what the embedded model scores.
`benchmarks/estimates_check.py FOLDER` has the times.
"""

import argparse
from pathlib import Path

import polars

import gardenpath as gp
from gardenpath.experiments.plan import read_plan
from gardenpath.experiments.step import RESULT
from gardenpath.statistics.grouping import first_predictions


def read_outcomes(folder: Path) -> polars.DataFrame:
    """The first prediction of every suite, of all runs of an experiment."""
    runs = [folder / step.name / RESULT for step in read_plan(folder).steps.values() if step.kind == "run"]
    return first_predictions(gp.read_runs(runs).outcomes())


def count_ties(outcomes: polars.DataFrame) -> polars.DataFrame:
    """The items of each n-gram model, and how many of them are ties."""
    of_ngrams = outcomes.filter(polars.col("model").str.starts_with("ngram"))
    return of_ngrams.group_by("model", maintain_order=True).agg(
        ties=(polars.col("status") == "tie").sum(), items=polars.len()
    )


def count_one_sided(outcomes: polars.DataFrame) -> tuple[int, int]:
    """Items of agreement and neural models in which exactly one of the two comparisons holds, and all of them."""
    neural = outcomes.filter(
        polars.col("circuit") == "Agreement",
        ~polars.col("model").str.contains("ngram|smollm2"),
        polars.col("margins").list.len() == 2,
    )
    held = neural["margins"].list.eval(polars.element() > 0).list.sum()
    return int((held == 1).sum()), len(held)


def main() -> None:
    """Print all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    outcomes = read_outcomes(parser.parse_args().folder)
    print(count_ties(outcomes))
    one_sided, items = count_one_sided(outcomes)
    print(f"agreement, trained neural models: one of two comparisons holds in {one_sided:,} of {items:,} items")
    known = outcomes.group_by("model", maintain_order=True).agg(polars.col("known").mean())
    print(f"items without an unknown word, over all models: {known['known'].min():.3f} or more")


if __name__ == "__main__":
    main()
