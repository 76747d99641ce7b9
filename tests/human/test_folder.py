"""The folder of a study: written, read back, edited, replaced; models can be run on its suites."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import gardenpath as gp
from gardenpath.errors import InputError, InputWarning
from gardenpath.human.folder import MATERIALS_FILE, read_study, rebuild_study, start_study, write_study
from gardenpath.human.spec import Exclusions
from gardenpath.human.spec_file import read_spec
from gardenpath.human.study import Study
from gardenpath.suites.load import load_suites
from small_bigram import Bigram


def make_study(**fields: Any) -> Study:
    """A study of three suites of different formats."""
    materials = [
        {"suites": ["agreement", "marvin-linzen/prep_anim"], "items": 4},
        {"suites": ["blimp/passive_1"], "items": 2, "role": "filler"},
        {"suites": ["blimp/passive_2"], "items": 2, "role": "practice"},
    ]
    checks = [{"right": "Choose “this”.", "wrong": "Not\nthis."}]
    return gp.Study.build(
        gp.StudySpec(**{"title": "Ä study", "materials": materials, "checks": checks, "lists": 2} | fields)
    )


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text in a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize("fields", [{}, {"sentence_case": True}, {"task": "rating", "checks": [], "lists": 4}])
def test_a_study_is_read_back_as_it_was_written(fields: dict[str, Any], tmp_path: Path) -> None:
    study = make_study(**fields)
    study.save(tmp_path / "study")
    assert gp.Study.read(tmp_path / "study") == study


def test_questions_and_distractors_are_read_back(tmp_path: Path) -> None:
    study = gp.Study.build(start_study("self-paced-reading", tmp_path / "a").spec, tmp_path / "a")
    assert gp.Study.read(tmp_path / "a") == study
    assert any(stimulus.questions for stimulus in study.stimuli.values())


def test_models_run_on_the_suites_of_a_study_and_names_are_the_same(tmp_path: Path) -> None:
    study = make_study(sentence_case=True)
    study.save(tmp_path / "study")
    suites = {suite.name: suite for suite in load_suites(tmp_path / "study" / "suites")}
    assert suites.keys() == {"agreement", "marvin-linzen/prep_anim", "blimp/passive_1"}
    for suite in study.suites:
        again = suites[suite.name]
        assert again.hash() == suite.hash()  # items, sentences, regions, formulas
        assert again.conditions == suite.conditions
        assert [item.levels for item in again.items] == [item.levels for item in suite.items]
    run = gp.run(models=[Bigram()], suites=[str(tmp_path / "study" / "suites")])
    shown = {(one.suite, one.item) for one in study.stimuli.values() if one.role in ("test", "filler")}
    assert set(run.outcomes().select("suite", "item").iter_rows()) == shown


def test_a_changed_design_must_be_built_again(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    make_study().save(folder)
    edit(folder / "study.toml", "seed = 0", "seed = 1  # mine")
    with pytest.raises(InputError, match=rf"study.toml was changed after.*gardenpath study build {folder}"):
        read_study(folder)
    study = rebuild_study(folder)
    assert study.spec.seed == 1
    assert read_study(folder) == study
    assert "# mine" in (folder / "study.toml").read_text()  # the user's file stays as it is


def test_what_participants_do_not_see_may_be_changed_at_any_time(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    make_study().save(folder)
    edit(folder / "study.toml", "target = 10", "target = 20")
    assert read_study(folder).spec.target == 20


def test_old_suites_are_removed_and_files_of_others_are_not(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    make_study().save(folder)
    (folder / "suites" / "notes.txt").write_text("mine")
    make_study(materials=[{"suites": ["agreement"], "items": 4}]).save(folder, overwrite=True)
    assert sorted(path.name for path in (folder / "suites").iterdir()) == ["agreement.json", "notes.txt"]


def test_another_study_is_not_replaced_by_mistake(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    make_study().save(folder)
    make_study().save(folder)  # the same
    with pytest.raises(InputError, match=r"already holds another study .*--overwrite"):
        make_study(seed=1).save(folder)
    make_study(seed=1).save(folder, overwrite=True)
    assert read_study(folder).spec.seed == 1


def test_materials_are_not_changed_under_answers(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    make_study().save(folder)
    (folder / "study.db").write_bytes(b"answers")
    edit(folder / "study.toml", 'consent = ""', 'consent = "Agree?"')
    rebuild_study(folder)  # the same lists
    edit(folder / "study.toml", "seed = 0", "seed = 1")
    with pytest.raises(InputError, match="has answers to other materials"):
        rebuild_study(folder)
    rebuild_study(folder, overwrite=True)
    assert (folder / "study.db").read_bytes() == b"answers"


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    make_study().save(folder)
    suite = folder / "suites" / "agreement.json"
    original = suite.read_text()
    suite.write_text(original.replace('"content": "The', '"content": "A', 1))
    with pytest.raises(InputError, match=r"agreement.json is missing or was changed"):
        read_study(folder)
    suite.write_text(original)
    edit(folder / MATERIALS_FILE, '"role": "test"', '"role": "filler"')
    with pytest.raises(InputError, match=r"materials.json is damaged.*gardenpath study build"):
        read_study(folder)
    (folder / MATERIALS_FILE).unlink()
    with pytest.raises(InputError, match=r"no materials.json yet"):
        read_study(folder)
    with pytest.raises(InputError, match=r"there is no .*study.toml; `gardenpath study new"):
        read_study(tmp_path)


def test_materials_record_versions(tmp_path: Path) -> None:
    study = make_study()
    study.save(tmp_path / "study")
    record = json.loads((tmp_path / "study" / MATERIALS_FILE).read_text())
    assert record["gardenpath"] == gp.__version__
    assert record["materials"] == study.digest


def test_suites_of_the_study_folder_itself_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    (folder / "suites").mkdir(parents=True)
    pair = {"sentence_good": "The dog barks.", "sentence_bad": "The dog bark."}
    (folder / "suites" / "mine.jsonl").write_text(json.dumps(pair) + "\n")
    spec = gp.StudySpec(title="Mine", materials=[{"suites": ["suites/mine.jsonl"]}])
    with pytest.raises(InputError, match="where the study writes the items it uses; move it elsewhere"):
        write_study(gp.Study.build(spec, folder), folder)


def test_a_specification_of_ones_own_with_files_beside_it(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    pair = {"sentence_good": "The dog barks.", "sentence_bad": "The dog bark."}
    (own / "mine.jsonl").write_text(json.dumps(pair) + "\n")
    text = '# My study.\ntitle = "Mine"\ntask = "rating"\nassignment = "all"\n[[materials]]\nsuites = ["mine.jsonl"]\n'
    (own / "design.toml").write_text(text)
    made = start_study(str(own / "design.toml"), tmp_path / "study")
    assert read_study(tmp_path / "study") == made
    assert rebuild_study(tmp_path / "study") == made
    assert (tmp_path / "study" / "study.toml").read_text().startswith("# My study.\n")


def test_spaces_before_punctuation_are_kept(tmp_path: Path) -> None:
    pair = {"sentence_good": "The dog , it barks .", "sentence_bad": "The dog , it bark ."}
    (tmp_path / "mine.jsonl").write_text(json.dumps(pair) + "\n")
    study = gp.Study.build(gp.StudySpec(title="Mine", materials=[{"suites": [str(tmp_path / "mine.jsonl")]}]))
    with pytest.warns(InputWarning, match="space before punctuation"):
        study.save(tmp_path / "study")
    assert read_study(tmp_path / "study") == study


def test_published_files_of_blimp_are_read_back(tmp_path: Path) -> None:
    pair = {"sentence_good": "Who left?", "sentence_bad": "Whom left?", "one_prefix_method": True, "UID": "npi_who"}
    prefix = {"one_prefix_prefix": "", "one_prefix_word_good": "Who", "one_prefix_word_bad": "Whom"}
    (tmp_path / "who.jsonl").write_text(json.dumps(pair | prefix | {"simple_LM_method": True}) + "\n")
    study = gp.Study.build(gp.StudySpec(title="Who", materials=[{"suites": [str(tmp_path / "who.jsonl")]}]))
    study.save(tmp_path / "study")
    assert read_study(tmp_path / "study") == study


SPEC = """title = "Test"
lists = {lists}

