"""The specification of a run: one declaration for keyword arguments, files, the command line and the manifest."""

import json
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
from typer.testing import CliRunner

import gardenpath as gp
from gardenpath.commands.app import app
from gardenpath.errors import InputError
from gardenpath.runs import spec
from gardenpath.runs.events import (
    LoadingModel,
    ModelFinished,
    PartAdvanced,
    ReadingSuites,
    RunEvent,
    ScoringAdvanced,
    ScoringStarted,
)
from gardenpath.runs.manifest import FORMAT, Manifest
from gardenpath.runs.spec import RunFields, RunSpec
from gardenpath.suites import suite
from small_bigram import Bigram
from small_runs import SmallSuite, pairs, write_run

OBJECTS = {"ModelChoice": str, "SuiteChoice": str}
"""The types of models and suites, which may be objects as well as names."""


def types_of(annotation: Any) -> set[Any]:
    """The members of a union, without bounds and flags."""
    if get_origin(annotation) is Annotated:
        return types_of(get_args(annotation)[0])
    members = get_args(annotation)
    return set().union(*map(types_of, members)) if NoneType in members or Path in members else {annotation}


def test_keyword_arguments_are_the_fields() -> None:
    arguments = get_type_hints(RunFields, localns=OBJECTS)
    assert arguments.keys() == RunSpec.model_fields.keys()
    for name in arguments.keys() - {"models", "suites", "columns", "predictions", "bos", "prefix"}:
        declared = types_of(RunSpec.model_fields[name].annotation)
        assert types_of(arguments[name]) == (declared | {str} if Path in declared else declared), name


def test_choices_are_those_of_the_functions_that_make_them() -> None:
    assert spec.Join == suite.Join


def test_the_command_line_writes_and_reads_specifications(tmp_path: Path) -> None:
    printed = CliRunner().invoke(app, ["run", "-m", "a", "-m", "b", "--sample", "3", "--end", "--print-spec"])
    assert printed.exit_code == 0
    path = tmp_path / "run.toml"
    path.write_text(printed.output, encoding="utf-8")
    assert RunSpec.from_toml(path, {}) == RunSpec(models=("a", "b"), sample=3, end=True)
    again = CliRunner().invoke(app, ["run", "--spec", str(path), "--no-end", "--print-spec"])
    assert "\nend = false\n" in again.output
    assert 'models = ["a", "b"]' in again.output


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"sample": 0}, "sample is 0; it must be at least 1"),
        ({"beam": "wide"}, "beam 'wide' is not valid"),
        ({"join": "glue"}, "join is 'glue'; it must be 'natural' or 'space'"),
        ({"normalise": "slor"}, "name a text to count them in with --unigrams"),
        ({"memory": 0}, "memory is 0; it must be at least 1"),
    ],
)
def test_invalid_fields_are_explained(fields: dict[str, Any], message: str) -> None:
    for build in (RunSpec.from_fields, lambda given: RunSpec(**given)):
        with pytest.raises(InputError) as error:
            build(fields)
        assert message in str(error.value)


def test_names_and_paths_are_one_or_several() -> None:
    assert RunSpec.from_fields({"models": "smollm2", "suites": Path("my.csv")}).suites == ("my.csv",)
    assert RunSpec.from_fields({"models": [Path("a"), "b"]}).models == ("a", "b")


def test_the_manifest_records_the_specification(tmp_path: Path) -> None:
    run = gp.run(models=[Bigram()], suites="agreement", sample=2, end=False, out=tmp_path / "r", store=tmp_path / "s")
    record = json.loads((tmp_path / "r" / "manifest.json").read_text(encoding="utf-8"))
    assert record["format"] == FORMAT
    assert record["spec"]["sample"] == record["options"]["sample"] == 2
    assert not {"out", "store"} & set(record["spec"])
    scoring = {"end": False, "first": "missing", "word_boundary": "none", "memory": 256 << 20, "texts_per_batch": 64}
    assert record["options"]["score"] == scoring
    assert run.spec == RunSpec(models=("bigram",), suites=("agreement",), sample=2, end=False)
    assert run.folder == tmp_path / "r"


def test_the_options_of_an_older_manifest_are_a_specification(tmp_path: Path) -> None:
    run = gp.run(models=[Bigram()], suites="agreement", sample=2, word_boundary="none", memory=8)
    record = run.manifest.record()
    del record["spec"], record["format"]
    older = Manifest.model_validate(record)
    assert older.run_spec() == run.spec
    assert older.format == 1
    by_hand = gp.read_run(write_run(tmp_path / "a", [SmallSuite("s", pairs([1.0]))]))
    assert by_hand.spec == RunSpec(models=("small",), suites=("s",))


def test_a_newer_folder_is_refused_by_version(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", [SmallSuite("s", pairs([1.0]))])
    record = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    newer = record | {"format": FORMAT + 1, "versions": {"gardenpath": "9.1"}}
    (folder / "manifest.json").write_text(json.dumps(newer), encoding="utf-8")
    with pytest.raises(InputError, match=rf"gardenpath 9\.1 in format {FORMAT + 1}; .* install gardenpath 9\.1"):
        gp.read_run(folder)


def test_events_tell_how_far_a_run_is(tmp_path: Path) -> None:
    events: list[RunEvent] = []
    gp.run(models=[Bigram()], suites="agreement", on_event=events.append)
    kinds = list(dict.fromkeys(map(type, events)))
    assert kinds == [ReadingSuites, ScoringStarted, PartAdvanced, ScoringAdvanced, ModelFinished]
    (started,) = [event for event in events if isinstance(event, ScoringStarted)]
    assert started.work == sum(event.work for event in events if isinstance(event, ScoringAdvanced))
    assert events[-1] == ModelFinished("bigram", started.texts, started.texts)
    loaded: list[RunEvent] = []
    arpa = Path(__file__).parent.parent / "data" / "kneser_ney.arpa"
    gp.score(f"ngram:{arpa}", "a b", on_event=loaded.append)
    assert loaded[0] == LoadingModel(f"ngram:{arpa}")
