"""Tables of responses: their checks, and the folder that holds them."""

import json
import random
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from gardenpath.errors import InputError, InputWarning
from gardenpath.human.formats.read import read_responses
from gardenpath.human.responses import RESPONSES, SESSIONS, Responses, response_table, session_table
from gardenpath.human.server.app import build_app
from gardenpath.human.spec import Exclusions
from gardenpath.suites.load import load_suites
from gardenpath.suites.suite import Condition, Item, Suite, join_regions
from served_study import small_study, take_part

VISIT = {"participant": "p1", "session": "s1"}
CHOICE = VISIT | {
    "trial": 1, "task": "choice", "suite": "keys", "item": "1", "order": ["bad", "good"], "choice": "good",
    "correct": True, "rt": 812.5, "time": datetime(2026, 5, 1, 10, tzinfo=UTC),
}  # fmt: skip
KEYS = Suite.from_pairs([("The keys are here.", "The keys is here.")], name="keys")


def collect(*rows: dict[str, Any], **fields: Any) -> Responses:
    """Responses of one session."""
    return Responses(response_table(rows), session_table([VISIT]), **fields)


def test_tables_have_all_columns_in_their_types() -> None:
    found = collect(CHOICE)
    assert dict(found.responses.schema) == RESPONSES
    assert dict(found.sessions.schema) == SESSIONS
    row = found.responses.row(0, named=True)
    assert row["role"] == "test"
    assert row["list"] == ""
    assert row["rating"] is None
    assert found.sessions.row(0, named=True)["status"] == "complete"


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"choice": None}, "a choice without the condition chosen"),
        ({"task": "rating"}, "a rating without a number"),
        ({"task": "rating", "rating": float("nan")}, "a number that is not finite"),
        ({"task": "reading"}, "a word without its index"),
        ({"word": 3}, "an answer that has the index of a word"),
        ({"trial": 0}, "an index below 1"),
        ({"rt": -1.0}, "a time below 0"),
        ({"choice": "other"}, "the choice is not among the conditions shown"),
        ({"item": ""}, "no item"),
        ({"role": "extra"}, "column 'role': unknown 'extra'; known: test, filler, catch, practice, check"),
        ({"task": "guess"}, "column 'task': unknown 'guess'"),
        ({"session": "s2"}, "in session 's2', which is not in the table of sessions"),
        ({"participant": "p2"}, "responses of participant 'p2' in session 's1'"),
        ({"rt": "fast"}, "the rows do not fit the table"),
    ],
)
def test_rows_that_make_no_sense_are_refused(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        collect(CHOICE | changes)


def test_nobody_answers_a_trial_twice() -> None:
    with pytest.raises(InputError, match=r"session 's1', trial 1 \(keys, item '2'\): answered twice|answered twice"):
        collect(CHOICE, CHOICE | {"item": "2"})
    collect(CHOICE, CHOICE | {"trial": 2})
    word = CHOICE | {"task": "reading", "choice": None, "order": None}
    collect(word | {"word": 1}, word | {"word": 2}, CHOICE | {"task": "question", "order": None, "choice": "the dog"})
    with pytest.raises(InputError, match=r"word 2.*: answered twice"):
        collect(word | {"word": 2}, word | {"word": 2})


def test_a_session_has_one_row() -> None:
    with pytest.raises(InputError, match="'s1' is there twice"):
        Responses(response_table([CHOICE]), session_table([VISIT, VISIT | {"participant": "p2"}]))


def test_answers_are_json_objects() -> None:
    with pytest.raises(InputError, match="a JSON object is expected, not '34'"):
        Responses(response_table([CHOICE]), session_table([VISIT | {"answers": "34"}]))


def test_columns_of_other_types_are_refused() -> None:
    table = response_table([CHOICE])
    with pytest.raises(InputError, match="column 'trial': its type is Float64; it must be Int64"):
        Responses(table.cast({"trial": polars.Float64}), session_table([VISIT]))
    with pytest.raises(InputError, match="the table of responses lacks 'rt'"):
        Responses(table.drop("rt"), session_table([VISIT]))
    with pytest.raises(InputError, match="row 0: column 'suite' is null"):
        Responses(table.with_columns(suite=polars.lit(None, polars.String)), session_table([VISIT]))


def test_a_folder_gives_back_what_was_saved(tmp_path: Path) -> None:
    spaced = Suite.from_pairs([("the keys are here .", "the keys is here .")], name="spaced")
    rules = Exclusions(failed_checks=1, answers={"native": ("yes",)})
    found = collect(CHOICE, suites=(KEYS, spaced), exclusions=rules, source="batch.csv", skipped={"odd rows": 2})
    again = Responses.read(found.save(tmp_path / "r"))
    assert again.responses.equals(found.responses)
    assert again.sessions.equals(found.sessions)
    assert (again.exclusions, again.source, again.skipped) == (rules, "batch.csv", {"odd rows": 2})
    assert {suite.hash() for suite in again.suites} == {KEYS.hash(), spaced.hash()}
    # What `gardenpath run --suite DIR/suites` reads: the same names, ids, sentences.
    read = {suite.name: suite for suite in load_suites(tmp_path / "r" / "suites")}
    assert read["keys"].hash() == KEYS.hash()
    assert read["spaced"].hash() == spaced.hash()
    assert [item.id for item in read["keys"].items] == ["1"]


def test_suites_with_regions_and_spaces_survive(tmp_path: Path) -> None:
    spaced = join_regions([("noun", "the keys"), ("verb", "are here"), ("end", ".")], "space")
    suite = Suite("spaced", (Condition("good"),), (Item("1", {"good": spaced}),), ())
    with pytest.warns(InputWarning, match="space before punctuation"):
        collect(CHOICE, suites=(suite,)).save(tmp_path)
    assert Responses.read(tmp_path).suites[0].hash() == suite.hash()


def test_other_responses_are_replaced_on_request_only(tmp_path: Path) -> None:
    collect(CHOICE, suites=(KEYS,)).save(tmp_path)
    other = collect(CHOICE | {"suite": "dogs"}, suites=(Suite.from_pairs([("A.", "B.")], name="dogs"),))
    with pytest.raises(InputError, match="holds responses"):
        other.save(tmp_path)
    other.save(tmp_path, overwrite=True)
    assert [suite.name for suite in Responses.read(tmp_path).suites] == ["dogs"]
    assert [path.name for path in (tmp_path / "suites").iterdir()] == ["dogs.json"]


def test_suites_of_somebody_else_are_not_removed(tmp_path: Path) -> None:
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites" / "mine.tsv").write_text("good\tbad\nA.\tB.\n")
    with pytest.raises(InputError, match="holds the suite 'mine', which is not of these responses"):
        collect(CHOICE, suites=(KEYS,)).save(tmp_path)
    assert (tmp_path / "suites" / "mine.tsv").exists()


@pytest.mark.parametrize("name", ["responses.parquet", "sessions.parquet", "suites/keys.json", "responses.json"])
def test_changed_files_are_refused(tmp_path: Path, name: str) -> None:
    collect(CHOICE, suites=(KEYS,), source="batch.csv").save(tmp_path)
    path = tmp_path / name
    content = path.read_bytes()
    if name.endswith(".parquet"):
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    else:
        path.write_bytes(content.replace(b"batch.csv", b"other.csv").replace(b"The keys is", b"The keys was"))
    with pytest.raises(InputError, match=r"is not the table it was written as|damaged|is missing, or is not as"):
        Responses.read(tmp_path)
    path.unlink()
    with pytest.raises(InputError, match=r"is missing|holds no responses"):
        Responses.read(tmp_path)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
ROWS = st.fixed_dictionaries(
    {"choice": st.sampled_from(["good", "bad"]), "rt": st.none() | st.floats(0, 1e9), "cell": TEXT, "list": TEXT},
)


@given(rows=st.lists(ROWS, min_size=1, max_size=5), source=TEXT, answer=TEXT)
def test_any_responses_survive_saving(rows: list[dict[str, Any]], source: str, answer: str) -> None:
    made = [CHOICE | row | {"trial": number} for number, row in enumerate(rows, 1)]
    sessions = session_table([VISIT | {"answers": json.dumps({"comment": answer})}])
    found = Responses(response_table(made), sessions, source=source)
    with tempfile.TemporaryDirectory() as folder:
        again = Responses.read(found.save(Path(folder) / str(random.Random(0).random())))
    assert again.responses.equals(found.responses)
    assert again.sessions.equals(found.sessions)
    assert again.source == source


def test_the_database_of_a_study_is_read_without_a_format(tmp_path: Path) -> None:
    study = small_study("reading", exclusions=Exclusions(catch_errors=1))
    study.save(tmp_path)
    with TestClient(build_app(study, str(tmp_path / "study.db"))) as client:
        take_part(client.post, panel_id="P1", task="reading")
        found = read_responses(tmp_path)
        assert found.sessions["status"].to_list() == ["complete"]
        assert found.exclusions == study.spec.exclusions
        assert {suite.hash() for suite in found.suites} == {suite.hash() for suite in study.suites}
        # Saved beside the database, the responses are those of this moment; later ones are still found.
        found.save(tmp_path)
        assert Responses.read(tmp_path).responses.equals(found.responses)
        take_part(client.post, panel_id="P2", task="reading")
    assert read_responses(tmp_path).sessions.height == 2
    assert Responses.read(tmp_path).sessions.height == 1
    # An import into the folder is what was asked for last; the database can still be named.
    collect(CHOICE, suites=study.suites, source="results.json").save(tmp_path, overwrite=True)
    assert read_responses(tmp_path).responses.height == 1
    assert read_responses(tmp_path, database=str(tmp_path / "study.db")).sessions.height == 2
    with pytest.raises(InputError, match="holds a study with other suites"):
        collect(CHOICE, suites=(KEYS,)).save(tmp_path, overwrite=True)
