"""Trainings that differ only in the size and the sample of their corpus, or checkpoints of one training: the points of
one learning curve."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import polars

from gardenpath.statistics.grouping import aggregate

MEMBER = re.compile(r"(?P<folder>.+)/\d+(?:\.\d+)?[kKmMbB]?-\d+")
"""The name of a model of a series that `gardenpath train --sizes` trained."""
CHECKPOINT = re.compile(
    r"(?P<folder>(?:hf|mlm|s2s):[^@]+?)(?:(?:@|/(?=(?:stage|chck_|step_?|checkpoint-)\d[^/@]*$))"
    r"(?:(?P<stage>stage\d+(?:-ingredient\d+)?)-)?.+|-step_\d+k)"
)
"""The name of a checkpoint: a revision of a hub model, a hub model of its own (MultiBERTs), or a local folder such as
hf:ckpts/chck_1M."""
FIRST_STAGE = "stage1"
"""The stage of checkpoints that name none."""
SIZES = ("words", "words_read", "tokens_read", "step")
"""Columns by which the points of a curve may be ordered: the size of the corpus, or how far one training had come."""
COUNT = re.compile(r"[-_. ]?\d+(?:\.\d+)?[kKmMbB]?(?![A-Za-z])")
ALIKE = ("folder", "corpus", "layers", "hidden_units", "embedding", "budget")
"""What the models of one learning curve have in common beside their architecture."""


def training_series(models: polars.DataFrame) -> dict[str, str]:
    """The series of every model, by name: its architecture, and what distinguishes it from others of that architecture.

    models: model, architecture, and any of corpus, layers, hidden_units, embedding, budget. Two models are of one
    series if none of these differs; of the corpus, numbers in its name do not count. Models that were trained with
    `--sizes` are of one series only with those of the same folder, revisions of a model of the hub only with those of
    the same repository and stage of training.
    """
    known = models.unique("model", keep="first", maintain_order=True)
    keys = {str(row["model"]): series_key(row) for row in known.to_dicts()}
    kinds = {str(row["model"]): str(row.get("architecture") or "") for row in known.to_dicts()}
    names = {}
    for model, key in keys.items():
        others = [keys[other] for other, kind in kinds.items() if kind == kinds[model]]
        described = ", ".join(key[part] or "unknown" for part in distinguishing_parts(others))
        names[model] = f"{kinds[model]} ({described})" if described else kinds[model]
    return names


def distinguishing_parts(keys: Sequence[Mapping[str, str]]) -> list[str]:
    """The first parts of keys that distinguish all that differ."""
    different = len({tuple(key.values()) for key in keys})
    parts: list[str] = []
    for part in ALIKE:
        if len({tuple(key[name] for name in parts) for key in keys}) == different:
            break
        if len({key[part] for key in keys}) > 1:
            parts.append(part)
    return parts


def series_key(model: Mapping[str, object]) -> dict[str, str]:
    """What a model has in common with those of its series, in words."""
    units = {"layers": "{} layers", "hidden_units": "{} units", "embedding": "embeddings of {}"}
    texts = {name: "" if model.get(name) is None else str(model[name]) for name in ALIKE}
    described = {name: units.get(name, "{}").format(text) if text else "" for name, text in texts.items()}
    corpus = COUNT.sub("", described["corpus"])
    return described | {"folder": series_folder(str(model["model"])), "corpus": corpus}


def series_folder(name: str) -> str:
    """The folder or repository of a series that the name of a model tells; empty for other models."""
    if (member := MEMBER.fullmatch(name)) is not None:
        return member["folder"]
    if (checkpoint := CHECKPOINT.fullmatch(name)) is None:
        return ""
    stage = checkpoint["stage"] or FIRST_STAGE
    return checkpoint["folder"] if stage == FIRST_STAGE else f"{checkpoint['folder']} {stage}"


def checkpoint_pairs(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Leave out most pairs of checkpoints, of which a series has hundreds.

    Of one training, neighbours and the first with the last stay; of two, those of the same revision. Pairs with other
    models all stay. A pair stands in the order of the models.
    """
    models = dict.fromkeys(name for pair in pairs for name in pair)
    series: dict[str, list[str]] = {}
    for name in filter(CHECKPOINT.fullmatch, models):
        series.setdefault(series_folder(name), []).append(name)
    folders = {name: folder for folder, names in series.items() for name in names}
    near = {pair for names in series.values() for pair in (*pairwise(names), (names[0], names[-1]))}

    def is_kept(a: str, b: str) -> bool:
        if a not in folders or b not in folders:
            return True
        return (a, b) in near if folders[a] == folders[b] else checkpoint_part(a) == checkpoint_part(b)

    return [pair for pair in pairs if is_kept(*pair)]


def checkpoint_part(name: str) -> str:
    """The part of the name of a checkpoint after its series: the revision, or the name of the folder.

    >>> checkpoint_part("hf:org/name@step1"), checkpoint_part("hf:ckpts/chck_1M")
    ('step1', 'chck_1M')
    """
    found = CHECKPOINT.fullmatch(name)
    return name[found.end("folder") + 1 :] if found else ""


def with_series(scores: polars.DataFrame, models: polars.DataFrame) -> polars.DataFrame:
    """Add [series, unit, size] to a table of scores or outcomes: where on which learning curve every model is.

    unit: the one of `SIZES` that orders the points of the series: with the most different values, of several the first;
    size: its value. Both are null where none is known. What the table does not say of a model, that of models may.
    """
    scored = [name for name in ("architecture", "corpus", "words") if name in scores.columns]
    more = [name for name in (*ALIKE, *SIZES) if name in models.columns and name not in scored]
    known = scores.select("model", *scored).unique("model", keep="first", maintain_order=True)
    known = known.join(models.select("model", *more), on="model", how="left")
    absent = (polars.lit(None, polars.Int64).alias(name) for name in SIZES if name not in known.columns)
    series = polars.col("model").replace_strict(training_series(known), default="").alias("series")
    points = with_size(known.with_columns(series, *absent))
    return scores.join(points, on="model", how="left", maintain_order="left")


def with_size(models: polars.DataFrame) -> polars.DataFrame:
    """Choose the unit of every series of models: [model, series, unit, size]."""
    values = {name: polars.col(name).drop_nulls().n_unique().over("series") for name in SIZES}
    most = polars.max_horizontal(*values.values())
    unit = polars.coalesce(
        polars.when(number == most, most > 0).then(polars.lit(name)) for name, number in values.items()
    )
    named = models.with_columns(unit.alias("unit"))
    size = polars.coalesce(polars.when(polars.col("unit") == name).then(polars.col(name)) for name in SIZES)
    return named.select("model", "series", "unit", size.cast(polars.Int64).alias("size"))


def models_without_curve(scores: polars.DataFrame) -> dict[str, list[str]]:
    """The models of a table of scores with series that are on no learning curve, by the reason."""
    models = aggregate(scores, ["model"], polars.col("size", "series").first())
    known = polars.col("size").is_not_null()
    single = polars.col("size").drop_nulls().n_unique().over("series") == 1
    found = {
        "training size unknown": models.filter(~known)["model"].to_list(),
        "one training size only": models.filter(single).filter(known)["model"].to_list(),
    }
    return {reason: names for reason, names in found.items() if names}
