"""The manifest of a run: where every number comes from. The same run writes the same manifest."""

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from importlib import metadata
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from gardenpath.errors import InputError
from gardenpath.evaluation.chance import chance_of
from gardenpath.io.digest import digest_file
from gardenpath.io.folder_update import finish_update
from gardenpath.io.json_text import to_json
from gardenpath.io.sealed_json import DamagedError, parse_object, read_sealed
from gardenpath.models.protocol import GPT2, WORD_LEVEL_GPT2, ModelCard
from gardenpath.runs.numbered_regions import name_regions, numbered_regions
from gardenpath.runs.shard import SHARD_FILE
from gardenpath.runs.spec import RunSpec
from gardenpath.suites.suite import Suite

FORMAT = 3
"""Raise this when a manifest of today cannot be read by the gardenpath of yesterday; folders without a number are 1.
Since 3 it has a digest of itself and of the other files of the run."""
MANIFEST_FILE = "manifest.json"
REPEAT = "repeat the run: its scores are remembered"
LIBRARIES = ("gardenpath", "numpy", "torch", "transformers", "tokenizers", "kenlm")


class ManifestPart(BaseModel):
    """A part of a manifest; what other versions of gardenpath add is kept."""

    model_config = ConfigDict(frozen=True, extra="allow", use_attribute_docstrings=True)

    def record(self) -> dict[str, Any]:
        """Return the part as JSON has it, with nothing that was not recorded."""
        return self.model_dump(mode="json", exclude_unset=True)


class TrainingRecord(ManifestPart):
    """How a model was trained, as far as it is known."""

    architecture: str | None = None
    corpus: str | None = None
    words: int | None = None
    seed: int | None = None
    perplexity: float | None = None
    layers: int | None = None
    hidden_units: int | None = None
    embedding: int | None = None
    vocabulary: int | None = None
    parameters: int | None = None
    budget: str | None = None
    step: int | None = None
    tokens_read: int | None = None
    words_read: int | None = None


class ModelRecord(ManifestPart):
    """A model of a run: its card."""

    name: str
    fingerprint: str
    bos: str | None = None
    end: int | None = None
    window: int | None = None
    noise: float | None = None
    bytes_per_state: int | None = None
    prices_boundaries: bool = False
    decisions: Mapping[str, str] = {}
    training: TrainingRecord | None = None
    threads: tuple[int, ...] = ()
    """On how many threads its scores were computed: the last digits of bits depend on it."""

    @model_validator(mode="before")
    @classmethod
    def name_word_level(cls, record: Any) -> Any:
        """Name the architecture of a GPT-2 that reads words, which runs first recorded among the decisions only."""
        if not isinstance(record, dict) or not isinstance(training := record.get("training"), dict):
            return record
        reads_words = str((record.get("decisions") or {}).get("architecture")).endswith(" words")
        if training.get("architecture") != GPT2 or not reads_words:
            return record
        return {**record, "training": {**training, "architecture": WORD_LEVEL_GPT2}}

    @property
    def first_symbol(self) -> str | None:
        """The symbol read before every sentence, or `none`; None where it was not recorded."""
        return self.bos or ("none" if "bos" in self.model_fields_set else None)


class SuiteRecord(ManifestPart):
    """A suite of a run."""

    name: str
    hash: str = ""
    items: int = 0
    phenomenon: str = ""
    circuit: str = ""
    source: str = ""
    metadata: Mapping[str, str] = {}
    conditions: tuple[str, ...] = ()
    condition_levels: Mapping[str, Mapping[str, str]] = {}
    """The level of each factor of the conditions, by condition; empty in older runs."""
    item_levels: Mapping[str, Mapping[str, str]] = {}
    """The level of each factor of the items, by item, of a suite without predictions; others have them in outcomes."""
    predictions: Mapping[str, str]
    """Formulas by name."""
    numbered_regions: Mapping[str, str] = {}
    """The names of regions that formulas give by number, where some regions are empty; empty in older runs."""
    chance: Mapping[str, float | None]
    """By prediction; None where it is not known."""

    @property
    def named_formulas(self) -> dict[str, str]:
        """The formulas by name, in which regions that have no tokens do not shift the numbers of others."""
        return name_regions(self.predictions, self.numbered_regions)


class Manifest(ManifestPart):
    """What manifest.json of a run records."""

    format: int = 1
    models: tuple[ModelRecord, ...]
    suites: tuple[SuiteRecord, ...]
    options: Mapping[str, Any] = {}
    """The specification as manifests of format 1 have it."""
    spec: Mapping[str, Any] = {}
    """The specification, without fields that do not change results."""
    versions: Mapping[str, str] = {}
    results: tuple[Mapping[str, Any], ...] = ()
    """The rows of the table of results."""

    def run_spec(self) -> RunSpec:
        """Return the specification of the run, whatever the format of the manifest.

        Before models recorded what counts as a word, `whole-word` masked all tokens between two spaces; no masking of
        today does, so that such a run, repeated, masks the words of the tokenizer instead.
        """
        fields = dict(self.spec or fields_of_options(self))
        # While words ended at spaces only, `within-word` was the name of what is `spaces` now.
        masked = [model.decisions for model in self.models if model.decisions.get("masking") == "within-word"]
        if any("words" not in decisions for decisions in masked):
            fields["masking"] = "spaces"
        # The values that a protocol had then are recorded beside it; some count an end that only some models score.
        kept: dict[str, Any] = {name: fields.pop(name) for name in ("protocol", "end_region") if name in fields}
        return RunSpec.from_fields(fields).model_copy(update=kept)