[[materials]]
suites = ["agreement"]

[[materials]]
suites = ["blimp"]
{second}

[exclusions]
{rule}
"""


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"lists": "0"}, "study.toml, line 2: lists is 0; it must be at least 1"),
        ({"lists": "two"}, "study.toml, line 2: this is not TOML"),
        ({"second": "itms = 3"}, "study.toml, line 9: unknown field 'itms'. Did you mean 'items'"),
        ({"second": "items = 0"}, "study.toml, line 9: items is 0; it must be at least 1"),
        ({"rule": "catch_errors = -1"}, "study.toml, line 12: catch_errors is -1"),
        ({"second": 'role = "practise"'}, "study.toml, line 9: role is 'practise'; it must be"),
        ({"rule": "", "second": "", "lists": '2\ntsk = "rating"'}, "study.toml, line 3: unknown field 'tsk'"),
    ],
)
def test_faults_of_a_specification_are_reported_by_line(parts: dict[str, str], message: str, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(SPEC.format(**{"lists": "2", "second": "", "rule": ""} | parts))
    with pytest.raises(InputError, match=re.escape(message)):
        read_spec(tmp_path / "study.toml")


def test_checks_that_do_not_count_can_be_written(tmp_path: Path) -> None:
    study = make_study(exclusions=Exclusions(failed_checks=None))
    study.save(tmp_path / "study")
    assert read_study(tmp_path / "study").spec.exclusions.failed_checks is None
