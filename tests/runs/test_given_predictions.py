"""Runs over tables of regions, with predictions that are given beside them."""

from pathlib import Path

import pytest

from gardenpath.errors import InputError, InputWarning
from gardenpath.runs.export_values import export_values
from gardenpath.runs.results import read_run
from gardenpath.runs.run import run
from gardenpath.suites.formats.write import write_suites
from gardenpath.suites.load import load_suite, read_suite
from small_bigram import Bigram

TABLE = """item;number;condition;subject;verb
1;plural;match;The keys;are
1;plural;mismatch;The keys;is
2;singular;match;The dog;barks
2;singular;mismatch;The dog;bark
"""
FORMULA = "(verb, match) < (verb, mismatch)"
VALUES_UNUSED = pytest.mark.filterwarnings(r"ignore:.* are not used here:gardenpath.errors.InputWarning")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "keys.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_a_table_is_evaluated_and_broken_down(table: Path, tmp_path: Path) -> None:
    done = run(models=Bigram(), suites=[table, "agreement"], predictions={"verb": FORMULA}, store=tmp_path / "s.sqlite")
    assert done.accuracy(by="number").filter(suite="keys")["number"].to_list() == ["plural", "singular"]
    margins = {row["item"]: row["margin"] for row in done.outcomes().filter(suite="keys").iter_rows(named=True)}
    tokens = done.tokens().filter(suite="keys")
    for item, margin in margins.items():
        bits = {
            condition: tokens.filter(item=item, condition=condition, region="verb")["bits"].sum()
            for condition in ("match", "mismatch")
        }
        assert margin == pytest.approx(bits["mismatch"] - bits["match"])
    assert read_run(done.save(tmp_path / "run")).spec.predictions == (f"verb={FORMULA}",)


@VALUES_UNUSED
def test_predictions_are_exported_with_the_values_of_a_run(table: Path, tmp_path: Path) -> None:
    done = run(models=Bigram(), suites=[table, "agreement"], predictions=FORMULA, sample=2)
    (file,) = export_values(str(table), done, tmp_path / "keys.json")
    assert [str(p.formula) for p in read_suite(file).predictions] == ["(verb;%match%) < (verb;%mismatch%)"]
    (file,) = export_values("agreement", done, tmp_path / "agreement.json")
    assert len(read_suite(file).predictions) == 1


def test_a_table_without_predictions_is_scored_and_reported(table: Path) -> None:
    with pytest.warns(InputWarning, match=r"suite keys has no predictions: .* --prediction \"\(verb, match\) < \(verb"):
        assert run(models=Bigram(), suites=table).outcomes().is_empty()


def test_a_cell_that_was_forgotten_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "keys.csv"
    more = "3;plural;match;The cats;run\n3;plural;mismatch;The cats;runs\n"
    path.write_text((TABLE + more).replace("The dog;barks", "The dog;"), encoding="utf-8")
    noted = (
        r"'keys': a region that a formula names is empty in 1 of 3 items \('2'; first: \(verb;%match%\) of item '2'\), "
        "and these items are invalid"
    )
    for formula in (FORMULA, "(*, match) < (*, mismatch)"):
        with pytest.warns(InputWarning, match=noted.replace("verb", r"(verb|\*)")):
            done = run(models=Bigram(), suites=path, predictions=formula)
        assert done.outcomes().filter(item="2")["status"].to_list() == ["invalid"]
        assert done.accuracy()["invalid"].to_list() == [1]
    exported = tmp_path / "keys.json"  # the file of SyntaxGym says which cells of the table were forgotten
    write_suites([load_suite(path, predictions=FORMULA)], exported, "syntaxgym")
    with pytest.warns(InputWarning, match="these items are invalid"):
        assert run(models=Bigram(), suites=exported).accuracy()["invalid"].to_list() == [1]


def test_regions_that_the_design_leaves_empty_have_no_bits(tmp_path: Path) -> None:
    path = tmp_path / "keys.csv"
    half = TABLE.replace(";is\n", ";\n")  # not fewer than half of the items
    for text, number in ((half.replace(";bark\n", ";\n"), 2), (half, 1)):
        path.write_text(text, encoding="utf-8")
        with pytest.warns(InputWarning, match=f"one side of a comparison is empty in {number} of 2 items .* 0 bits"):
            done = run(models=Bigram(), suites=path, predictions=FORMULA)
        assert done.accuracy()["invalid"].to_list() == [0]
    # A side with another region says something.
    run(models=Bigram(), suites=path, predictions=FORMULA.replace("(verb, ", "(*, ") + " + (verb, mismatch)")


@VALUES_UNUSED
def test_formulas_are_added_to_the_predictions_of_a_suite(tmp_path: Path) -> None:
    given = {"singular": "(verb, match_sing) < (verb, mismatch_sing)"}
    done = run(models=Bigram(), suites="agreement", predictions=given, sample=2)
    assert done.suites["prediction"].to_list() == ["agreement", "singular"]
    (file,) = export_values("agreement", done, tmp_path / "agreement.json")
    assert [p.name for p in read_suite(file).predictions][:2] == ["agreement", "singular"]
    with pytest.raises(InputError, match=r"prediction 'prediction': .* names the condition 'match', which does not"):
        run(models=Bigram(), suites="agreement", predictions=FORMULA)


def test_predictions_are_chosen_by_name(tmp_path: Path) -> None:
    suites = ["blimp/anaphor_gender_agreement", "agreement"]
    options = {"models": Bigram(), "suites": suites, "sample": 2, "store": tmp_path / "s.sqlite"}
    with pytest.warns(InputWarning, match="left out, since they have no prediction 'one-prefix': 'agreement'"):
        done = run(**options, predictions="one-prefix")
    every = run(**options).outcomes().filter(prediction="one-prefix")
    assert done.outcomes().select("item", "margin").equals(every.select("item", "margin"))
    both = run(**options, predictions=["agreement", "full-sentence"])
    assert sorted(both.outcomes()["prediction"].unique()) == ["agreement", "full-sentence"]


@VALUES_UNUSED
def test_names_and_formulas_together(table: Path, tmp_path: Path) -> None:
    suites = [table, "blimp/anaphor_gender_agreement"]
    done = run(models=Bigram(), suites=suites, predictions=["full-sentence", f"verb={FORMULA}"], sample=2)
    found = done.suites.select("suite", "prediction").rows()
    assert found == [("keys", "verb"), ("blimp/anaphor_gender_agreement", "full-sentence")]
    (file,) = export_values(suites[1], done, tmp_path / "one.json")
    assert len(read_suite(file).predictions) == 1


def test_the_nearest_name_is_suggested(table: Path) -> None:
    with pytest.raises(InputError, match=r"no prediction 'full-sentense'; .* did you mean 'full-sentence'\?"):
        run(models=Bigram(), suites="blimp/anaphor_gender_agreement", predictions="full-sentense", sample=2)
    with pytest.raises(InputError, match=r"these suites have none; give a formula, for example \"\(verb, match\) <"):
        run(models=Bigram(), suites=table, predictions="agreement")
