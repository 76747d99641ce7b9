"""Folders of runs, read back: what all statistics, figures and the report are made from."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gardenpath.errors import InputError

if TYPE_CHECKING:
    import polars

MODEL_FACTS = ("architecture", "corpus", "words", "seed", "perplexity")
"""What is known of how a model was trained; null where it is not."""


@dataclass(frozen=True, slots=True)
class Results:
    """What some runs found, put together."""

    folders: tuple[Path, ...]
    outcomes: "polars.DataFrame"
    """A row per model, suite, prediction and item, with what is known of the model and the suite."""
    tokens: "polars.LazyFrame"
    """A row per token of every sentence of every model, read from disk when asked for."""
    models: "polars.DataFrame"
    """A row per model: name, fingerprint, how it was trained."""
    suites: "polars.DataFrame"
    """A row per suite and prediction: phenomenon, circuit, formula, chance, number of items."""
    manifests: tuple[dict[str, Any], ...]
    """How the numbers came about, one for every folder."""


def read_results(folders: Sequence[Path]) -> Results:
    """The results of some runs; the same model and suite in two of them is taken from the last."""
    import polars

    if not folders:
        raise InputError("no run to read; name at least one folder that `gardenpath run` wrote")
    manifests = tuple(read_manifest(folder) for folder in folders)
    names = distinct_names(folders, manifests)
    models = polars.concat([model_table(manifest, names, place) for place, manifest in enumerate(manifests)]).unique(
        "model", keep="last", maintain_order=True
    )
    suites = polars.concat([suite_table(manifest) for manifest in manifests]).unique(
        ["suite", "prediction"], keep="last", maintain_order=True
    )
    outcomes = polars.concat(
        [
            renamed(read_parquet(folder / "outcomes.parquet").lazy(), names, place).join(
                later(manifests, names, place), on=["model", "suite"], how="anti", maintain_order="left"
            )
            for place, folder in enumerate(folders)
        ]
    ).collect()
    outcomes = outcomes.join(suites, on=["suite", "prediction"], how="left", maintain_order="left").join(
        models.drop("fingerprint"), on="model", how="left", maintain_order="left"
    )
    tokens = polars.concat(
        [
            renamed(polars.scan_parquet(folder / "tokens.parquet"), names, place).join(
                later(manifests, names, place), on=["model", "suite"], how="anti", maintain_order="left"
            )
            for place, folder in enumerate(folders)
        ]
    )
    return Results(tuple(folders), outcomes, tokens, models, suites, manifests)


def read_manifest(folder: Path) -> dict[str, Any]:
    """What manifest.json of a run says."""
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        _ = [card["name"] for card in manifest["models"]], [suite["chance"] for suite in manifest["suites"]]
    except FileNotFoundError as error:
        raise InputError(f"{folder} has no manifest.json; name a folder that `gardenpath run` wrote") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} is damaged or of an older gardenpath ({error!r}); repeat the run: its scores are remembered"
        ) from error
    return dict(manifest)


def read_parquet(path: Path) -> "polars.DataFrame":
    """A table of a run."""
    import polars
    from polars.exceptions import PolarsError

    try:
        return polars.read_parquet(path)
    except (OSError, PolarsError) as error:
        raise InputError(
            f"{path} cannot be read ({str(error).splitlines()[0]}); repeat the run: its scores are remembered"
        ) from error


def distinct_names(folders: Sequence[Path], manifests: Sequence[dict[str, Any]]) -> dict[tuple[int, str], str]:
    """Under which name a model of a folder appears: its own, unless others of that name have other weights."""
    fingerprints: dict[str, list[str]] = {}
    for manifest in manifests:
        for card in manifest["models"]:
            known = fingerprints.setdefault(card["name"], [])
            if card["fingerprint"] not in known:
                known.append(card["fingerprint"])
    return {
        (place, card["name"]): card["name"]
        if len(fingerprints[card["name"]]) == 1
        else f"{card['name']} ({folders[place].name})"
        for place, manifest in enumerate(manifests)
        for card in manifest["models"]
    }


def later(manifests: Sequence[dict[str, Any]], names: dict[tuple[int, str], str], place: int) -> "polars.LazyFrame":
    """The models and suites of the folders after one."""
    import polars

    rows = [
        (names[after, card["name"]], suite["name"])
        for after, manifest in enumerate(manifests)
        if after > place
        for card in manifest["models"]
        for suite in manifest["suites"]
    ]
    return polars.LazyFrame(rows, schema={"model": polars.String, "suite": polars.String}, orient="row")


def renamed(table: "polars.LazyFrame", names: dict[tuple[int, str], str], place: int) -> "polars.LazyFrame":
    """A table of one folder with its models under their distinct names, and names as plain strings."""
    import polars

    changes = {own: name for (folder, own), name in names.items() if folder == place}
    strings = polars.col(polars.Categorical).cast(polars.String)
    return table.with_columns(strings).with_columns(polars.col("model").replace(changes))


def model_table(manifest: dict[str, Any], names: dict[tuple[int, str], str], place: int) -> "polars.DataFrame":
    """The models of one run."""
    import polars

    rows = []
    for card in manifest["models"]:
        facts = card.get("training") or {}
        rows.append(
            {"model": names[place, card["name"]], "fingerprint": card["fingerprint"]}
            | {fact: facts.get(fact) for fact in MODEL_FACTS}
        )
    schema = {
        "model": polars.String, "fingerprint": polars.String, "architecture": polars.String, "corpus": polars.String,
        "words": polars.Int64, "seed": polars.Int64, "perplexity": polars.Float64,
    }  # fmt: skip
    return polars.DataFrame(rows, schema=schema)


def suite_table(manifest: dict[str, Any]) -> "polars.DataFrame":
    """The suites of one run, a row per prediction."""
    import polars

    rows = [
        {
            "suite": suite["name"],
            "prediction": prediction,
            "phenomenon": suite["phenomenon"],
            "circuit": suite["circuit"],
            "formula": formula,
            "chance": suite["chance"][prediction],
        }
        for suite in manifest["suites"]
        for prediction, formula in suite["predictions"].items()
    ]
    schema = {
        "suite": polars.String, "prediction": polars.String, "phenomenon": polars.String, "circuit": polars.String,
        "formula": polars.String, "chance": polars.Float64,
    }  # fmt: skip
    return polars.DataFrame(rows, schema=schema)
