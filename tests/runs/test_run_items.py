"""Items of runs: which failed, with which sentences, and the long table for R."""

import csv
import io
import re
from pathlib import Path

import polars
import pytest

import gardenpath as gp
from gardenpath.commands.item_legend import describe_order
from gardenpath.commands.item_view import print_hardest, print_items
from gardenpath.commands.terminal import err, out
from gardenpath.errors import InputError, InputWarning
from gardenpath.runs.items import factor_columns, items_csv
from small_models import WordModel
from small_outcomes import run_folder

PREDICTION = "((verb, match_sing) < (verb, mismatch_sing)) & ((verb, match_plur) < (verb, mismatch_plur))"
ROWS = [
    {"item": item, "condition": f"{agrees}_{number}", "subject": f"The {noun}s" if plural else f"The {noun}",
     "verb": verb if (agrees == "match") != plural else verb[:-1]}
    for item, (noun, verb) in enumerate([("dog", "barks"), ("cat", "sleeps")], 1)
    for number, plural in (("sing", False), ("plur", True))
    for agrees in ("match", "mismatch")
]  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> gp.Run:
    """A model that dislikes long words: it always prefers the plural verb, by one bit; `sleeps` costs 9 more."""
    model = WordModel(lambda _, word: len(word) + 9.0 * (word == "sleeps"))
    suite = gp.Suite.from_table(polars.DataFrame(ROWS), prediction=PREDICTION, name="tiny")
    folder = tmp_path_factory.mktemp("run")
    return gp.run(models=[model], suites=[suite], out=folder / "run", store=folder / "store.sqlite")


def test_the_hardest_item_is_first_with_the_sentences_that_decide(run: gp.Run) -> None:
    items = run.items(failed=True)
    assert items.select("item", "status", "margin").rows() == [("2", "wrong", -10.0), ("1", "wrong", -1.0)]
    first = items.row(0, named=True)
    assert first["comparison"] == "(verb;%match_sing%) < (verb;%mismatch_sing%)"
    assert first["sentences"] == [
        {"condition": f"{condition}_sing", "region": "verb", "sentence": text, "marked": text, "bits": b, "value": b}
        for condition, text, b in (("match", "The cat sleeps", 15.0), ("mismatch", "The cat sleep", 5.0))
    ]
    assert run.items(limit=1)["item"].to_list() == ["2"]
    assert run.count_items(failed=True) == 2


def test_unknown_words_are_in_brackets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"item": item, "condition": condition, "noun": noun, "verb": verb}
        for item, noun, verbs in ((1, "The zzdog", ("barks", "bark")), (2, "The cat", ("sleeps", "zzsleep")))
        for condition, verb in zip(("match", "mismatch"), verbs, strict=True)
    ]
    suite = gp.Suite.from_table(polars.DataFrame(rows), prediction="(verb, match) < (verb, mismatch)", name="tiny")
    run = gp.run(models=[WordModel(lambda _, word: len(word))], suites=[suite], out=tmp_path / "run")
    assert dict(run.items().select("item", "known").rows()) == {"1": True, "2": False}
    assert set(run.long_items().select("item", "known").rows()) == {("1", True), ("2", False)}
    print_hardest(run, tmp_path / "run")
    printed = capsys.readouterr().err
    assert "match     The [zzdog] barks\n" in printed
    assert "[ ]: a word that the model does not know\n" in printed


def test_the_hardest_items_fit_the_terminal(
    run: gp.Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heading = "The hardest items (in bits; the first sentence of an item should be the less surprising):\n"
    monkeypatch.setattr(err, "width", 80)
    print_hardest(run, Path("runs/first"))
    assert capsys.readouterr().err.startswith(heading)  # what is not a terminal wraps nothing
    monkeypatch.setattr(err, "_force_terminal", True)
    print_hardest(run, Path("runs/first"))
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().err)
    assert max(map(len, shown.splitlines())) <= 80
    assert "should be the less\nsurprising):" in shown
    long = run.items().with_columns(suite=polars.lit("syntactic-generalization/" + "long-name-" * 3 + "of-a-suite"))
    print_items(long, err, models=2, several=set(long["suite"]))
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().err)
    assert max(map(len, shown.splitlines())) <= 80
    assert "of-a-suite, item\n         2, words, prediction, at verb\n" in shown


