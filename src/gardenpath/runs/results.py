"""Folders of runs, read back: what all statistics, figures and the report are made from."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gardenpath.errors import InputError
from gardenpath.runs.same_suites import refuse_other_suites
from gardenpath.statistics.grouping import counted

if TYPE_CHECKING:
    import polars

MODEL_FACTS = ("architecture", "corpus", "words", "seed", "perplexity")
"""What is known of how a model was trained; null where it is not."""

USUAL = {"normalisation": "none", "unigrams": "", "unknown": "keep"}
"""What is made of prices where a run does not say it."""


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

    @property
    def counted(self) -> "polars.DataFrame":
        """The outcomes without those that their run left out."""
        return counted(self.outcomes)


def read_results(folders: Sequence[Path]) -> Results:
    """The results of some runs; the same model and suite in two of them is taken from the last."""
    import polars

    if not folders:
        raise InputError("no run to read; name at least one folder that `gardenpath run` wrote")
    manifests = tuple(read_manifest(folder) for folder in folders)
    scans = [with_strings(scan_parquet(folder / "tokens.parquet")) for folder in folders]
    refuse_other_suites(folders, manifests, scans)
    names = distinct_names(folders, manifests)
    models = polars.concat([model_table(manifest, names, place) for place, manifest in enumerate(manifests)]).unique(
        "model", keep="last", maintain_order=True
    )
    suites = polars.concat([suite_table(manifest) for manifest in manifests]).unique(
        ["suite", "prediction"], keep="last", maintain_order=True
    )
    outcomes = polars.concat(
        [
            renamed(with_strings(read_parquet(folder / "outcomes.parquet").lazy()), names, place)
            .join(later(manifests, names, place), on=["model", "suite"], how="anti", maintain_order="left")
            .with_columns((~polars.col("known") & leaves_out(manifests[place])).alias("left_out"))
            for place, folder in enumerate(folders)
        ]
    ).collect()
    outcomes = outcomes.join(suites, on=["suite", "prediction"], how="left", maintain_order="left").join(
        models.drop("fingerprint"), on="model", how="left", maintain_order="left"
    )
    tokens = polars.concat(
        [
            renamed(scan, names, place).join(
                later(manifests, names, place), on=["model", "suite"], how="anti", maintain_order="left"
            )
            for place, scan in enumerate(scans)
        ]
    )
    return Results(tuple(folders), outcomes, tokens, models, suites, manifests)


def read_manifest(folder: Path) -> dict[str, Any]:
    """What manifest.json of a run says."""
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        _ = [card["name"] for card in manifest["models"]], [suite["chance"] for suite in manifest["suites"]]
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(
            f"{folder} has no manifest.json; name a folder that `gardenpath run` wrote, or repeat a run that was "
            "stopped: its scores are remembered"
        ) from error
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
        raise InputError(cannot_read(path, error)) from error


def scan_parquet(path: Path) -> "polars.LazyFrame":
    """A table of a run that is read when asked for; whether it can be is seen at once."""
    import polars
    from polars.exceptions import PolarsError

    try:
        table = polars.scan_parquet(path)
        table.collect_schema()
    except (OSError, PolarsError) as error:
        raise InputError(cannot_read(path, error)) from error
    return table


def cannot_read(path: Path, error: Exception) -> str:
    """What to say of a table that is missing or damaged."""
    return f"{path} cannot be read ({str(error).splitlines()[0]}); repeat the run: its scores are remembered"


def leaves_out(manifest: dict[str, Any]) -> bool:
    """Whether a run leaves items with unknown words out of its accuracies."""
    return bool(manifest.get("options", {}).get("unknown") == "leave-out")


def distinct_names(folders: Sequence[Path], manifests: Sequence[dict[str, Any]]) -> dict[tuple[int, str], str]:
    """Under which name a model of a folder appears: its own, unless others of that name have other weights or options.

    Then the folder is added: of those that hold the very same, the first.
    """
    first: dict[str, dict[str, str]] = {}
    for label, manifest in zip(folder_labels(folders), manifests, strict=True):
        for card in manifest["models"]:
            first.setdefault(card["name"], {}).setdefault(identity(manifest, card), label)
    return {
        (place, card["name"]): card["name"]
        if len(first[card["name"]]) == 1
        else f"{card['name']} ({first[card['name']][identity(manifest, card)]})"
        for place, manifest in enumerate(manifests)
        for card in manifest["models"]
    }


def identity(manifest: dict[str, Any], card: dict[str, Any]) -> str:
    """What makes the numbers of a model its own: its weights, how it was read, what was made of its prices."""
    options = manifest.get("options", {})
    scoring = options.get("score", {})
    read = [card.get("decisions"), scoring.get("end", False), scoring.get("word_boundary", "none")]
    made = [options.get(name) or usual for name, usual in USUAL.items()]
    return json.dumps([card["fingerprint"], read, made])


def folder_labels(folders: Sequence[Path]) -> list[str]:
    """The ends of some paths, with as many of their parts as tell all of them apart."""
    paths = [folder.resolve() for folder in folders]
    longest = max(len(path.parts) for path in paths)
    for parts in range(1, longest + 1):
        labels = ["/".join(path.parts[-parts:]) for path in paths]
        if len(set(labels)) == len(set(paths)):
            break
    return labels


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
    """A table of one folder with its models under their distinct names."""
    import polars

    changes = {own: name for (folder, own), name in names.items() if folder == place}
    return table.with_columns(polars.col("model").replace(changes))


def with_strings(table: "polars.LazyFrame") -> "polars.LazyFrame":
    """A table with its names as plain strings."""
    import polars

    return table.with_columns(polars.col(polars.Categorical).cast(polars.String))


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
