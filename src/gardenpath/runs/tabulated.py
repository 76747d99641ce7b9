"""What one run and several put together have in common: their tables, and the statistics of them."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Literal, get_args

import polars

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote
from gardenpath.io.pandas_frames import to_pandas
from gardenpath.runs.accuracy_text import accuracy_html, accuracy_text
from gardenpath.runs.coverage import coverage_notes
from gardenpath.runs.first_symbols import note_first_symbols, with_first_symbols
from gardenpath.runs.items import (
    describe_items,
    items_without_predictions,
    lengthen_items,
    rank_items,
    with_listed_factors,
)
from gardenpath.runs.run_tables import RunTables, with_strings
from gardenpath.statistics.accuracy import accuracy, group_keys, summary_rows
from gardenpath.statistics.compare import compare
from gardenpath.statistics.contrast_effects import contrast_effects
from gardenpath.statistics.effects import effects
from gardenpath.statistics.grouping import drop_left_out, factors
from gardenpath.statistics.overall import means_over_suites, overall_accuracy, overall_rows
from gardenpath.statistics.selection import Names, select_outcomes
from gardenpath.statistics.surprisal_profiles import region_means

if TYPE_CHECKING:
    import pandas

FrameName = Literal[
    "accuracy", "overall", "means_over_suites", "effects", "regions", "compare", "outcomes", "tokens", "items",
    "long_items",
]  # fmt: skip
"""The methods whose tables `to_pandas` converts."""
EffectGroup = Literal["comparison", "condition", "contrast"]
"""What effects are computed of: comparisons of formulas, conditions, or contrasts of conditions with interactions."""

PER_ITEM = "accuracy is per item, over its conditions; see --effects (run.effects('contrast')) for their contrasts, "
CONTRASTED = "effects are contrasts of the conditions already, a row each; group them by factors of the items, and see "
"""Why outcomes are not grouped by conditions or a factor of them, and what to do."""
BITS_BY_CONDITION = (
    "--regions (run.regions(), run.effects('condition')) for mean bits by condition, items.csv for those of every item"
)


class Tabulated:
    """Tables and statistics of one run or of several."""

    tables: RunTables

    def outcomes(self) -> polars.DataFrame:
        """Return a row per model, suite, prediction and item, with metadata of model and suite."""
        return self.tables.outcomes

    def _counted(self) -> polars.DataFrame:
        """Return the outcomes without those that their run left out."""
        return drop_left_out(self.tables.outcomes)

    def _listed(self) -> polars.DataFrame:
        """Return the counted outcomes, and for each item of suites without predictions a row without an outcome."""
        counted = self._counted()
        if not self.tables.unpredicted.height:
            return counted
        others = items_without_predictions(self.tables.unpredicted, self.scan_tokens(), counted)
        return polars.concat([counted, others], how="diagonal_relaxed")

    def tokens(self) -> polars.DataFrame:
        """Return a row per token of every sentence of every model, with its bits."""
        return self.tables.tokens.collect()

    def scan_tokens(self) -> polars.LazyFrame:
        """Return the tokens as a lazy table, which is read only when needed."""
        return self.tables.tokens

    def items(self, *, failed: bool = False, limit: int | None = None, **names: Names) -> polars.DataFrame:
        """Return the items with their margins and sentences, the hardest first.

        failed: only items that are not correct. limit: the maximum number. model, suite, prediction: only those with
        this name, or these names; a collection such as "blimp" stands for its suites. A row has the comparison that
        decides its outcome, whether all words compared are `known`, the `unit` of its margin, and `sentences`:
        condition, region, sentence, the same `marked` (with unknown words in brackets), bits and the `value` compared,
        first those that should be less surprising. `value` is null if the tokens of the run do not
        give it (SLOR, or sums with the end of the sentence). Items of suites without predictions are last, with all
        their sentences but no margin or status. To write a file of items, use `long_items`, whose columns are not
        nested.

        >>> run = gp.run(models=[bigram], suites=["agreement"])
        >>> hardest = run.items(failed=True, limit=1).row(0, named=True)
        >>> [one["condition"] for one in hardest["sentences"]]
        ['match_sing', 'mismatch_sing']
        """
        rows = rank_items(select_outcomes(self._listed(), **names), failed=failed, limit=limit)
        return describe_items(rows, self.scan_tokens(), self.tables.measures)

    def hardest_items(self, limit: int = 3) -> polars.DataFrame:
        """Return the items that fail a prediction by most, each item of a model once, in the format of `items`."""
        ranked = rank_items(self._counted(), failed=True)
        rows = ranked.unique(["model", "suite", "item"], keep="first", maintain_order=True).head(limit)
        return describe_items(rows, self.scan_tokens(), self.tables.measures)

    def count_items(self, *, failed: bool = False, **names: Names) -> int:
        """Count the rows of `items`, without reading sentences."""
        return rank_items(select_outcomes(self._listed(), **names), failed=failed).height

    def long_items(self, *, failed: bool = False, limit: int | None = None, **names: Names) -> polars.DataFrame:
        """Return a row per item, prediction, condition and region, with its bits: the table in items.csv, for R.

        `compared` marks the regions that the prediction compares; if these are whole sentences, no others are listed.
        The options are those of `items`. Without `failed` and `limit`, items are in the order of their suites.

        >>> gp.run(models=[bigram], suites=["agreement"]).long_items().columns[:5]
        ['model', 'suite', 'prediction', 'item', 'status']
        """
        # The columns do not depend on which items are chosen.
        rows = with_listed_factors(select_outcomes(self._listed(), **names))
        levels = self.tables.condition_levels.join(
            rows.select("suite").unique(), on="suite", how="semi", maintain_order="left"
        )
        chosen = rank_items(rows, failed=failed, limit=limit) if failed or limit is not None else rows
        return lengthen_items(chosen, self.scan_tokens(), levels)

    def require_predictions(self) -> None:
        """Raise if no suite has a prediction, so that there is no accuracy and no effect; note those that have none."""
        names = self.unpredicted_suites()
        if names and not self.tables.suites.height:
            raise InputError(describe_unpredicted(names, self.scan_tokens()))
        if names:
            advise(f"not in the table, since they have no prediction: {quote(names, most=6)}; items.csv has their bits")

    def coverage_notes(self, **names: Names) -> list[str]:
        """Return a note if models know all compared words of only few items: accuracy then says little about grammar.

        >>> gp.run(models=[bigram], suites=["agreement"]).coverage_notes()[0].split(" where ")[0]
        'accuracy says little about grammar'
        """
        return coverage_notes(select_outcomes(self.outcomes(), **names))

    def unpredicted_suites(self) -> list[str]:
        """Return the names of the suites without predictions."""
        return self.tables.unpredicted["suite"].unique(maintain_order=True).to_list()

    @property
    def models(self) -> polars.DataFrame:
        """A row per model: name, fingerprint, how it was trained."""
        return self.tables.models

    def first_symbols(self) -> dict[str, str]:
        """Return the symbol that each model reads before every sentence, if it is recorded."""
        return dict(self.models.select("model", "bos").drop_nulls().iter_rows())

    @property
    def suites(self) -> polars.DataFrame:
        """A row per suite and prediction: phenomenon, circuit, formula, chance."""
        return self.tables.suites

    def accuracy(
        self, by: str | Sequence[str] = "suite", *, model: Names = None, prediction: Names = None, **options: Any
    ) -> polars.DataFrame:
        """Compute accuracy with interval, chance and test; see `gardenpath.accuracy` for `by` and the options.

        model, prediction: only those with this name, or these names.
        """
        outcomes = select_outcomes(self.outcomes(), model=model, prediction=prediction)
        refuse_condition_factors(outcomes, by, self.tables.condition_levels, PER_ITEM)
        return accuracy(outcomes, by, **options)

    def overall(self, *, model: Names = None, prediction: Names = None) -> polars.DataFrame:
        """Compute the accuracy of every model over its suites: the mean over suites (macro) and over items (micro).

        There are also rows for every prediction that several suites share; rows with an empty `prediction` use the
        first prediction of every suite.

        >>> run = gp.run(models=[bigram], suites=["agreement", "syntactic-generalization/cleft"], sample=4)
        >>> run.overall().select("mean", "rows", "n").rows()
        [('macro', 2, 8), ('micro', 2, 8)]
        """
        return overall_accuracy(select_outcomes(self.outcomes(), model=model, prediction=prediction))

    def means_over_suites(
        self, by: str = "circuit", *, model: Names = None, prediction: Names = None
    ) -> polars.DataFrame:
        """Compute the mean accuracy over the suites of each circuit, phenomenon or field, as Hu et al. (2020) do.

        `accuracy` pools the items of these suites instead. model, prediction: only those with this name.

        >>> run = gp.run(models=[bigram], suites=["agreement", "syntactic-generalization/cleft"], sample=4)
        >>> run.means_over_suites("phenomenon")["prediction"].to_list()
        ['agreement', 'published', 'separate']
        """
        return means_over_suites(select_outcomes(self.outcomes(), model=model, prediction=prediction), by)

    def summary(self, by: str = "suite", *, model: Names = None, prediction: Names = None) -> list[dict[str, Any]]:
        """Compute the rows of the table that `gardenpath run` prints: accuracies, then the means over suites."""
        rows = summary_rows(self.accuracy(by, model=model, prediction=prediction))
        rows += overall_rows(self.overall(model=model, prediction=prediction))
        return with_first_symbols(rows, self.first_symbols())

    def effects(
        self,
        by: EffectGroup = "comparison",
        *,
        groups: str | Sequence[str] = "suite",
        model: Names = None,
        prediction: Names = None,
    ) -> polars.DataFrame:
        """Compute differences or surprisals in bits with intervals within items; see `gardenpath.effects`.

        model, prediction: only those with this name, or these names.

        >>> run = gp.run(models=[bigram], suites=["agreement"])
        >>> run.effects("contrast").select("effect", "contrast").rows()[0]
        ('contrast', 'mismatch_sing − match_sing')
        """
        outcomes = select_outcomes(self.outcomes(), model=model, prediction=prediction)
        if by == "contrast":
            refuse_condition_factors(outcomes, groups, self.tables.condition_levels, CONTRASTED)
            return contrast_effects(outcomes, self.scan_tokens(), groups=groups)
        if groups != "suite":
            raise InputError(f"effects by {by!r} have no groups; groups={groups!r} needs by='contrast'")
        return effects(outcomes, self.scan_tokens(), by=by)

    def regions(self, *, model: Names = None, suite: Names = None) -> polars.DataFrame:
        """Compute the mean bits of every region in every condition, with the intervals of the figures of regions.

        A row per model, suite, condition and region (position): bits, the interval within items (low, high) and the
        narrower one that figures draw (low_adjusted, high_adjusted), n items. `critical`: a prediction compares it.
        model, suite: only those of this name, or of these. Models without surprisals (people) have no rows.

        >>> gp.run(models=[bigram], suites=["agreement"]).regions().select("condition", "position", "region").row(1)
        ('match_sing', 2, 'subject')
        """
        chosen = select_outcomes(self._listed(), model=model, suite=suite).select("model", "suite").unique()
        if not chosen.height:
            raise InputError("there is no item to average: all were left out, because they have unknown words")
        tokens = with_strings(self.scan_tokens()).join(
            chosen.lazy(), on=["model", "suite"], how="semi", maintain_order="left"
        )
        measured = tokens.filter(polars.col("bits").is_not_null().any().over("model"))
        found = region_means(
            self.outcomes().join(chosen, on=["model", "suite"], how="semi", maintain_order="left"), measured
        )
        if not found.height:
            raise InputError("no sentence has regions: these suites compare whole sentences; see `effects`")
        return found

    def compare(
        self,
        models: Sequence[str] | None = None,
        *,
        by: str | Sequence[str] = "model",
        prediction: Names = None,
    ) -> polars.DataFrame:
        """Compare every pair of models on the items they share; see `gardenpath.compare`."""
        symbols = self.tables.symbols
        for note in note_first_symbols({name: symbols[name] for name in models or symbols if name in symbols}):
            advise(note)
        return compare(select_outcomes(self.outcomes(), prediction=prediction), models, by=by)

    def to_pandas(self, table: FrameName = "accuracy", **options: Any) -> "pandas.DataFrame":
        """Return a table as a pandas frame: that of the method `table`, which gets the options."""
        if table not in get_args(FrameName):
            raise InputError(f"there is no table {table!r}; the tables are {quote(get_args(FrameName))}")
        return to_pandas(getattr(self, table)(**options))

    def __repr__(self) -> str:
        names = self.unpredicted_suites()
        only_scored = names and not self.tables.suites.height
        return describe_unpredicted(names, self.scan_tokens()) if only_scored else accuracy_text(self.summary())

    def _repr_html_(self) -> str:
        return accuracy_html(self.summary()) if self.tables.suites.height else f"<p>{escape(repr(self))}</p>"


def describe_unpredicted(suites: Sequence[str], tokens: polars.LazyFrame) -> str:
    """Return why suites without predictions have no accuracy, and what to do."""
    own = tokens.filter(polars.col("suite").cast(polars.String) == suites[0])
    names = own.select(polars.col("condition").unique(maintain_order=True)).collect()["condition"].to_list()
    better, worse = (*names, "CONDITION", "CONDITION")[:2]
    return (
        f"no prediction, so neither accuracy nor effects: {quote(suites, most=6)}; run again with --prediction FORMULA "
        f'and another --out (the bits are remembered), for example --prediction "(*, {better}) < (*, {worse})"; '
        "items.csv and `gardenpath items RUN` have the sentences with the bits of all regions"
    )


def refuse_condition_factors(
    outcomes: polars.DataFrame, by: str | Sequence[str], levels: polars.DataFrame, reason: str
) -> None:
    """Raise where outcomes of items are to be grouped by conditions or a factor of them."""
    known = {*outcomes.columns, *(name for factor in factors(outcomes) for name in (factor, factor.partition(":")[2]))}
    for name in group_keys(by):
        if name in known or not (name == "condition" or name.removeprefix("level:") in levels["factor"]):
            continue
        what = "names the conditions" if name == "condition" else "is a factor of the conditions"
        raise InputError(f"{name!r} {what}, and {reason}{BITS_BY_CONDITION}")
