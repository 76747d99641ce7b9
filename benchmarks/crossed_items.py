"""How much of a suite's result is its items? Subjects, verbs and interveners of our own items, crossed.

python benchmarks/crossed_items.py [--model smollm2]

`number_orc` and `reflexive_prep_fem` stand out against the published suites (.67 against .37, .25 against .58 with the
embedded model). Every subject is combined with every relative clause, or every verb, of the other items (576 items);
then 19 of them, as many as the published suites have, are drawn with 19 subjects and 19 of the others.
"""

import argparse
import csv
from itertools import product

import numpy as np
import polars

import gardenpath as gp
from gardenpath.suites.catalog import BUILTIN

FOLDER = BUILTIN / "syntactic-generalization"
CONDITIONS = {
    "match_sing": ("sing", "plural", "sing"),
    "mismatch_sing": ("sing", "plural", "plural"),
    "match_plural": ("plural", "sing", "plural"),
    "mismatch_plural": ("plural", "sing", "sing"),
}
"""The number of the subject, of the intervening noun, and of what agrees."""
SINGULAR, PLURAL = (
    "(target;%match_sing%) < (target;%mismatch_sing%)",
    "(target;%match_plural%) < (target;%mismatch_plural%)",
)
PREDICTIONS = {"published": f"[{SINGULAR}] & [{PLURAL}]", "singular": SINGULAR, "plural": PLURAL}


def read_items(name: str) -> list[dict[str, str]]:
    """The words of our own items."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def crossed_number() -> polars.DataFrame:
    """Every subject and verb of number_orc with every relative clause."""
    rows = []
    for (i, item), (j, other) in product(enumerate(read_items("number_orc.tsv")), repeat=2):
        for condition, (subject, noun, verb) in CONDITIONS.items():
            clause = f"that the {other[f'embed_np:{noun}']} {other['embed_vp']}"
            begin = f"The {item[f'np:{subject}']} {clause}"
            words = {"begin": begin, "target": item[f"verb:{verb}"], "end": item["continuation"]}
            rows.append({"item": f"{i}-{j}", "condition": condition, **words})
    return polars.DataFrame(rows)


def crossed_reflexives() -> polars.DataFrame:
    """Every subject of reflexive_prep_fem with every verb."""
    rows = []
    pronouns = {"sing": "herself", "plural": "themselves"}
    for (i, item), (j, other) in product(enumerate(read_items("reflexive_prep.tsv")), repeat=2):
        for condition, (subject, noun, pronoun) in CONDITIONS.items():
            phrase = f"{item['prep']} the {item[f'prep_np:{noun}']}"
            begin = f"The {item[f'np:{subject}']} {phrase} {other['matrix_v']}"
            rows.append({"item": f"{i}-{j}", "condition": condition, "begin": begin, "target": pronouns[pronoun]})
    return polars.DataFrame(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="smollm2")
    model = parser.parse_args().model
    rng = np.random.default_rng(0)
    for name, table in (("number_orc", crossed_number()), ("reflexive_prep_fem", crossed_reflexives())):
        suite = gp.Suite.from_table(table, prediction=PREDICTIONS, name=name)
        outcomes = gp.run(models=[model], suites=[suite]).outcomes()
        for prediction in PREDICTIONS:
            credit = outcomes.filter(polars.col("prediction") == prediction)["credit"].to_numpy()
            size = round(len(credit) ** 0.5)
            grid = credit.reshape(size, size)
            draws = [grid[rng.permutation(size)[:19], rng.permutation(size)[:19]].mean() for _ in range(4000)]
            low, high = np.percentile(draws, [2.5, 97.5])
            print(
                f"{name:20}{prediction:11} own {grid.diagonal().mean():.3f}  crossed {grid.mean():.3f}  "
                f"19 items {low:.2f} to {high:.2f}  spread of subjects {grid.mean(axis=1).std():.2f}, "
                f"of the others {grid.mean(axis=0).std():.2f}"
            )


if __name__ == "__main__":
    main()
