"""Statistics with an equal in base R: how to draw data, our number, and R's expression for it.

To compare another statistic, add a `Case` to CASES: `draw` returns named vectors, which are variables in `expression`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars

from gardenpath.statistics.agreement import cohen_kappa, correlation
from gardenpath.statistics.compare import compare_suites, holm, mcnemar_exact
from gardenpath.statistics.effects import effects
from gardenpath.statistics.learning_curves import fit_line
from gardenpath.statistics.mixed.result import MixedModel, likelihood_ratio
from gardenpath.statistics.proportions import binomial_tests, wilson

Data = Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class Case:
    """One statistic, computed here and in R."""

    name: str
    draw: Callable[[np.random.Generator], Data]
    ours: Callable[[Data], Sequence[float]]
    expression: str


def count(rng: np.random.Generator) -> Data:
    """Successes of up to 300 trials, all or none of them rather often."""
    n = int(rng.integers(1, 300))
    share = rng.choice([0.0, 0.02, 0.5, 0.9, 1.0, float(rng.random())])
    return {"k": np.array([rng.binomial(n, share)]), "n": np.array([n]), "chance": np.array([rng.uniform(0.05, 0.95)])}


def two_counts(rng: np.random.Generator) -> Data:
    """Items that only one of two models gets right; at least one."""
    a = int(rng.integers(0, 60))
    return {"a": np.array([a]), "b": np.array([int(rng.integers(0 if a else 1, 60))])}


def p_values(rng: np.random.Generator) -> Data:
    """Up to 40 p-values, some of them equal."""
    return {"p": np.round(rng.random(int(rng.integers(1, 40))) ** 3, int(rng.integers(2, 9)))}


def pairs(rng: np.random.Generator) -> Data:
    """Two correlated vectors with ties."""
    n = int(rng.integers(4, 60))
    a = rng.normal(size=n)
    return {"a": np.round(a, 1), "b": np.round(rng.normal() * a + rng.normal(size=n), 1)}


def margins(rng: np.random.Generator) -> Data:
    """Margins in bits."""
    return {"x": rng.normal(rng.normal(), 2, size=int(rng.integers(2, 80)))}


def binary_pairs(rng: np.random.Generator) -> Data:
    """Outcomes of two models on the same items, right and wrong at least once each."""
    n = int(rng.integers(6, 100))
    drawn = rng.random((2, n)) < rng.uniform(0.2, 0.9, size=(2, 1))
    drawn[:, 0], drawn[:, 1] = True, False
    return {"a": drawn[0].astype(float), "b": drawn[1].astype(float)}


def likelihoods(rng: np.random.Generator) -> Data:
    """Two log-likelihoods and the difference in parameters."""
    full = -float(rng.uniform(10, 100))
    return {"full": np.array([full]), "less": np.array([full - rng.exponential(3)]), "df": rng.integers(1, 9, size=1)}


def our_wilson(data: Data) -> list[float]:
    """Both bounds."""
    estimate = wilson(float(data["k"][0]), int(data["n"][0]))
    return [estimate.low, estimate.high]


def outcome_table(credits: Mapping[str, np.ndarray], suites: Sequence[str] | None = None) -> polars.DataFrame:
    """Outcomes of some models on the same items, all in one suite or one in each."""
    tables = []
    for model, values in credits.items():
        names = [str(index) for index in range(len(values))]
        rows = {"model": model, "suite": suites or ["s"] * len(values), "prediction": "p", "item": names}
        status = np.where(values == 1, "correct", "wrong")
        tables.append(polars.DataFrame(rows | {"credit": values, "strict": values == 1, "status": status}))
    return polars.concat(tables)


def our_test_against_chance(data: Data) -> list[float]:
    """The exact binomial test of a table of outcomes."""
    return [float(binomial_tests(data["k"].astype(float), data["n"], data["chance"])[0])]


def our_sign_test(data: Data) -> list[float]:
    """The sign test over suites, by way of a table of outcomes."""
    suites = [f"s{index}" for index in range(len(data["a"]))]
    # Credits lie between 0 and 1; only their order matters to the test.
    scaled = {model: 1 / (1 + np.exp(-data[model])) for model in ("a", "b")}
    return [compare_suites(outcome_table(scaled, suites), "a", "b").p_value]


def our_paired_t(data: Data) -> list[float]:
    """Mean, interval and test of the margins of a comparison."""
    n = len(data["x"])
    rows = {"model": "m", "suite": "s", "prediction": "p", "item": [str(index) for index in range(n)]}
    table = polars.DataFrame(rows | {"formula": "(1;%a%) > (1;%b%)", "margins": [[value] for value in data["x"]]})
    row = effects(table).row(0, named=True)
    return [row["bits"], row["low"], row["high"], row["p_value"]]


def our_line(data: Data) -> list[float]:
    """Slope, interval, test and R squared."""
    line = fit_line(data["a"], data["b"])
    return [line["slope"], line["low"], line["high"], line["p"], line["r2"]]


def our_kappa(data: Data) -> list[float]:
    """Agreement and Cohen's kappa."""
    a, b = data["a"], data["b"]
    alike, kappa, _ = cohen_kappa(len(a), int(a.sum()), int(b.sum()), int((a * b).sum()))
    return [float(alike or 0), float(kappa or 0)]


def our_likelihood_ratio(data: Data) -> list[float]:
    """The p-value of the likelihood-ratio test."""
    full = MixedModel((), (), None, float(data["full"][0]), int(data["df"][0]), 9)
    return [likelihood_ratio(full, MixedModel((), (), None, float(data["less"][0]), 0, 9)).p]


LINE = "{f <- lm(b ~ a); s <- summary(f); c(coef(f)[2], confint(f)[2, ], s$coefficients[2, 4], s$r.squared)}"
KAPPA = "{o <- mean(a == b); e <- mean(a) * mean(b) + (1 - mean(a)) * (1 - mean(b)); c(o, (o - e) / (1 - e))}"
CASES = (
    Case("Wilson's interval", count, our_wilson, "prop.test(k, n, correct = FALSE)$conf.int"),
    Case("exact binomial test", count, our_test_against_chance, "binom.test(k, n, chance)$p.value"),
    Case("exact McNemar test", two_counts, lambda data: [mcnemar_exact(float(data["a"][0]), float(data["b"][0]))],
         "binom.test(a, a + b, 0.5)$p.value"),
    Case("sign test over suites", pairs, our_sign_test,
         "if (all(a == b)) 1 else binom.test(sum(a > b), sum(a != b), 0.5)$p.value"),
    Case("Holm's correction", p_values, lambda data: holm(data["p"].tolist()), "p.adjust(p, 'holm')"),
    Case("paired t test", margins, our_paired_t, "with(t.test(x), c(estimate, conf.int, p.value))"),
    Case("Pearson's r", pairs, lambda data: [correlation(data["a"], data["b"], "pearson")[0] or 0.0], "cor(a, b)"),
    Case("Spearman's rho", pairs, lambda data: [correlation(data["a"], data["b"], "spearman")[0] or 0.0],
         "cor(a, b, method = 'spearman')"),
    Case("Cohen's kappa", binary_pairs, our_kappa, KAPPA),
    Case("slope by least squares (lm)", pairs, our_line, LINE),
    Case("likelihood-ratio test", likelihoods, our_likelihood_ratio, "pchisq(2 * (full - less), df, lower = FALSE)"),
)  # fmt: skip
