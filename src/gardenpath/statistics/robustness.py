"""Robustness of results: with and without a modifier, by another method, for other pronouns."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.bootstrap import grouped_bootstrap
from gardenpath.statistics.grouping import aggregate, by_appearance, count_rows, drop_left_out
from gardenpath.statistics.means import mean_over_items, mean_over_models_and_suites, mean_over_suites
from gardenpath.statistics.scores import ALL_GROUPS, rows_with
from gardenpath.suites.formats.whole_sentence import FULL_SENTENCE

PREFIX_METHODS = ("one-prefix", "two-prefix")
BASELINE = "baseline"
PRONOUN_CONTRASTS = ("distractor", "ungrammatical")


def modifier_pairs(scores: polars.DataFrame, manifests: Iterable[Mapping[str, Any]]) -> polars.DataFrame:
    """Accuracy with and without a modifier before the critical region (Hu et al. 2020, Figure 6).

    [model, architecture, suite, modified, prediction, without, with, difference]: a row per model and pair of suites;
    the manifests of the runs record which suite adds a modifier to which (`modifier_of`).
    """
    rows = rows_with(scores)
    names = sorted(modified_suites(manifests).items())
    pairs = polars.DataFrame(names, schema={"modified": polars.String, "suite": polars.String}, orient="row")
    keys = ["model", *(name for name in ("architecture", "prediction") if name in rows.columns)]
    plain = rows.join(pairs, on="suite", maintain_order="left").rename({"accuracy": "without"})
    modified = rows.select(*keys, polars.col("suite").alias("modified"), polars.col("accuracy").alias("with"))
    both = plain.join(modified, on=[*keys, "modified"], nulls_equal=True, maintain_order="left")
    if not len(both):
        raise InputError(
            "no suite was run both with and without a modifier; run for example "
            "syntactic-generalization/cleft and syntactic-generalization/cleft_modifier"
        )
    columns = ("model", "architecture", "suite", "modified", "prediction", "without", "with", "difference")
    both = both.with_columns((polars.col("with") - polars.col("without")).alias("difference"))
    return both.select(name for name in columns if name in both.columns)


def modified_suites(manifests: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The suites with a modifier, each with the suite it was made from (a name without a folder: same folder)."""
    suites = {suite["name"]: suite.get("metadata", {}) for record in manifests for suite in record["suites"]}
    found = {}
    for name, metadata in suites.items():
        if plain := metadata.get("modifier_of"):
            sibling = "".join([*name.rpartition("/")[:2], plain])
            found[name] = sibling if sibling in suites else str(plain)
    return found


def modifier_means(pairs: polars.DataFrame, by: str = "model") -> polars.DataFrame:
    """The bars of Hu et al. 2020, Figure 6, from `modifier_pairs`: [by, modifier, accuracy, low, high, n, note].

    Modifier is `without` or `with`; each pair of suites counts with its first prediction. The interval is over pairs of
    suites and, where `by` pools models, over models.
    """
    first = pairs.unique(["model", "modified"], keep="first", maintain_order=True).with_columns(suite="modified")
    about = list(dict.fromkeys(["model", "suite", by]))
    long = first.unpivot(["without", "with"], index=about, variable_name="modifier", value_name="accuracy")
    mean = mean_over_suites if by == "model" else mean_over_models_and_suites
    return mean(long.drop_nulls(by), "accuracy", [by, "modifier"])


def method_comparison(outcomes: polars.DataFrame) -> polars.DataFrame:
    """The full-sentence method beside the prefix methods on the same suites (Warstadt et al. 2020, Figure 5).

    [model, phenomenon, method, full, prefix, difference, full_sd, prefix_sd, n]: means over n suites and their standard
    deviations (null for one suite); phenomenon `all` is over all suites that have the method. Suites without a valid
    item are left out, as are items that a run left out.
    """
    keys = ["model", "suite", "phenomenon", "prediction"]
    valid = (polars.col("status") != "invalid").any().alias("valid")
    credit = polars.col("credit").mean().alias("prefix")
    scores = aggregate(drop_left_out(outcomes), keys, credit, valid).filter("valid").drop("valid")
    whole, others = (scores.filter(polars.col("prediction").is_in(of)) for of in ([FULL_SENTENCE], PREFIX_METHODS))
    full = whole.select("model", "suite", polars.col("prefix").alias("full"))
    both = others.rename({"prediction": "method"}).join(full, on=["model", "suite"], maintain_order="left")
    if not len(both):
        raise InputError(
            f"no suite has both the prediction {FULL_SENTENCE!r} and one of {', '.join(PREFIX_METHODS)}; "
            "run for example blimp/anaphor_number_agreement"
        )
    overall = both.with_columns(polars.lit(ALL_GROUPS).alias("phenomenon"))
    means = aggregate(
        polars.concat([both, overall]),
        ["model", "phenomenon", "method"],
        polars.col("full", "prefix").mean(),
        (polars.col("prefix") - polars.col("full")).mean().alias("difference"),
        polars.col("full", "prefix").std().name.suffix("_sd"),
        count_rows(),
    )
    return by_appearance(means, ["model"], polars.col("phenomenon") == ALL_GROUPS, "phenomenon", "method")


