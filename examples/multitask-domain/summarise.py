"""What supertags add to accuracy and perplexity: differences from the LSTM alone, paired by seed.

python summarise.py FOLDER [WEIGHT]

FOLDER is that of the experiment. WEIGHT is that of all its multi-task models, where it has one only: their names do not
have it then. A row has the mean difference over seeds with its 95 % interval (t), and the smallest
difference that as many seeds with this spread show in four of five experiments (80 % power, two-sided 5 %).
"""

import re
import sys
from pathlib import Path

import polars
from scipy.stats import t as student

from gardenpath.experiments.work.gathering import SCORES_FILE

POWER, LEVEL = 0.8, 0.05


def read_scores(folder: Path, only_weight: float | None = None) -> polars.DataFrame:
    """The gathered scores with the weight of every model, and its perplexity as one more measure."""
    (table,) = folder.glob(f"tables/scores-*/result/{SCORES_FILE}")
    scores = polars.read_parquet(table).with_columns(
        weight=polars.col("model").map_elements(
            lambda model: weight_of(model, only_weight), return_dtype=polars.Float64
        )
    )
    accuracies = scores.select(
        "words", "weight", "seed", measure=polars.col("suite"), value=100 * polars.col("accuracy")
    )
    means = accuracies.group_by("words", "weight", "seed").agg(polars.col("value").mean()).select(
        "words", "weight", "seed", measure=polars.lit("mean of suites"), value="value"
    )  # fmt: skip
    perplexities = scores.select(
        "words", "weight", "seed", measure=polars.lit("perplexity"), value="perplexity"
    ).unique()  # fmt: skip
    return polars.concat([accuracies, means, perplexities])


def weight_of(model: str, only_weight: float | None = None) -> float:
    """The weight of the tagging loss, from the name of a model, or the only one; an LSTM alone has none.

    >>> weight_of("multitask-100k-weight0.3-seed1"), weight_of("lstm-100k-seed1")
    (0.3, 0.0)
    """
    if model.startswith("lstm"):
        return 0.0
    found = re.search(r"weight([0-9.]+)", model)
    if found is not None:
        return float(found[1])
    if only_weight is None:
        raise ValueError(f"{model}: its name has no weight; give it after the folder: python summarise.py FOLDER 0.3")
    return only_weight


def differences(scores: polars.DataFrame) -> polars.DataFrame:
    """A row per measure, size and weight: the difference from the LSTM alone, its interval, what could be shown."""
    twins = scores.filter(polars.col("weight") == 0).drop("weight").rename({"value": "without"})
    paired = scores.filter(polars.col("weight") > 0).join(twins, on=["words", "seed", "measure"])
    rows = paired.group_by("measure", "words", "weight").agg(
        seeds=polars.len(),
        without=polars.col("without").mean(),
        difference=(polars.col("value") - polars.col("without")).mean(),
        error=(polars.col("value") - polars.col("without")).std() / polars.len().sqrt(),
    )
    freedom = int(rows["seeds"].min()) - 1  # type: ignore[arg-type]  # a count
    width = float(student.ppf(1 - LEVEL / 2, freedom))
    return rows.with_columns(
        half_width=width * polars.col("error"),
        smallest=(width + float(student.ppf(POWER, freedom))) * polars.col("error"),
    ).drop("error").sort("measure", "words", "weight")  # fmt: skip


if __name__ == "__main__":
    with polars.Config(tbl_rows=-1, float_precision=1):
        print(differences(read_scores(Path(sys.argv[1]), *map(float, sys.argv[2:]))))  # noqa: T201 - a script