@pytest.mark.parametrize(
    ("options", "unit", "lines"),
    [
        ({"normalise": "mean"}, "in bits per token", ["  −0.17  pairs, item 1", "3.67  good  The dog barks"]),
        ({"normalise": "character"}, "in bits per character", ["0.85  good  The dog barks", "0.88  bad   Dog bark"]),
        # The end has 4 bits, which no token has: what is left are the bits of the tokens.
        ({"normalise": "mean", "end": True}, "from which the margin does not follow", ["11.00  good  The dog barks"]),
        ({"normalise": "slor"}, "from which the margin does not follow", ["11.00  good  The dog barks"]),
        ({}, "in bits;", ["  −4.00  pairs, item 1", "11.0  good  The dog barks"]),
    ],
)
def test_normalised_sentences_are_shown_in_the_unit_of_their_margin(
    options: dict[str, object], unit: str, lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pairs.csv").write_text("item,good,bad\n1,The dog barks,Dog bark\n", encoding="utf-8")
    (tmp_path / "words.txt").write_text("The dog barks\n", encoding="utf-8")
    unigrams = {"unigrams": tmp_path / "words.txt"} if options.get("normalise") == "slor" else {}
    model = WordModel(lambda _, word: float(len(word)))
    items = gp.run(models=[model], suites=[tmp_path / "pairs.csv"], **options, **unigrams).items()
    print_items(items, out, models=1, several=())
    shown = capsys.readouterr().out
    assert [line for line in lines if line not in shown] == []
    assert unit in describe_order(items)
    row = items.row(0, named=True)
    good, bad = (one["value"] for one in row["sentences"])
    assert good is None or bad - good == pytest.approx(row["margin"])


def test_of_a_normalised_run_without_failures_no_item_is_hardest() -> None:
    pairs = gp.Suite.from_pairs([("Dog", "The barking dogs")], name="pairs")
    run = gp.run(models=[WordModel(lambda _, word: float(len(word)))], suites=[pairs], normalise="mean")
    assert run.items()["status"].to_list() == ["correct"]
    assert run.items(failed=True).columns == run.items().columns
    assert run.hardest_items().height == 0


def test_the_order_of_the_sentences_of_sums_is_explained(run: gp.Run) -> None:
    suite = gp.Suite.from_table(
        polars.DataFrame(ROWS), name="sums",
        prediction="(verb, match_sing) + (verb, match_plur) < (verb, mismatch_sing) + (verb, mismatch_plur) - 1",
    )  # fmt: skip
    sums = gp.run(models=[WordModel(lambda _, word: len(word))], suites=[suite]).items(failed=True)
    names = [one["condition"] for one in sums.row(0, named=True)["sentences"]]
    assert names == ["match_sing", "match_plur", "mismatch_sing", "mismatch_plur"]
    assert describe_order(sums).endswith("; of more than two, those come first whose sum should be the smaller one")
    assert describe_order(run.items()).endswith("the first sentence of an item should be the less surprising")


def test_sentences_that_should_be_equal_are_explained(run: gp.Run) -> None:
    equal = gp.Suite.from_table(
        polars.DataFrame(ROWS), name="equal", prediction="(verb, match_sing) = (verb, mismatch_sing)"
    )
    items = gp.run(models=[WordModel(lambda _, word: len(word))], suites=[equal]).items()
    assert describe_order(items) == "in bits; sentences that are compared by = should be equally surprising"
    both = polars.concat([items, run.items()])
    assert describe_order(both).endswith(
        "the less surprising; sentences that are compared by = should be equally surprising"
    )


def test_a_sentence_whose_compared_region_is_empty_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{item},{name},The dogs,{verb}," for item in "123" for name, verb in (("good", "bark"), ("bad", "barks"))]
    rows[3] = "2,bad,The dogs,,"
    (tmp_path / "cells.csv").write_text("\n".join(["item,condition,noun,verb,end", *rows]), encoding="utf-8")
    claims = {"verb": "(verb, good) < (verb, bad)", "end": "(end, good) < (verb, bad)"}
    suite = gp.load_suite(tmp_path / "cells.csv", predictions=claims)
    with pytest.warns(InputWarning, match="empty in"):
        items = gp.run(models=[WordModel(lambda _, word: float(len(word)))], suites=[suite]).items()
    print_items(items.filter(item="2", prediction="verb"), out, models=1, several=())
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()[1:]]
    assert lines == ["4.0 good The dogs bark", "– bad The dogs (no token in verb)"]
    # A region that is empty in all items has 0 bits, which are compared.
    valid = items.filter(item="1", prediction="end").row(0, named=True)["sentences"]
    assert [(one["condition"], one["region"], one["value"]) for one in valid] == [
        ("good", "end", 0.0), ("bad", "verb", 5.0),
    ]  # fmt: skip


