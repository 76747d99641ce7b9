"""Compare our statistics with R on random data sets: simple tests, intervals, and both mixed models.

python benchmarks/versus_r.py [--sets 240] [--slopes 80] [--simple 200] [--seed 0] [--cases FILE]

Needs Rscript with lme4 (Debian: r-base-core, r-cran-lme4; with r-cran-lmertest also Satterthwaite's degrees of freedom)
and says which of them is missing. One R process answers everything. Of the mixed models it is required that no
log-likelihood is more than 0.001 below lme4's, and that every fit that lme4 finds singular is reported as singular; a
log-likelihood that is higher than lme4's must be higher by lme4's own likelihood at our spreads and effects as well.
`--slopes` is the number of data sets of participants crossed with items, with random slopes by both.
`--cases FILE` writes the hardest data sets with R's numbers, as tests/data/lme4_fits.json has them, or with `--sets 0`
those with crossed slopes, as in tests/data/lme4_slopes.json.
"""

import argparse
import csv
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import r_models
from r_models import DataSet, OurFit, numbered
from r_statistics import CASES

HERE = Path(__file__).parent
BELOW = 1e-3
"""By how much a log-likelihood may lie below lme4's."""
DEGENERATE = 30.0
"""A spread, effect or standard error of lme4 (in log odds) from which a fit has no finite maximum."""
Fits = dict[str, dict[str, float]]


def missing_from_r() -> str:
    """What is not installed, or nothing."""
    if shutil.which("Rscript") is None:
        return "Rscript (Debian: apt-get install r-base-core r-cran-lme4)"
    asked = subprocess.run(["Rscript", "-e", "library(lme4)"], capture_output=True, check=False)
    return "" if asked.returncode == 0 else "the R package lme4 (Debian: apt-get install r-cran-lme4)"


