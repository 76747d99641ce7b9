"""Experiment files: what is wrong in them is reported with file, line and the nearest name."""

from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.experiments.axes import combine_axes
from gardenpath.experiments.file import shipped_names
from small_experiments import GRID, write_experiment

FAULTS = {
    "table": ("[suites.number]", "[suite.number]", "unknown table or field 'suite'. Did you mean 'suites'?"),
    "field": ("seeds = [1, 2]", "seed = [1, 2]", "[trainings.ngram] has an unknown field 'seed'"),
    "corpus": ('corpus = "stories"', 'corpus = "storys"', "there is no [corpora.storys]. Did you mean 'stories'?"),
    "run": ('title = "Everything"', 'runs = ["al"]', "there is no [runs.al]. Did you mean 'all'?"),
    "architecture": ('["ngram"]', '["lstn"]', "[trainings.ngram]: an entry of architectures"),
    "option": ("{ order = 2,", "{ ordr = 2,", "unknown field 'ordr'. Did you mean 'order'?"),
    "range": ("{ order = 2,", "{ order = 0,", "order is 0; it must be at least 1"),
    "option of a run": ("sample = 4", "sampel = 4", "unknown field 'sampel'. Did you mean 'sample'?"),
    "option of no run": ("sample = 4", "xyz = 4", "unknown field 'xyz'; the fields are sample, by, seed, lexicon"),
    "option of the plan": ("sample = 4", 'out = "runs"', "sets 'out', which the experiment sets itself"),
    "file": ('"stories.txt"', '"tales.txt"', "there is no"),
    "input": ('"stories.txt"', '"$text"', "$text is not an input; [inputs] has none"),
}
"""What is written, what instead, and the message, which must name that line."""
FAULTS_OF_ENTRIES = {
    "two sources": ('text = "stories.txt"', 'text = "stories.txt"\ntreebank = "a.mrg"', "a corpus has one source"),
    "no validation": ("held_out = 20", "", "a training needs a validation set"),
    "size": ("seeds = [1, 2]", "sizes = [60]", "sizes has 60, but the corpus 'stories' has 40, 80"),
    "trees of a text": ('["ngram"]', '["rnng"]', "learns from trees, on the corpus 'stories', which is a text"),
    "no supertags": ('["ngram"]', '["multitask"]', "trains multitask, but names no `supertags`"),
    "zip of no axis": ("seeds = [1, 2]", 'zip = [["sizes", "wieght"]]', "zip has 'wieght', which is not an axis"),
    "unequal axes": ("seeds = [1, 2]", 'seeds = [1, 2, 3]\nzip = [["sizes", "seeds"]]', "sizes has 2, seeds has 3"),
}
"""Faults that are not one line's."""


def message_about(text: str, folder: Path) -> str:
    """The message that an experiment file ends in."""
    path = write_experiment(folder, text)
    with pytest.raises(gp.InputError) as raised:
        gp.Experiment.read(path).plan(folder / "out")
    assert str(raised.value).startswith(f"{path}, line ")
    return str(raised.value)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_reported_where_it_is(fault: str, tmp_path: Path) -> None:
    old, new, message = FAULTS[fault]
    lines = GRID.split("\n")
    line = next(number for number, text in enumerate(lines, 1) if old in text)
    found = message_about(GRID.replace(old, new, 1), tmp_path)
    assert message in found
    assert f", line {line}: " in found


@pytest.mark.parametrize("fault", FAULTS_OF_ENTRIES)
def test_a_fault_of_an_entry_names_it(fault: str, tmp_path: Path) -> None:
    old, new, message = FAULTS_OF_ENTRIES[fault]
    found = message_about(GRID.replace(old, new, 1), tmp_path)
    assert message in found
    assert "[corpora.stories]" in found or "[trainings.ngram]" in found


def test_entries_that_depend_on_each_other_are_refused(tmp_path: Path) -> None:
    text = GRID.replace('text = "stories.txt"', 'generate = ["number"]\nwords = 1000')
    text = text.replace('suites = ["agreement"]', 'suites = ["agreement"]\nvocabulary = "stories"')
    with pytest.raises(gp.InputError, match=r"depends on itself: .*corpora.stories.*suites.number"):
        gp.Experiment.read(write_experiment(tmp_path, text))


def test_a_name_that_is_near_a_shipped_one(tmp_path: Path) -> None:
    assert "hu-2020" in shipped_names()
    with pytest.raises(gp.InputError, match="Did you mean 'hu-2020'"):
        gp.Experiment.read("hu-202")
    with pytest.raises(gp.InputError, match="there is no experiment file"):
        gp.Experiment.read(tmp_path / "none.toml")
    with pytest.raises(gp.InputError, match=r"no scale 'tinny'. Did you mean 'tiny'\?"):
        gp.Experiment.read("hu-2020", scale="tinny")


def test_a_scale_replaces_entries_and_leaves_others_out(tmp_path: Path) -> None:
    scaled = (
        GRID
        + """
[models.large]
models = "smollm2"
[scales.tiny]
leave_out = ["models.large"]
[scales.tiny.trainings.ngram]
architectures = ["ngram"]
corpus = "stories"
sizes = [40]
"""
    )
    path = write_experiment(tmp_path, scaled)
    assert gp.Experiment.read(path).plan("out").counts()["train"] == 4
    tiny = gp.Experiment.read(path, scale="tiny")
    assert tiny.name == "grid, tiny"
    assert not tiny.spec.models
    assert tiny.plan("out").counts()["train"] == 1
    path.write_text(scaled.replace("sizes = [40]\n", "sizes = [41]\n"))
    with pytest.raises(gp.InputError, match=r"line 28: \[trainings.ngram\] sizes has 41"):
        gp.Experiment.read(path, scale="tiny").plan("out")
    path.write_text(scaled.replace('"models.large"', '"models.larg"'))
    with pytest.raises(gp.InputError, match=r"line 27: leave_out names 'models.larg'"):
        gp.Experiment.read(path, scale="tiny")


def test_inputs_are_planned_for_before_they_are_given(tmp_path: Path) -> None:
    text = GRID.replace('"stories.txt"', '"$text"') + '[inputs.text]\nabout = "a text of stories"\n'
    path = write_experiment(tmp_path, text)
    without = gp.Experiment.read(path)
    assert without.missing_inputs() == {"text": "a text of stories"}
    with pytest.raises(gp.InputError, match="needs a text of stories: give --input text=PATH"):
        without.run(tmp_path / "out")
    given = gp.Experiment.read(path, inputs={"text": tmp_path / "stories.txt"})
    assert not given.missing_inputs()
    assert given.plan("out").counts() == without.plan("out").counts()
    with pytest.raises(gp.InputError, match="grid has no input 'txt'; its inputs are --input text=PATH"):
        gp.Experiment.read(path, inputs={"txt": "x"}).plan("out")


def test_axes_are_crossed_or_vary_together() -> None:
    axes = {"a": [1, 2], "b": [3, 4], "c": [5, 6]}
    assert len(list(combine_axes(axes, []))) == 8
    zipped = list(combine_axes(axes, [["a", "c"]]))
    assert zipped == [
        {"a": 1, "b": 3, "c": 5}, {"a": 1, "b": 4, "c": 5}, {"a": 2, "b": 3, "c": 6}, {"a": 2, "b": 4, "c": 6},
    ]  # fmt: skip