def test_the_long_table_has_a_row_per_condition_and_region(run: gp.Run) -> None:
    every = run.long_items()
    assert every.height == 2 * 4 * 3
    assert every["region"].unique(maintain_order=True).to_list() == ["subject", "verb", "*"]
    bits = every.filter(polars.col("condition") == "match_sing", polars.col("item") == "1")["bits"].to_list()
    assert bits == [3.0 + 3.0, 5.0, 11.0]  # The dog, barks, and all of it
    long = every.filter("compared")
    assert long["region"].unique().to_list() == ["verb"]
    assert long.height == 2 * 4
    assert long.select("item", "condition", "region", "bits").rows()[:2] == [
        ("1", "match_sing", "verb", 5.0), ("1", "mismatch_sing", "verb", 4.0),
    ]  # fmt: skip
    # The margin is the smaller of the differences between conditions.
    bits = {(item, condition): value for item, condition, value in long.select("item", "condition", "bits").rows()}
    for item, margin in long.select("item", "margin").unique().rows():
        differences = [bits[item, f"mismatch_{n}"] - bits[item, f"match_{n}"] for n in ("sing", "plur")]
        assert margin == pytest.approx(min(differences))


def test_the_folder_has_the_long_table(run: gp.Run) -> None:
    assert run.folder is not None
    text = (run.folder / "items.csv").read_text(encoding="utf-8")
    assert text == items_csv(run.long_items()) == items_csv(gp.read_run(run.folder).long_items())
    first = next(csv.DictReader(io.StringIO(text)))
    assert (first["sentence"], first["margins"]) == ("The dog barks", "[-1.0, 1.0]")


def test_what_a_user_does_to_items_csv_does_not_matter(run: gp.Run, tmp_path: Path) -> None:
    run.save(tmp_path / "copy")
    (tmp_path / "copy" / "items.csv").write_text("sorted by hand", encoding="utf-8")
    assert gp.read_run(tmp_path / "copy") == run


def test_several_runs_and_suites(tmp_path: Path) -> None:
    suites = ["blimp/a", "blimp/b", "own"]
    one = run_folder(tmp_path / "one", {"x": [1.0, 0.0], "y": [0.0, 0.0]}, suites=suites)
    other = run_folder(tmp_path / "other", {"z": [0.5, None]}, suites=suites)
    runs = gp.read_runs([one, other])
    assert runs.items(failed=True, suite="blimp").height == 2 * (1 + 2 + 2)
    assert set(runs.items(model=["x", "z"], suite="own")["model"]) == {"x", "z"}
    assert runs.items(model="z", suite="own")["status"].to_list() == ["tie", "invalid"]
    long = runs.long_items(model="x", suite="own")
    assert long.select("item", "condition", "bits", "number", "verb").rows() == [
        ("0", "good", 15.0, "plur", "laugh"), ("0", "bad", 16.0, "plur", "laugh"),
        ("1", "good", 16.0, "sing", "sleep"), ("1", "bad", 17.0, "sing", "sleep"),
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"there is no suite 'onw' among these results: .*; did you mean 'own'\?"):
        runs.items(suite="onw")


