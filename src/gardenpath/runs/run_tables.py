"""The tables of one or more runs, put together: what statistics, figures and the report are computed from."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars

from gardenpath.errors import InputError
from gardenpath.runs.compared_values import Measure, measure_of
from gardenpath.runs.first_symbols import ReadSymbol, read_symbols
from gardenpath.runs.manifest import Manifest, ModelRecord, SuiteRecord
from gardenpath.suites.phenomena import phenomenon_name

MODEL_FACTS = ("architecture", "corpus", "words", "seed", "perplexity")
"""Metadata on the training of a model; null where it is not known."""
MODEL_SHAPE = ("layers", "hidden_units", "embedding", "vocabulary", "parameters")
"""The size of a model; null where it is not known."""
BUDGET = "budget"
"""When the training of a model stopped at the latest; null where it is not known."""
PROGRESS = ("words_read", "tokens_read", "step")
"""How far the training of a checkpoint had come; null where it is not known."""
MODELS = {
    "model": polars.String, "fingerprint": polars.String, "bos": polars.String, "architecture": polars.String,
    "corpus": polars.String, "words": polars.Int64, "seed": polars.Int64, "perplexity": polars.Float64,
    "layers": polars.Int64, "hidden_units": polars.Int64, "embedding": polars.Int64, "vocabulary": polars.Int64,
    "parameters": polars.Int64, BUDGET: polars.String, **dict.fromkeys(PROGRESS, polars.Int64),
}  # fmt: skip
SUITES = {
    "suite": polars.String, "prediction": polars.String, "phenomenon": polars.String, "circuit": polars.String,
    "formula": polars.String, "chance": polars.Float64,
}  # fmt: skip
USUAL = {"normalisation": "none", "unigrams": "", "unknown": "keep"}
"""Options on evaluation where a run does not record them."""
USUAL_FIELDS = {"first": "missing", "end_region": False, "ties": "share"}
"""The same for fields of the specification that older runs do not have."""
CONDITION_LEVELS = dict.fromkeys(("suite", "condition", "factor", "level"), polars.String)
UNPREDICTED = {"suite": polars.String, "item": polars.String, "levels": polars.String}
SENTENCE = ("suite", "item", "condition")

Names = Mapping[tuple[int, str], str]
"""The name under which a model appears, by the index of its run and its own name."""


@dataclass(frozen=True, slots=True)
class RunTables:
    """Outcomes, tokens, models and suites of some runs; `Tabulated` has their rows."""

    outcomes: polars.DataFrame
    tokens: polars.LazyFrame
    models: polars.DataFrame
    suites: polars.DataFrame
    condition_levels: polars.DataFrame = field(default_factory=lambda: polars.DataFrame(schema=CONDITION_LEVELS))
    """A row per suite, condition and factor of the conditions: suite, condition, factor, level."""
    unpredicted: polars.DataFrame = field(default_factory=lambda: polars.DataFrame(schema=UNPREDICTED))
    """A row per suite without predictions, and one per item of it with factors: suite, item, levels."""
    measures: Mapping[str, Measure] = field(default_factory=dict)
    """What the whole sentences of each model are compared by."""
    symbols: Mapping[str, ReadSymbol] = field(default_factory=dict)
    """What each model reads before every sentence, as far as it is recorded."""


def join_tables(
    manifests: Sequence[Manifest],
    outcomes: Sequence[polars.DataFrame],
    tokens: Sequence[polars.LazyFrame],
    names: Names,
) -> RunTables:
    """Put the tables of runs together; the same model and suite in two of them is taken from the last.

    A run that evaluated a suite counts before one that only has its surprisals.
    """
    models = polars.concat([model_table(manifest, names, index) for index, manifest in enumerate(manifests)])
    order = models.select("model").unique(keep="first", maintain_order=True)
    models = order.join(models.unique("model", keep="last"), on="model", how="left", maintain_order="left")
    suites = polars.concat([suite_table(manifest.suites) for manifest in manifests])
    suites = suites.unique(["suite", "prediction"], keep="last", maintain_order=True)
    suites = with_fields(suites, [suite for manifest in manifests for suite in manifest.suites])

    def last(table: polars.LazyFrame, index: int) -> polars.LazyFrame:
        changes = {own: name for (run, own), name in names.items() if run == index}
        renamed = with_strings(table).with_columns(polars.col("model").replace(changes))
        later = superseding(manifests, names, index)
        return renamed.join(later, on=["model", "suite"], how="anti", maintain_order="left")

    rows = polars.concat(
        [
            last(table.lazy(), index).with_columns(
                (~polars.col("known") & (manifests[index].options.get("unknown") == "leave-out")).alias("left_out")
            )
            for index, table in enumerate(outcomes)
        ]
    ).collect()
    rows = rows.join(suites, on=["suite", "prediction"], how="left", maintain_order="left").join(
        models.select("model", *MODEL_FACTS), on="model", how="left", maintain_order="left"
    )
    scans = polars.concat([last(table, index) for index, table in enumerate(tokens)], how="diagonal")
    measures = {
        names[index, model.name]: measure_of(manifest, model)
        for index, manifest in enumerate(manifests)
        for model in manifest.models
    }
    levels, unpredicted = condition_level_table(manifests), unpredicted_table(manifests, names)
    return RunTables(rows, scans, models, suites, levels, unpredicted, measures, read_symbols(manifests, names))


def distinct_names(labels: Sequence[str], manifests: Sequence[Manifest]) -> Names:
    """Name every model of every run: by its own name, unless others of that name have other weights or options.

    Then the label of its run is added; of those that are identical, the first.
    """
    first: dict[str, dict[str, str]] = {}
    for label, manifest in zip(labels, manifests, strict=True):
        for model in manifest.models:
            first.setdefault(model.name, {}).setdefault(model_identity(manifest, model), label)
    return {
        (index, model.name): model.name
        if len(first[model.name]) == 1
        else f"{model.name} ({first[model.name][model_identity(manifest, model)]})"
        for index, manifest in enumerate(manifests)
        for model in manifest.models
    }


def model_identity(manifest: Manifest, model: ModelRecord) -> str:
    """Collect everything that distinguishes the numbers of a model: weights, decisions, scoring, evaluation."""
    scoring: Mapping[str, Any] = manifest.options.get("score", {})
    read = [dict(model.decisions) or None, scoring.get("end", False), scoring.get("word_boundary", "none")]
    made = [manifest.options.get(name) or usual for name, usual in USUAL.items()]
    made += [manifest.spec.get(name, usual) for name, usual in USUAL_FIELDS.items()]
    return json.dumps([model.fingerprint, read, made])


def folder_labels(folders: Sequence[Path]) -> list[str]:
    """Shorten paths to their ends, with as many parts as distinguish all of them."""
    paths = [folder.resolve() for folder in folders]
    longest = max(len(path.parts) for path in paths)
    for parts in range(1, longest + 1):
        labels = ["/".join(path.parts[-parts:]) for path in paths]
        if len(set(labels)) == len(set(paths)):
            break
    return labels


def superseding(manifests: Sequence[Manifest], names: Names, index: int) -> polars.LazyFrame:
    """List the models and suites of the other runs that count in place of those of one run.

    These are the runs after it; but no run without predictions for a suite replaces one that has some.
    """
    evaluated = {suite.name: bool(suite.predictions) for suite in manifests[index].suites}
    rows = [
        (names[other, model.name], suite.name)
        for other, manifest in enumerate(manifests)
        for model in manifest.models
        for suite in manifest.suites
        if (bool(suite.predictions), other) > (evaluated.get(suite.name, False), index)
    ]
    return polars.LazyFrame(rows, schema={"model": polars.String, "suite": polars.String}, orient="row")


def with_strings(table: polars.LazyFrame) -> polars.LazyFrame:
    """Turn the categories of a table into plain strings."""
    return table.with_columns(polars.col(polars.Categorical).cast(polars.String))


def model_table(manifest: Manifest, names: Names, index: int) -> polars.DataFrame:
    """List the models of one run."""
    rows = [
        {"model": names[index, model.name], "fingerprint": model.fingerprint, "bos": model.first_symbol}
        | {fact: getattr(model.training, fact, None) for fact in (*MODEL_FACTS, *MODEL_SHAPE, BUDGET, *PROGRESS)}
        for model in manifest.models
    ]
    return polars.DataFrame(rows, schema=MODELS)


def suite_table(suites: Sequence[SuiteRecord]) -> polars.DataFrame:
    """List suites, a row per prediction; phenomena have one spelling."""
    rows = [
        (suite.name, prediction, spelled, suite.circuit, formula, suite.chance.get(prediction))
        for suite, spelled in ((suite, phenomenon_name(suite.phenomenon)) for suite in suites)
        for prediction, formula in suite.named_formulas.items()
    ]
    return polars.DataFrame(rows, schema=SUITES, orient="row")


def condition_level_table(manifests: Sequence[Manifest]) -> polars.DataFrame:
    """List the levels of the conditions of suites; those of the last run that has a suite count."""
    levels = {
        (suite.name, condition, factor): level
        for manifest in manifests
        for suite in manifest.suites
        for condition, own in suite.condition_levels.items()
        for factor, level in own.items()
    }
    rows = [(*names, level) for names, level in levels.items()]
    return polars.DataFrame(rows, schema=CONDITION_LEVELS, orient="row")


def unpredicted_table(manifests: Sequence[Manifest], names: Names) -> polars.DataFrame:
    """List the suites that some model was run on without predictions only, and the levels of their items."""
    found = [
        ((names[index, model.name], suite.name), suite)
        for index, manifest in enumerate(manifests)
        for model in manifest.models
        for suite in manifest.suites
    ]
    evaluated = {key for key, suite in found if suite.predictions}
    suites = [suite for key, suite in found if key not in evaluated]
    rows: dict[tuple[str, str | None], str | None] = {(suite.name, None): None for suite in suites}
    rows |= {
        (suite.name, item): json.dumps(dict(levels), ensure_ascii=False)
        for suite in suites
        for item, levels in suite.item_levels.items()
    }
    return polars.DataFrame([(*names, text) for names, text in rows.items()], schema=UNPREDICTED, orient="row")


def with_fields(table: polars.DataFrame, suites: Sequence[SuiteRecord]) -> polars.DataFrame:
    """Add the column `field` (syntax, morphology, …) to a table of suites, where some suite has one, as in BLiMP."""
    fields = {suite.name: suite.metadata["field"] for suite in suites if suite.metadata.get("field")}
    if not fields:
        return table
    return table.with_columns(polars.col("suite").replace_strict(fields, default=None).alias("field"))


def refuse_other_suites(
    folders: Sequence[Path], manifests: Sequence[Manifest], tokens: Sequence[polars.LazyFrame]
) -> None:
    """Raise where runs have different formulas or sentences under one name."""
    seen: dict[str, tuple[int, SuiteRecord]] = {}
    doubtful: dict[tuple[int, int], list[str]] = {}
    for index, manifest in enumerate(manifests):
        for suite in manifest.suites:
            before, known = seen.setdefault(suite.name, (index, suite))
            refuse_other_formulas(known, suite, folders[before], folders[index])
            # Other items of the same suite may have been drawn; then those that both have must be the same.
            if known.hash != suite.hash:
                doubtful.setdefault((before, index), []).append(suite.name)
    for (before, index), suites in doubtful.items():
        refuse_other_sentences(suites, (folders[before], tokens[before]), (folders[index], tokens[index]))


def refuse_other_formulas(one: SuiteRecord, other: SuiteRecord, before: Path, folder: Path) -> None:
    """Raise where a prediction of a suite is not the same in two runs."""
    for prediction, formula in other.predictions.items():
        known = one.predictions.get(prediction, formula)
        if known != formula:
            raise InputError(
                f"suite {other.name!r}: the prediction {prediction!r} is {known!r} in {before} and {formula!r} in "
                f"{folder}; run both with the same suite, or give them reports of their own"
            )


def refuse_other_sentences(
    suites: Sequence[str], one: tuple[Path, polars.LazyFrame], other: tuple[Path, polars.LazyFrame]
) -> None:
    """Raise where the same item and condition is another sentence in two runs."""
    both = sentence_texts(one[1], suites).join(sentence_texts(other[1], suites), on=list(SENTENCE), suffix="_other")
    different = both.filter(both["letters"] != both["letters_other"])
    if len(different):
        row = different.sort(SENTENCE).row(0, named=True)
        raise InputError(
            f"suite {row['suite']!r}, item {row['item']!r}, condition {row['condition']!r} is {row['text']!r} in "
            f"{one[0]} and {row['text_other']!r} in {other[0]}: the runs hold different items under one name "
            "(another --seed?); give them reports of their own"
        )


def sentence_texts(tokens: polars.LazyFrame, suites: Sequence[str]) -> polars.DataFrame:
    """Rebuild the sentences of suites from the tokens of one model: as text, and without spaces, to be compared."""
    model = polars.col("model") == polars.col("model").first()
    own = with_strings(tokens).filter(polars.col("suite").is_in(list(suites))).filter(model.over("suite"))
    letters = polars.col("text").str.replace_all(r"\s", "").alias("letters")
    return join_pieces(own, SENTENCE).with_columns(letters).collect()


def join_pieces(tokens: polars.LazyFrame, sentence: Sequence[str]) -> polars.LazyFrame:
    """Join the tokens of sentences, which the columns `sentence` name and which follow one another, to texts."""
    first = polars.col("token") == 0
    before = polars.when(first).then(0).otherwise(polars.col("end").shift(1))
    # Tokens that are bytes share characters; between other tokens there may be spaces.
    piece = polars.col("text").str.slice((before - polars.col("start")).clip(lower_bound=0))
    space = polars.when(polars.col("start") > before).then(polars.lit(" ")).otherwise(polars.lit(""))
    text = (space + piece).alias("text")
    return (
        tokens.select(*sentence, text, first.cum_sum().alias("number"))
        .group_by("number", maintain_order=True)
        .agg(*(polars.col(name).first() for name in sentence), polars.col("text").str.join(""))
        .select(*sentence, polars.col("text").str.strip_chars())
    )