def pronoun_asymmetry(
    tokens: polars.LazyFrame,
    outcomes: polars.DataFrame | None = None,
    *,
    region: str = "pronoun",
    interval: Literal["t", "bootstrap"] = "t",
    seed: int = 0,
) -> polars.DataFrame:
    """How much a distractor and ungrammaticality add to the surprisal of a reflexive (Hu, Chen & Levy 2020, Figure 2).

    [model, experiment, pronoun, contrast, bits, low, high, n, note]: the mean of `pronoun_differentials` over n items.
    interval: Student's over items, and with `outcomes` over the words they share; or the published bootstrap over
        items, which is too narrow for few, and for items that share words.
    """
    differences = pronoun_differentials(tokens, outcomes, region=region)
    keys = ["model", "experiment", "pronoun", "contrast"]
    if interval == "bootstrap":
        return grouped_bootstrap(differences, "bits", keys, seed=seed)
    return mean_over_items(differences, "bits", keys)


def pronoun_differentials(
    tokens: polars.LazyFrame, outcomes: polars.DataFrame | None = None, *, region: str = "pronoun"
) -> polars.DataFrame:
    """The bits that a distractor and ungrammaticality add at a reflexive, item by item.

    [model, suite, experiment, pronoun, contrast, item, bits]: the bits at the pronoun minus those in the baseline, each
    averaged over the variants of the item; contrast is `distractor` or `ungrammatical`. Conditions are named
    baseline_…, distractor_…, ungrammatical_….
    outcomes: those of the same runs, to drop the items that a run left out and to add the `fillers` of the others.
    """
    if outcomes is None:
        return differentials_of_items(tokens, region)
    key = ["model", "suite", "item"]
    about = [*key, *(["fillers"] if "fillers" in outcomes.columns else [])]
    items = drop_left_out(outcomes).select(about).unique(key, keep="first", maintain_order=True)
    return differentials_of_items(tokens, region).join(items, on=key, maintain_order="left")


def differentials_of_items(tokens: polars.LazyFrame, region: str) -> polars.DataFrame:
    """The differentials of all items at a region, see `pronoun_differentials`."""
    kind = polars.col("condition").str.split("_").list.first()
    sentences = (
        tokens.filter(polars.col("region") == region, kind.is_in([BASELINE, *PRONOUN_CONTRASTS]))
        .sort("token")
        .group_by("model", "suite", "item", "condition", kind.alias("kind"))
        .agg(polars.col("bits").sum(), polars.col("text").str.join("").alias("pronoun"))
    )
    items = sentences.group_by("model", "suite", "item", "pronoun", "kind").agg(polars.col("bits").mean()).collect()
    keys = ["model", "suite", "item", "pronoun"]
    baseline = items.filter(polars.col("kind") == BASELINE).select(*keys, polars.col("bits").alias("before"))
    differences = (
        items.filter(polars.col("kind") != BASELINE)
        .join(baseline, on=keys)
        .with_columns(
            # Digits beyond the ninth are rounding, which would pass for a difference.
            (polars.col("bits") - polars.col("before")).round(9).alias("bits"),
            polars.col("suite").str.strip_suffix("-" + polars.col("pronoun")).alias("experiment"),
            polars.col("kind").alias("contrast"),
        )
        .sort("model", "experiment", "pronoun", "contrast", "item")
    )
    if not len(differences):
        raise InputError(
            f"no suite has conditions named {BASELINE}, {' and '.join(PRONOUN_CONTRASTS)} and a region {region!r}; "
            "run for example reflexives"
        )
    return differences.select("model", "suite", "experiment", "pronoun", "contrast", "item", "bits")