def test_headings_of_factors_are_distinct() -> None:
    names = ["level:number", "level:verb", "filler:verb", "level:item"]
    assert list(factor_columns(names).values()) == ["number", "level_verb", "filler_verb", "level_item"]


def test_where_nothing_fails_there_are_no_rows(tmp_path: Path) -> None:
    right = gp.read_run(run_folder(tmp_path / "run", {"x": [1.0, 1.0]}))
    assert right.items(failed=True).height == right.hardest_items().height == right.long_items(failed=True).height == 0
    assert right.items(failed=True).columns == right.items().columns


def test_the_end_of_a_run_shows_the_first_prediction_of_a_suite(run: gp.Run) -> None:
    assert run.hardest_items(1)["item"].to_list() == ["2"]


FACTORIAL = "\n".join([
    "item;verb_type;comma;condition;intro;verb",
    *(
        f"{item};{kind};{comma};{kind}_{comma};While we {verb}{',' * (comma == 'yes')} the dog;barked"
        for item in (1, 2)
        for kind, verb in (("trans", "ate"), ("intrans", "slept"))
        for comma in ("yes", "no")
    ),
])  # fmt: skip


@pytest.fixture(scope="module")
def factorial(tmp_path_factory: pytest.TempPathFactory) -> gp.Run:
    """A run on a table whose factors differ within items."""
    folder = tmp_path_factory.mktemp("factorial")
    (folder / "npz.csv").write_text(FACTORIAL, encoding="utf-8")
    suite = gp.load_suite(folder / "npz.csv", predictions="(verb, trans_yes) < (verb, trans_no)")
    model = WordModel(lambda _, word: float(len(word)))
    return gp.run(models=[model], suites=[suite], out=folder / "run", store=folder / "store.sqlite")


def test_items_csv_has_the_levels_of_conditions(factorial: gp.Run) -> None:
    assert factorial.folder is not None
    rows = list(csv.DictReader(io.StringIO((factorial.folder / "items.csv").read_text(encoding="utf-8"))))
    levels = {row["condition"]: (row["verb_type"], row["comma"]) for row in rows}
    assert levels == {
        "trans_yes": ("trans", "yes"), "trans_no": ("trans", "no"),
        "intrans_yes": ("intrans", "yes"), "intrans_no": ("intrans", "no"),
    }  # fmt: skip
    assert gp.read_run(factorial.folder).long_items().equals(factorial.long_items())


def test_accuracy_by_a_factor_of_the_conditions_is_refused(factorial: gp.Run) -> None:
    with pytest.raises(
        InputError, match=r"'verb_type' is a factor of the conditions.*--effects.*--regions.*items\.csv"
    ):
        gp.accuracy(factorial, by="verb_type,comma")
    with pytest.raises(InputError, match=r"'condition' names the conditions, and effects .*--regions"):
        factorial.effects("contrast", groups="condition")
    with pytest.raises(InputError, match=r"'condition' names the conditions, and accuracy .*--regions"):
        gp.run(models=[WordModel(lambda _, word: 1.0)], suites=["agreement"], by="condition")


@pytest.fixture(scope="module")
def unpredicted(tmp_path_factory: pytest.TempPathFactory) -> gp.Run:
    """A run on a table of regions without a prediction, and on a pair with one."""
    folder = tmp_path_factory.mktemp("unpredicted")
    lines = [f"{item},{number},{name},The {noun},{verb}" for item, number, noun, verbs in
             (("1", "plural", "dogs", ("bark", "barks")), ("2", "singular", "cat", ("sleeps", "sleep")))
             for name, verb in zip(("match", "mismatch"), verbs, strict=True)]  # fmt: skip
    (folder / "keys.csv").write_text("\n".join(["item,number,condition,noun,verb", *lines]), encoding="utf-8")
    model = WordModel(lambda _, word: float(len(word)))
    with pytest.warns(InputWarning, match=r"has no predictions: .* \(items\.csv has the bits of every region\)"):
        return gp.run(models=[model], suites=[folder / "keys.csv"], out=folder / "run", store=folder / "store.sqlite")


