"""Inputs of experiments: what a user gives by options, one file or several, and what is optional."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import gardenpath as gp
from gardenpath.commands.experiment import experiment
from gardenpath.experiments.perform import perform_step
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.step import RESULT, write_steps
from gardenpath.training.corpora.supertag_files import read_supertags
from gardenpath.training.corpora.supertag_parts import find_parts, hold_out_supertags
from small_experiments import GRID, write_experiment

OWN_TEXT = GRID.replace('"stories.txt"', '"$corpus"') + '[inputs.corpus]\nabout = "a text of stories"\n'
RESPONSES = """
[people.readers]
responses = "$responses"
format = "mturk"
[inputs.responses]
about = "what people chose"
optional = true
"""
TAGGED = """
[corpora.stories]
text = "stories.txt"
held_out = 20
[supertags.own]
train = "$supertags"
valid = "$valid-supertags"
held_out = 8
[inputs.supertags]
[inputs.valid-supertags]
optional = true
[trainings.multitask]
architectures = ["multitask"]
corpus = "stories"
supertags = "own"
"""
TAGS = [f"the|N-bN {noun}|N {verb}|V-aN .|." for noun in ("author", "pilot") for verb in ("laughs", "smiles", "waits")]


def write_tags(path: Path, lines: list[str] = TAGS) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def training_work(plan: Plan) -> dict[str, str]:
    (work,) = (step.work["fields"] for step in plan.steps.values() if step.kind == "train")
    return dict(work)


def test_several_files_make_one_corpus(tmp_path: Path) -> None:
    path = write_experiment(tmp_path, OWN_TEXT)
    other = tmp_path / "other.txt"
    other.write_text("the pilot waits .\n" * 9)
    one = gp.Experiment.read(path, inputs={"corpus": tmp_path / "stories.txt"}).plan("out")
    both = gp.Experiment.read(path, inputs={"corpus": [tmp_path / "stories.txt", str(other)]}).plan("out")
    (corpus,) = (step for step in both.steps.values() if step.kind == "corpus")
    assert corpus.work["text"] == [str(tmp_path / "stories.txt"), str(other)]
    assert not one.steps.keys() & both.steps.keys()  # everything depends on what is read


def test_an_option_is_the_same_as_the_input_of_its_name(tmp_path: Path) -> None:
    path = write_experiment(tmp_path, OWN_TEXT)
    text = str(tmp_path / "stories.txt")
    plans = [
        CliRunner().invoke(experiment, ["plan", str(path), "--json", *given]).stdout
        for given in (["--corpus", text], ["--input", f"corpus={text}"])
    ]
    assert plans[0] == plans[1]
    twice = CliRunner().invoke(experiment, ["plan", str(path), "--json", "--corpus", text, "--corpus", text]).stdout
    assert json.loads(twice)["steps"][0]["work"]["text"] == [text, text]


def test_the_plan_prints_the_option_of_what_is_missing(tmp_path: Path) -> None:
    path = write_experiment(tmp_path, OWN_TEXT + RESPONSES)
    printed = " ".join(CliRunner().invoke(experiment, ["plan", str(path)]).output.split())
    assert "needs --corpus PATH: a text of stories" in printed
    assert "may have --input responses=PATH: what people chose" in printed
    with pytest.raises(gp.InputError, match="needs a text of stories: give --corpus PATH"):
        gp.Experiment.read(path).run(tmp_path / "out")


def test_an_input_that_the_experiment_does_not_have_is_refused_with_those_it_has(tmp_path: Path) -> None:
    path = write_experiment(tmp_path, OWN_TEXT + RESPONSES)
    with pytest.raises(
        gp.InputError,
        match="--treebank PATH: grid has no input 'treebank'; its inputs are --corpus PATH, --input responses=PATH",
    ):
        gp.Experiment.read(path, inputs={"treebank": "trees.mrg"}).plan("out")
    with pytest.raises(gp.InputError, match="at the scale 'tiny' has no input 'corpus'; it has no inputs"):
        gp.Experiment.read("hu-2020", scale="tiny", inputs={"corpus": "a.txt"}).plan("out")
    with pytest.raises(gp.InputError, match=r"--corpus PATH: there is no .*tales.txt"):
        gp.Experiment.read(path, inputs={"corpus": tmp_path / "tales.txt"}).plan("out")


def test_people_who_are_optional_are_left_out(tmp_path: Path) -> None:
    text = OWN_TEXT.replace('title = "Everything"', 'people = ["readers"]') + RESPONSES
    path = write_experiment(tmp_path, text)
    responses = tmp_path / "responses.csv"
    responses.write_text("WorkerId\n")
    given = {"corpus": tmp_path / "stories.txt"}
    without = gp.Experiment.read(path, inputs=given)
    assert without.optional_inputs() == {"responses": "what people chose"}
    assert not without.missing_inputs()
    assert "people" not in without.complete_plan("out").counts()
    assert gp.Experiment.read(path, inputs={**given, "responses": responses}).plan("out").counts()["people"] == 1


def test_supertags_of_a_folder_are_found_by_their_names(tmp_path: Path) -> None:
    path = write_experiment(tmp_path, TAGGED)
    folder = tmp_path / "tags"
    for name in ("gcg_train.txt", "gcg_dev.txt", "gcg_test.txt"):
        write_tags(folder / name)
    work = training_work(gp.Experiment.read(path, inputs={"supertags": folder}).plan("out"))
    keys = ("supertags", "valid_supertags", "test_supertags")
    assert [Path(work[key]).name for key in keys] == ["gcg_train.txt", "gcg_dev.txt", "gcg_test.txt"]
    write_tags(folder / "other_train.txt")
    with pytest.raises(gp.InputError, match=r"2 files .* have train in them \(gcg_train.txt, other_train.txt\)"):
        find_parts(folder)


def test_supertags_of_one_file_are_held_out_by_a_step(tmp_path: Path) -> None:
    path, tags = write_experiment(tmp_path, TAGGED), write_tags(tmp_path / "all.tags")
    plan = gp.Experiment.read(path, inputs={"supertags": tags}).plan(tmp_path / "out")
    (split,) = (step for step in plan.steps.values() if "supertags" in step.work)
    work = training_work(plan)
    assert work["supertags"] == f"step:{split.name}/result/train.tags"
    list(write_steps(plan.root, [split]))
    perform_step(plan.root / split.name, on_wait=lambda: None, say=lambda line: None)
    result = plan.root / split.name / RESULT
    train, valid = (sorted((result / name).read_text().splitlines()) for name in ("train.tags", "valid.tags"))
    assert sorted(train + valid) == sorted(TAGS)
    assert len(valid) == 2  # of four words each: eight are held out
    named = gp.Experiment.read(path, inputs={"supertags": tags, "valid-supertags": tags}).plan("out")
    assert training_work(named)["valid_supertags"] == str(tags)


def test_held_out_supertags_are_drawn_by_their_seed(tmp_path: Path) -> None:
    tags = write_tags(tmp_path / "all.tags", [*TAGS, "-PIPE-|N waits|V-aN"])
    files = [hold_out_supertags(tags, tmp_path / name, held_out=8) for name in ("a", "b")]
    assert files[0]["valid"].read_bytes() == files[1]["valid"].read_bytes()
    both = [sentence for path in files[0].values() for sentence in read_supertags(path)]
    assert sorted(both, key=str) == sorted(read_supertags(tags), key=str)
    with pytest.raises(gp.InputError, match="all 7 sentences are held out"):
        hold_out_supertags(tags, tmp_path / "c", held_out=26)