def write_rows(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A CSV file for R; floats keep all their digits."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


def draw_values(sets: int, seed: int) -> list[tuple[str, int, dict[str, np.ndarray]]]:
    """The data of all simple statistics."""
    return [
        (case.name, index, dict(case.draw(np.random.default_rng([seed, number, index]))))
        for number, case in enumerate(CASES)
        for index in range(sets)
    ]


def ask_r(
    folder: Path, drawn: list[tuple[str, int, dict[str, np.ndarray]]], fitted: list[tuple[DataSet, OurFit]]
) -> None:
    """Write all questions and run R once."""
    write_rows(folder / "expressions.csv", ["case", "expression"], [(case.name, case.expression) for case in CASES])
    write_rows(
        folder / "values.csv",
        ["case", "set", "variable", "value"],
        (
            (name, index, variable, repr(float(value)))
            for name, index, data in drawn
            for variable, vector in data.items()
            for value in vector
        ),
    )
    write_rows(
        folder / "models.csv",
        ["set", "family", "formula", "factors", "effects"],
        ((data.name, data.family, data.formula, *point_of(ours)) for data, ours in fitted),
    )
    names = ["y", "m", "x", "c", "kind", "item", "model", "suite", "participant"]
    write_rows(
        folder / "rows.csv",
        ["set", *names],
        (
            (data.name, *(row.get(name, "") for name in names))
            for data, _ in fitted
            for row in data.table.iter_rows(named=True)
        ),
    )
    subprocess.run(["Rscript", str(HERE / "versus_r.R"), str(folder)], check=True)


def point_of(ours: OurFit) -> tuple[str, str]:
    """Our relative covariance factors by group and our fixed effects, as text for R."""
    factors = ";".join(f"{group}:{','.join(map(repr, entries))}" for group, entries in ours.factors.items())
    effects = ours.model.coefficients if ours.model else ()
    return factors, ",".join(repr(effect.estimate) for effect in effects)


def simple_rows(
    folder: Path, drawn: list[tuple[str, int, dict[str, np.ndarray]]]
) -> list[tuple[str, int, float, bool]]:
    """For every simple statistic: data sets, the largest difference (relative above 1), and whether it is rounding."""
    theirs: dict[tuple[str, int], list[float]] = {}
    for row in csv.DictReader((folder / "answers.csv").open()):
        theirs.setdefault((row["case"], int(row["set"])), []).append(float(row["value"]))
    rows = []
    for case in CASES:
        largest, sets = 0.0, 0
        for name, index, data in drawn:
            if name == case.name:
                ours, other = np.asarray(case.ours(data)), np.asarray(theirs[name, index])
                apart = np.abs(ours - other) / np.maximum(1.0, np.abs(other))
                largest, sets = max(largest, float(apart.max()) if len(ours) == len(other) else np.inf), sets + 1
        rows.append((case.name, sets, largest, largest < 1e-9))
    return rows


def read_fits(folder: Path) -> Fits:
    """R's numbers of every data set."""
    fits: Fits = {}
    for row in csv.DictReader((folder / "fits.csv").open()):
        fits.setdefault(row["set"], {})[row["name"]] = float(row["value"])
    return fits


@dataclass(slots=True)
class Summary:
    """A mixed model over all its data sets."""

    sets: int = 0
    failed_in_r: int = 0
    """lme4 ended with an error."""
    refused: int = 0
    """We refuse: an effect has no finite estimate."""
    refused_wrongly: int = 0
    """Refused although all spreads, effects and errors of lme4's fit are finite."""
    compared: int = 0
    lowest: float = 0.0
    """Our log-likelihood minus lme4's at its lowest."""
    below: int = 0
    higher: int = 0
    """Higher than lme4's by more than 0.001."""
    higher_in_r: int = 0
    """Of these, higher by lme4's own likelihood as well."""
    singular_in_r: int = 0
    singular_in_ours: int = 0
    unreported: int = 0
    """Singular in R at the likelihood we found, and not reported by us."""
    unconverged: int = 0
    """Reported by us as not converged."""
    effects: float = 0.0
    """The largest difference of a fixed effect, in its standard errors, where both found the same likelihood."""
    errors: float = 0.0
    """The largest relative difference of a standard error there.

    Ours of logistic models without slopes take the spreads as known; lme4's numerical Hessian fails at times.
    """
    degrees: float = 0.0
    """The largest relative difference of Satterthwaite's degrees of freedom below 1000.

    Joint ones are compared above 2: where a contrast has fewer, lmerTest takes 2, and we the smaller number.
    """
    p_values: float = 0.0
    """The largest difference of a p-value with Satterthwaite's degrees of freedom.

    Rounding, but for data sets with as many fixed effects as models: the restricted likelihood then does not depend on
    the spread between models, and any value is as good (`regression_rows` refuses such tables).
    """
    with_degrees: int = 0
    """Data sets with degrees of freedom from lmerTest: those whose restricted fit is not singular."""
    restricted_lowest: float = 0.0
    """Our restricted log-likelihood minus lme4's at its lowest."""

    @property
    def holds(self) -> bool:
        """Whether all that is required of a mixed model holds."""
        agree = self.below == self.unreported == self.refused_wrongly == 0 and self.higher == self.higher_in_r
        return agree and self.restricted_lowest > -BELOW


def summarise(fitted: Sequence[tuple[DataSet, OurFit]], fits: Fits) -> Summary:
    """Compare our fits with R's."""
    summary = Summary()
    for data, ours in fitted:
        theirs = fits[data.name]
        summary.sets += 1
        if "failed" in theirs:
            summary.failed_in_r += 1
        elif ours.model is None:
            summary.refused += 1
            summary.refused_wrongly += theirs["largest"] < DEGENERATE
        else:
            add_fit(summary, ours, theirs)
    return summary


def add_fit(summary: Summary, ours: OurFit, theirs: dict[str, float]) -> None:
    """Count one data set that both could fit."""
    assert ours.model is not None
    apart = ours.numbers["log_likelihood"] - theirs["log_likelihood"]
    degenerate = theirs["largest"] >= DEGENERATE and not ours.model.converged
    summary.compared += 1
    summary.unconverged += not ours.model.converged
    summary.lowest = min(summary.lowest, 0.0 if degenerate else apart)
    summary.below += apart < -BELOW and not degenerate
    summary.higher += apart > BELOW
    summary.higher_in_r += apart > BELOW and abs(theirs.get("at_ours", np.nan) - ours.numbers["log_likelihood"]) < BELOW
    summary.singular_in_r += bool(theirs["singular"])
    summary.singular_in_ours += bool(ours.model.singular)
    summary.unreported += bool(theirs["singular"]) and not ours.model.singular and apart < BELOW
    if abs(apart) < 1e-4:
        for index in range(1, len(ours.model.coefficients) + 1):
            # In our standard errors: lme4's come from a numerical Hessian, which fails at times.
            error = abs(ours.numbers[f"b{index}"] - theirs[f"b{index}"]) / ours.numbers[f"se{index}"]
            summary.effects = max(summary.effects, error)
            # Those of logistic models with slopes come from second derivatives, as lme4's do by default.
            slopes = any(spread.term != "(intercept)" for spread in ours.model.spreads)
            known = theirs[f"known{index}" if f"known{index}" in theirs and not slopes else f"se{index}"]
            summary.errors = max(summary.errors, abs(ours.numbers[f"se{index}"] / known - 1))
    if "restricted" in theirs:
        summary.restricted_lowest = min(summary.restricted_lowest, ours.numbers["restricted"] - theirs["restricted"])
        same = ours.numbers["restricted"] - theirs["restricted"] < BELOW
        summary.unreported += bool(theirs["restricted_singular"]) and not ours.numbers["restricted_singular"] and same
    if "f" in theirs and "f" in ours.numbers:
        add_degrees(summary, ours.numbers, theirs)


def add_degrees(summary: Summary, ours: dict[str, float], theirs: dict[str, float]) -> None:
    """Count one data set with Satterthwaite's degrees of freedom."""
    summary.with_degrees += 1
    cautious = ours["df_error"] < 2
    for name in sorted(ours.keys() & theirs.keys() - ({"df_error", "p_f"} if cautious else set())):
        if name.startswith("df") and theirs[name] < 1000:
            summary.degrees = max(summary.degrees, abs(ours[name] / theirs[name] - 1))
        elif name.startswith("p"):
            summary.p_values = max(summary.p_values, abs(ours[name] - theirs[name]))


def hardest(fitted: Sequence[tuple[DataSet, OurFit]], fits: Fits, most: int) -> list[dict[str, object]]:
    """Small data sets with R's numbers: half with a small spread, where a search may end at 0, half singular."""
    small, singular = [], []
    for data, ours in sorted(fitted, key=lambda pair: (len(pair[0].random), len(pair[0].table))):
        theirs = fits[data.name]
        if ours.model is None or abs(ours.numbers["log_likelihood"] - theirs.get("log_likelihood", np.nan)) > 1e-4:
            continue
        slopes = [name for effect in data.random for name in effect.slopes]
        columns = list(dict.fromkeys(["y", "m", *data.fixed, *slopes, *(effect.group for effect in data.random)]))
        case = {
            "name": data.name,
            "formula": data.formula,
            "family": data.family,
            "fixed": data.fixed,
            "random": [asdict(effect) for effect in data.random],
            "lme4": {name: value for name, value in theirs.items() if name in {"singular", *numbered(ours.model)}},
            "rows": data.table.select(columns).to_dict(as_series=False),
        }
        if theirs["singular"]:
            singular.append(case)
        elif min(spread.sd for spread in ours.model.spreads) < 0.5:
            small.append(case)
    return [*small[: most // 2], *singular[: most - most // 2]]


def quantiles(fitted: Sequence[tuple[DataSet, OurFit]], fits: Fits) -> str:
    """Least, 5 %, median, 95 % and largest difference of our log-likelihood from lme4's."""
    apart = [
        ours.numbers["log_likelihood"] - fits[data.name]["log_likelihood"]
        for data, ours in fitted
        if ours.model is not None and "log_likelihood" in fits[data.name]
    ]
    return " ".join(f"{value:.1e}" for value in np.quantile(apart, [0, 0.05, 0.5, 0.95, 1])) if apart else "-"


def print_mixed(name: str, summary: Summary) -> None:
    """The table of a mixed model."""
    print(f"\n{name}: {'holds' if summary.holds else 'DOES NOT HOLD'}")
    for field, value in asdict(summary).items():
        print(
            f"  {field.replace('_', ' '):24} {value:.3g}"
            if isinstance(value, float)
            else f"  {field.replace('_', ' '):24} {value}"
        )


def main() -> int:
    """Compare, print, and return 1 if something does not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=240, help="random data sets for each mixed model")
    parser.add_argument("--slopes", type=int, default=80, help="random data sets with crossed slopes for each model")
    parser.add_argument("--simple", type=int, default=200, help="random data sets for every other statistic")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=Path, help="write the hardest data sets with R's numbers to this file")
    arguments = parser.parse_args()
    if missing := missing_from_r():
        print(f"skipped: {missing} is not installed")
        return 0
    drawn = draw_values(arguments.simple, arguments.seed)
    seeds = range(arguments.seed * 10_000, arguments.seed * 10_000 + arguments.sets)
    sets = [draw(seed) for draw in (r_models.draw_linear, r_models.draw_logistic) for seed in seeds]
    crossed = range(arguments.seed * 10_000, arguments.seed * 10_000 + arguments.slopes)
    sets += [r_models.draw_slopes(family, seed) for family in ("linear", "logistic") for seed in crossed]
    fitted = [(data, r_models.fit(data)) for data in sets]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ask_r(folder, drawn, fitted)
        simple, fits = simple_rows(folder, drawn), read_fits(folder)
        versions = ", ".join((folder / "versions.txt").read_text().splitlines())
    print(f"compared with {versions}\n\n{'statistic':32} {'sets':>5} {'largest difference':>19}")
    for case, count, largest, holds in simple:
        print(f"{case:32} {count:5} {largest:19.1e}{'' if holds else '  DIFFERS'}")
    by_kind = {
        kind: [pair for pair in fitted if pair[0].name.rsplit(maxsplit=1)[0] == kind]
        for kind in ("linear", "logistic", "linear slopes", "logistic slopes")
    }
    summaries = {kind: summarise(pairs, fits) for kind, pairs in by_kind.items()}
    for kind, summary in summaries.items():
        print_mixed(f"{kind} mixed model", summary)
        print(f"  {'higher than lme4 by':24} {quantiles(by_kind[kind], fits)}")
    if arguments.cases:
        options = f"--sets {arguments.sets} --slopes {arguments.slopes} --seed {arguments.seed}"
        command = f"python benchmarks/versus_r.py {options} --cases FILE"
        kinds = ("linear", "logistic") if arguments.sets else ("linear slopes", "logistic slopes")
        cases = [case for kind in kinds for case in hardest(by_kind[kind], fits, 8 if arguments.sets else 4)]
        arguments.cases.write_text(json.dumps({"made_by": command, "versions": versions, "cases": cases}) + "\n")
    return 0 if all(row[3] for row in simple) and all(one.holds for one in summaries.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