def test_items_csv_has_all_regions_of_a_suite_without_prediction(unpredicted: gp.Run) -> None:
    assert unpredicted.folder is not None
    rows = list(csv.DictReader(io.StringIO((unpredicted.folder / "items.csv").read_text(encoding="utf-8"))))
    assert [(row["item"], row["condition"], row["region"], row["bits"]) for row in rows[:6]] == [
        ("1", "match", "noun", "7.0"), ("1", "mismatch", "noun", "7.0"),
        ("1", "match", "verb", "4.0"), ("1", "mismatch", "verb", "5.0"),
        ("1", "match", "*", "11.0"), ("1", "mismatch", "*", "12.0"),
    ]  # fmt: skip
    assert {(row["item"], row["number"], row["prediction"], row["margin"]) for row in rows} == {
        ("1", "plural", "", ""), ("2", "singular", "", ""),
    }  # fmt: skip
    assert rows[3]["sentence"] == "The dogs barks"
    again = gp.read_run(unpredicted.folder)
    assert again.long_items(suite="keys").equals(unpredicted.long_items())
    with pytest.raises(InputError, match="there is no prediction 'x' among these results: nothing"):
        again.long_items(prediction="x")


def test_items_without_prediction_have_their_sentences_and_never_fail(unpredicted: gp.Run) -> None:
    items = unpredicted.items()
    assert items.select("item", "status", "margin", "comparison").rows() == [
        ("1", None, None, ""),
        ("2", None, None, ""),
    ]
    assert items["sentences"][0].to_list()[1] == {
        "condition": "mismatch", "region": "*", "sentence": "The dogs barks", "marked": "The dogs barks",
        "bits": 12.0, "value": 12.0,
    }  # fmt: skip
    assert (unpredicted.count_items(), unpredicted.count_items(failed=True)) == (2, 0)


def test_items_with_and_without_prediction_are_listed_together(unpredicted: gp.Run, run: gp.Run) -> None:
    both = gp.read_runs([unpredicted, run])
    assert both.items()["suite"].to_list() == ["tiny", "tiny", "keys", "keys"]  # those without a margin are last
    assert both.long_items().height == unpredicted.long_items().height + run.long_items().height
    with pytest.warns(InputWarning, match=r"not in the table, since they have no prediction: 'keys'"):
        both.require_predictions()


@pytest.mark.parametrize("last", ["evaluated", "unpredicted"])
def test_a_run_without_prediction_never_replaces_one_with_some(unpredicted: gp.Run, tmp_path: Path, last: str) -> None:
    assert unpredicted.folder is not None
    table = unpredicted.folder.parent / "keys.csv"
    model = WordModel(lambda _, word: float(len(word)))
    verb = gp.load_suite(table, predictions="(verb, match) < (verb, mismatch)")
    evaluated = gp.run(models=[model], suites=[verb], out=tmp_path / "run", store=tmp_path / "store.sqlite")
    both = gp.read_runs([unpredicted, evaluated] if last == "evaluated" else [evaluated, unpredicted])
    assert both.accuracy().equals(evaluated.accuracy())
    assert both.long_items().equals(evaluated.long_items())
    assert both.unpredicted_suites() == []


def test_a_run_without_prediction_says_so(unpredicted: gp.Run) -> None:
    message = r"no prediction, .*: 'keys'; run again with --prediction FORMULA .*\"\(\*, match\) < \(\*, mismatch\)\""
    with pytest.raises(InputError, match=message):
        unpredicted.require_predictions()
    assert "--prediction FORMULA" in repr(unpredicted)
    assert "--prediction FORMULA" in unpredicted._repr_html_()
