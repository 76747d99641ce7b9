"""Trainings that differ only in the size and the sample of their corpus: the points of one learning curve."""

import re
from collections.abc import Mapping, Sequence

import polars

from gardenpath.statistics.grouping import aggregate

MEMBER = re.compile(r"(?P<folder>.+)/\d+(?:\.\d+)?[kKmMbB]?-\d+")
"""The name of a model of a series that `gardenpath train --sizes` trained."""
COUNT = re.compile(r"[-_. ]?\d+(?:\.\d+)?[kKmMbB]?(?![A-Za-z])")
ALIKE = ("folder", "corpus", "layers", "hidden_units", "embedding", "budget")
"""What the models of one learning curve have in common beside their architecture."""


def training_series(models: polars.DataFrame) -> dict[str, str]:
    """The series of every model, by name: its architecture, and what distinguishes it from others of that architecture.

    models: model, architecture, and any of corpus, layers, hidden_units, embedding, budget. Two models are of one
    series if none of these differs; of the corpus, numbers in its name do not count. Models that were trained with
    `--sizes` are of one series only with those of the same folder.
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
    member = MEMBER.fullmatch(str(model["model"]))
    units = {"layers": "{} layers", "hidden_units": "{} units", "embedding": "embeddings of {}"}
    texts = {name: "" if model.get(name) is None else str(model[name]) for name in ALIKE}
    described = {name: units.get(name, "{}").format(text) if text else "" for name, text in texts.items()}
    corpus = COUNT.sub("", described["corpus"])
    return described | {"folder": member["folder"] if member else "", "corpus": corpus}


def with_series(scores: polars.DataFrame, models: polars.DataFrame) -> polars.DataFrame:
    """Add the column `series` to a table of scores; what it does not say of a model, a table of models may."""
    own = scores.select("model", *(name for name in ("architecture", "corpus") if name in scores.columns))
    more = models.select("model", *(name for name in ALIKE if name in models.columns and name not in own.columns))
    known = own.unique("model", keep="first", maintain_order=True).join(more, on="model", how="left")
    return scores.with_columns(polars.col("model").replace_strict(training_series(known), default="").alias("series"))


def models_without_curve(scores: polars.DataFrame) -> dict[str, list[str]]:
    """The models of a table of scores that are on no learning curve, by the reason."""
    models = aggregate(scores, ["model"], polars.col("words", "series").first())
    sizes = models.filter(polars.col("words").is_not_null()).group_by("series").agg(polars.col("words").n_unique())
    single = sizes.filter(polars.col("words") == 1)["series"].to_list()
    known = polars.col("words").is_not_null()
    found = {
        "training size unknown": models.filter(~known)["model"].to_list(),
        "one training size only": models.filter(known, polars.col("series").is_in(single))["model"].to_list(),
    }
    return {reason: names for reason, names in found.items() if names}