def build_manifest(cards: Sequence[ModelCard], suites: Sequence[Suite], spec: RunSpec) -> Manifest:
    """Record a run: models, suites, specification, versions; results are added when they are known."""
    record = {
        "format": FORMAT,
        "models": [card.record() for card in cards],
        "suites": [describe_suite(suite) for suite in suites],
        "options": options_of(spec),
        "spec": spec.counted_fields(),
        "versions": versions(),
        "results": [],
    }
    return Manifest.model_validate(json.loads(to_json(record)))


def describe_suite(suite: Suite) -> dict[str, Any]:
    """Describe a suite as the manifest records it."""
    levels = {condition.name: dict(condition.levels) for condition in suite.conditions if condition.levels}
    numbered = numbered_regions(suite)
    of_items = {item.id: dict(item.levels) for item in suite.items if item.levels and not suite.predictions}
    return {
        "name": suite.name,
        "hash": suite.hash(),
        "items": len(suite.items),
        "phenomenon": suite.phenomenon,
        "circuit": suite.circuit,
        "source": suite.source,
        "metadata": dict(suite.metadata),
        "conditions": [condition.name for condition in suite.conditions],
        **({"condition_levels": levels} if levels else {}),
        **({"item_levels": of_items} if of_items else {}),
        "predictions": {prediction.name: prediction.formula.text for prediction in suite.predictions},
        **({"numbered_regions": numbered} if numbered else {}),
        "chance": {prediction.name: chance_of(prediction) for prediction in suite.predictions},
    }


def options_of(spec: RunSpec) -> dict[str, Any]:
    """Return the specification under the names that manifests of format 1 have."""
    same = ("unknown", "join", "columns", "sample", "seed", "bos", "masking", "beam", "models", "suites")
    score = asdict(spec.scoring)
    del score["details"]
    return {
        "score": score,
        "normalisation": spec.normalise,
        "unigrams": str(spec.unigrams or ""),
        **{name: getattr(spec, name) for name in same},
    }


def fields_of_options(manifest: Manifest) -> dict[str, Any]:
    """Return the fields of the specification that `options_of` recorded, as far as it did then."""
    options = dict(manifest.options)
    score = options.pop("score", {})
    fields = {name: value for name, value in options.items() if name in RunSpec.model_fields}
    fields |= {name: score[name] for name in ("end", "word_boundary") if name in score}
    fields |= {"memory": score["memory"] >> 20} if score.get("memory", 0) >> 20 else {}
    fields |= {"normalise": options["normalisation"]} if "normalisation" in options else {}
    fields["unigrams"] = options.get("unigrams") or None
    fields.setdefault("models", [model.name for model in manifest.models])
    fields.setdefault("suites", [suite.name for suite in manifest.suites])
    return fields


def versions() -> dict[str, str]:
    """List the versions of Python and of the libraries that affect numbers."""
    found = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            found[library] = "not installed"
    return found


def read_manifest(folder: Path, *, verify_tables: bool = True) -> Manifest:
    """Read manifest.json of a run; a folder of a newer format is refused, and files that are not those of the run.

    Without `verify_tables`, the tables of the run are not read: for those who need the manifest alone.
    """
    finish_update(folder)
    path = folder / MANIFEST_FILE
    try:
        refuse_newer(folder, parse_object(path.read_bytes()))
        record = read_sealed(path, REPEAT, since=FORMAT)
        files = record.pop("files", {})
        if not isinstance(files, dict):
            raise DamagedError("its list of files is none")
        manifest = Manifest.model_validate(record)
    except (FileNotFoundError, NotADirectoryError) as error:
        if (folder / SHARD_FILE).exists():
            raise InputError(
                f"{folder} holds a shard of a run; make the run of all shards first: gardenpath join DIR... --out RUN"
            ) from error
        missing = f"{folder} has no {MANIFEST_FILE}" if folder.exists() else describe_missing(folder)
        raise InputError(
            f"{missing}; name a folder that `gardenpath run` wrote, or repeat a run that was stopped: its scores are "
            "remembered"
        ) from error
    except InputError:
        raise
    except (OSError, ValueError, TypeError) as error:
        cause = str(error).splitlines()[0]
        raise InputError(f"{path} is damaged or of an older gardenpath ({cause}); {REPEAT}") from error
    for name, digest in files.items() if verify_tables else ():
        if digest_file(folder / name) != digest:
            raise InputError(f"{folder / name} is damaged, or not that of the run in {MANIFEST_FILE}; {REPEAT}")
    return manifest


def describe_missing(folder: Path) -> str:
    """Return that there is no such folder, and the run beside it whose name is nearest, if one is near."""
    try:
        runs = [path.name for path in folder.parent.iterdir() if (path / MANIFEST_FILE).exists()]
    except OSError:
        return f"there is no folder {str(folder)!r}, nor {str(folder.parent)!r}"
    near = get_close_matches(folder.name, runs, n=1)
    hint = f" (did you mean {str(folder.parent / near[0])!r}?)" if near else ""
    return f"there is no folder {str(folder)!r}{hint}"


def refuse_newer(folder: Path, record: Mapping[str, Any]) -> None:
    """Refuse a manifest of a newer format, with the version to install."""
    found, written_by = record.get("format"), record.get("versions")
    if isinstance(found, int) and found > FORMAT:
        writer = written_by.get("gardenpath") if isinstance(written_by, dict) else "a newer version"
        raise InputError(
            f"{folder} was written by gardenpath {writer} in format {found}; this gardenpath "
            f"({versions()['gardenpath']}) reads formats up to {FORMAT}: install gardenpath {writer} or newer"
        )
