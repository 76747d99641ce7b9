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
from gardenpath.statistics.means import mean_over_items
from gardenpath.statistics.mixed.result import MixedModel, likelihood_ratio
from gardenpath.statistics.proportions import agresti_coull, binomial_tests, paired_difference_bounds, wilson
from gardenpath.statistics.within_items import within_item_means

Data = Mapping[str, np.ndarray]
CONDITIONS = 3
"""Of a design within items."""


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


def conditions(rng: np.random.Generator) -> Data:
    """Bits of three conditions, one condition after another, for items that differ."""
    items = int(rng.integers(2, 40))
    return {
        "x": (rng.normal(0, 3, items) + rng.normal(rng.normal(0, 2, (CONDITIONS, 1)), 1, (CONDITIONS, items))).ravel()
    }


def discordant_pairs(rng: np.random.Generator) -> Data:
    """Items that only one of two models gets right, and all items."""
    a, b, both = (int(count) for count in rng.integers(0, 60, 3))
    return {"a": np.array([a]), "b": np.array([b]), "n": np.array([a + b + both + 1])}


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


def our_agresti_coull(data: Data) -> list[float]:
    """Both bounds."""
    estimate = agresti_coull(float(data["k"][0]), int(data["n"][0]))
    return [estimate.low, estimate.high]


def our_paired_difference(data: Data) -> list[float]:
    """Both bounds of the difference of two paired proportions."""
    low, high = paired_difference_bounds(data["a"].astype(float), data["b"].astype(float), data["n"])
    return [float(low[0]), float(high[0])]


def our_mean(data: Data) -> list[float]:
    """The mean of a column with Student's interval."""
    row = mean_over_items(polars.DataFrame({"x": data["x"]}), "x", []).row(0, named=True)
    return [row["x"], row["low"], row["high"]]


def our_within_items(data: Data) -> list[float]:
    """Means of three conditions with Cousineau-Morey intervals."""
    items = len(data["x"]) // CONDITIONS
    names = {"item": [*map(str, range(items))] * CONDITIONS, "condition": np.repeat([*"abc"], items)}
    means = within_item_means(polars.DataFrame(names | {"bits": data["x"], "suite": "s"}), ["suite"])
    return [value for name in ("bits", "low", "high") for value in means[name]]


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


AGRESTI_COULL = (
    "{t <- qt(0.975, max(n - 1, 1)); m <- (k + t^2 / 2) / (n + t^2); h <- t * sqrt(m * (1 - m) / (n + t^2)); "
    "c(min(k / n, max(0, m - h)), max(k / n, min(1, m + h)))}"
)
BONETT_PRICE = (
    "{x <- (a + 1) / (n + 2); y <- (b + 1) / (n + 2); h <- qnorm(0.975) * sqrt((x + y - (x - y)^2) / (n + 2)); "
    "c(min((a - b) / n, max(-1, x - y - h)), max((a - b) / n, min(1, x - y + h)))}"
)
COUSINEAU_MOREY = (
    "{y <- matrix(x, ncol = 3); w <- y - rowMeans(y) + mean(y); "
    "h <- qt(0.975, nrow(y) - 1) * apply(w, 2, sd) * sqrt(3 / 2 / nrow(y)); "
    "c(colMeans(y), colMeans(y) - h, colMeans(y) + h)}"
)
LINE = "{f <- lm(b ~ a); s <- summary(f); c(coef(f)[2], confint(f)[2, ], s$coefficients[2, 4], s$r.squared)}"
KAPPA = "{o <- mean(a == b); e <- mean(a) * mean(b) + (1 - mean(a)) * (1 - mean(b)); c(o, (o - e) / (1 - e))}"
CASES = (
    Case("Wilson's interval", count, our_wilson, "prop.test(k, n, correct = FALSE)$conf.int"),
    Case("Agresti and Coull's interval", count, our_agresti_coull, AGRESTI_COULL),
    Case("Bonett and Price's interval", discordant_pairs, our_paired_difference, BONETT_PRICE),
    Case("mean with Student's interval", margins, our_mean, "with(t.test(x), c(estimate, conf.int))"),
    Case("Cousineau-Morey intervals", conditions, our_within_items, COUSINEAU_MOREY),
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
