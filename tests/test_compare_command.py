"""`gardenpath compare` on folders made by hand."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import polars
import pytest

from gardenpath.errors import InputWarning
from gardenpath.io.workbook import read_sheet
from gardenpath.runs.model_pair import DISAGREEMENT, SHARED_WORDS
from gardenpath.runs.results import compare
from gardenpath.suites.overview import list_suites
from small_outcomes import run_folder
from test_cli import gardenpath_command

GOOD = [1.0] * 10 + [0.0] * 2
POOR = [1.0] * 4 + [0.0] * 8


@pytest.fixture
def both(tmp_path: Path) -> Path:
    """A run of two models."""
    return run_folder(tmp_path / "both", {"lstm": GOOD, "ngram": POOR})


def compared(*arguments: object) -> Any:
    """What `gardenpath compare` prints as JSON."""
    return json.loads(gardenpath_command("compare", *arguments, "--json").stdout)


def test_two_folders(tmp_path: Path) -> None:
    a, b = run_folder(tmp_path / "a", {"lstm": GOOD}), run_folder(tmp_path / "b", {"ngram": POOR})
    done = gardenpath_command("compare", a, b)
    assert done.returncode == 0, done.stderr
    assert "+50.0" in done.stdout
    assert "all items" in done.stdout
    assert "lstm minus ngram" in done.stderr.replace("\n", " ")


def test_only_one_run_has_suites_with_a_field(tmp_path: Path) -> None:
    a, b = run_folder(tmp_path / "a", {"lstm": GOOD}), run_folder(tmp_path / "b", {"ngram": POOR})
    manifest = json.loads((a / "manifest.json").read_text())
    manifest["suites"][0]["metadata"] = {"field": "syntax"}
    (a / "manifest.json").write_text(json.dumps(manifest))
    for folders, difference in (((a, b), 0.5), ((b, a), -0.5)):
        assert compared(*folders)["rows"][0]["difference"] == pytest.approx(difference)


def test_different_first_symbols_are_noted(tmp_path: Path) -> None:
    a, b = run_folder(tmp_path / "a", {"lstm": GOOD}), run_folder(tmp_path / "b", {"lstm": POOR})
    for folder, symbol in ((a, "<|endoftext|>"), (b, "<|im_start|>")):
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["models"][0] |= {"bos": symbol, "fingerprint": symbol}
        (folder / "manifest.json").write_text(json.dumps(manifest))
    noted = "<|endoftext|> by 'lstm (a)'; <|im_start|> by 'lstm (b)'"
    assert noted in gardenpath_command("compare", a, b).stderr
    assert compared(a, b)["notes"][0].startswith("the same weights read different first symbols")
    with pytest.warns(InputWarning, match=re.escape(noted)):
        compare([a, b])


def test_first_symbols_of_other_weights_are_not_noted(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", {"one": GOOD, "two": POOR, "three": GOOD})
    manifest = json.loads((folder / "manifest.json").read_text())
    for model, symbol in zip(manifest["models"], ("<s>", "<eos>", "<s>"), strict=True):
        model["bos"] = symbol
    for sources, notes in ((("x", "y", "z"), 0), (("x", "x", "z"), 1), (("x", "y", "x"), 0)):
        entries = [f"{label}=hf:{source}" for label, source in zip(("one", "two", "three"), sources, strict=True)]
        (folder / "manifest.json").write_text(json.dumps(manifest | {"spec": {"models": entries}}))
        for options in ([], ["--a", "one", "--b", "two"]):
            assert len(compared(folder, *options)["notes"]) == notes


def test_items_that_share_words_are_noted(both: Path) -> None:
    assert compared(both)["notes"] == []
    verbs = [json.dumps({"verb": f"v{item // 2}"}) for item in range(12)]
    path = both / "outcomes.parquet"
    polars.read_parquet(path).with_columns(polars.Series("fillers", verbs * 2)).write_parquet(path)
    record = compared(both)
    assert record["notes"] == [SHARED_WORDS]
    assert record["rows"][0]["effective_n"] < 12


def test_an_interval_that_disagrees_with_the_test_is_noted(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "run", {"lstm": [1.0] * 4, "ngram": [0.0] * 4})
    path = run / "outcomes.parquet"
    verbs = [json.dumps({"verb": f"v{item}"}) for item in range(4)]
    polars.read_parquet(path).with_columns(polars.Series("fillers", verbs * 2)).write_parquet(path)
    record = compared(run)
    assert record["rows"][0]["low"] > 0
    assert record["rows"][0]["p_value"] == 0.125
    assert record["notes"] == [DISAGREEMENT]
    assert DISAGREEMENT in gardenpath_command("compare", run).stderr


def test_one_both_as_json(both: Path) -> None:
    record = compared(both)
    assert (record["a"], record["b"]) == ("lstm", "ngram")
    (row,) = record["rows"]
    assert (row["n"], row["a_only"], row["b_only"], row["p_value"]) == (12, 6, 0, pytest.approx(2 / 64))
    assert record["all items"]["difference"] == pytest.approx(0.5)
    turned = compared(both, "--a", "ngram")
    assert (turned["a"], turned["b"], turned["rows"][0]["difference"]) == ("ngram", "lstm", pytest.approx(-0.5))


def test_two_models_have_one_layout(both: Path, tmp_path: Path) -> None:
    a, b = run_folder(tmp_path / "a", {"lstm": GOOD}), run_folder(tmp_path / "b", {"ngram": POOR})
    first = gardenpath_command("compare", both)
    for arguments in ((a, b), (both, a), (both, "--model", "lstm", "--model", "ngram"), (both, "--a", "lstm")):
        done = gardenpath_command("compare", *arguments)
        assert (done.stdout, done.stderr) == (first.stdout, first.stderr)
        assert compared(*arguments) == compared(both)


def test_csv_by_level(both: Path) -> None:
    done = gardenpath_command("compare", both, "--by", "level:number", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    found = [(row["level:number"], row["n"], row["a_only"]) for row in rows]
    assert found == [("plur", "6", "3"), ("sing", "6", "3")]


def test_a_factor_named_like_a_result(both: Path) -> None:
    path = both / "outcomes.parquet"
    levels = polars.col("levels").str.replace_all("number", "status")
    polars.read_parquet(path).with_columns(levels).write_parquet(path)
    assert [(row["level:status"], row["n"]) for row in compared(both, "--by", "status")["rows"]] == [
        ("plur", 6), ("sing", 6),
    ]  # fmt: skip
    every = compared(both, both, "--by", "status", "--model", "lstm", "--model", "ngram")["rows"]
    assert [(row["level:status"], row["n"]) for row in every] == [("plur", 6), ("sing", 6)]
    for options in ([], ["--model", "lstm", "--model", "ngram"]):
        assert "plur" in gardenpath_command("compare", both, "--by", "status", *options).stdout


def test_files_name_the_models(both: Path, tmp_path: Path) -> None:
    (row,) = csv.DictReader(io.StringIO(gardenpath_command("compare", both, "--csv", "-").stdout))
    assert (row["model_a"], row["model_b"], row["n"]) == ("lstm", "ngram", "12")
    done = gardenpath_command("compare", both, "--xlsx", tmp_path / "pair.xlsx")
    assert done.returncode == 0, done.stderr
    for sheet in ("comparison", "overall"):
        (_, headings), *rows = read_sheet(tmp_path / "pair.xlsx", sheet)
        assert headings[:2] == ["model_a", "model_b"]
        assert {tuple(cells[:2]) for _, cells in rows} == {("lstm", "ngram")}


def test_latex(both: Path, tmp_path: Path) -> None:
    lines = gardenpath_command("compare", both, "--latex", "-").stdout.splitlines()
    assert lines[0].startswith(r"% needs \usepackage{booktabs")
    (row,) = [line.split(" & ") for line in lines if line.startswith("lstm")]
    assert row[:5] == ["lstm", "ngram", "s", "full-sentence", "12"]
    three = run_folder(tmp_path / "three", {"x": GOOD, "y": POOR, "z": POOR})
    assert "y & z & s" in gardenpath_command("compare", three, "--latex", "-").stdout


def test_the_same_model_run_twice(tmp_path: Path) -> None:
    a, b = run_folder(tmp_path / "plain", {"lstm": GOOD}), run_folder(tmp_path / "corrected", {"lstm": POOR})
    record = compared(a, b)
    assert (record["a"], record["b"]) == ("lstm (plain)", "lstm (corrected)")
    assert record["rows"][0]["difference"] == pytest.approx(0.5)


def test_suites_and_means_over_them_are_shown(tmp_path: Path) -> None:
    suites = ["blimp/adjunct_island", "blimp/causative"]
    folder = run_folder(tmp_path / "a", {"lstm": GOOD, "ngram": POOR}, suites=suites)
    done = gardenpath_command("compare", folder)
    lines = done.stdout.splitlines()
    for name in (*suites, "all items", "mean over 2 suites"):
        assert sum(line.startswith(f"{name} ") for line in lines) == 1
    items, means = (next(line.split() for line in lines if line.startswith(name)) for name in ("all items", "mean"))
    # 24 items, of which the first model alone gets 12 right; it is better on both suites.
    assert (items[2:5], items[-3:]) == (["24", "83.3", "33.3"], ["12", "0", "<0.001"])
    assert (means[4:6], means[-3:]) == (["83.3", "33.3"], ["2", "0", "0.500"])
    assert "In the mean over suites: suites on which it is better" in " ".join(done.stderr.split())


def test_headings_tell_models_apart(tmp_path: Path) -> None:
    apart = run_folder(tmp_path / "a", {"some/lstm": GOOD, "some/ngram": POOR})
    heading = gardenpath_command("compare", apart).stdout.splitlines()[0].split()
    assert heading[2:4] == ["lstm", "ngram"]
    alike = run_folder(tmp_path / "b", {"one/lstm": GOOD, "two/lstm": POOR})
    assert gardenpath_command("compare", alike).stdout.splitlines()[0].split()[2:4] == ["one/lstm", "two/lstm"]


def test_names_that_look_like_markup(tmp_path: Path) -> None:
    a = run_folder(tmp_path / "a", {"[red]x": GOOD}, suites=["[bold]s"])
    b = run_folder(tmp_path / "b", {"[green]": POOR}, suites=["[bold]s"])
    done = gardenpath_command("compare", a, b)
    assert done.returncode == 0
    assert all(name in done.stdout for name in ("[bold]s", "[red]x", "[green]"))


def test_items_that_only_one_has_are_told(tmp_path: Path) -> None:
    a, b = run_folder(tmp_path / "a", {"lstm": GOOD}), run_folder(tmp_path / "b", {"ngram": POOR[:10]})
    assert "2 outcomes that only one of the two has are left out" in gardenpath_command("compare", a, b).stderr


def test_items_that_a_run_left_out_stay_out(both: Path) -> None:
    table = polars.read_parquet(both / "outcomes.parquet")
    known = polars.col("item").cast(polars.Int64) >= 4
    table.with_columns(known.alias("known")).write_parquet(both / "outcomes.parquet")
    assert compared(both)["rows"][0]["n"] == 12
    record = json.loads((both / "manifest.json").read_text(encoding="utf-8")) | {"options": {"unknown": "leave-out"}}
    (both / "manifest.json").write_text(json.dumps(record), encoding="utf-8")
    assert compared(both)["rows"][0]["n"] == 8


def test_published(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "a", {"lstm": GOOD}, suites=["blimp/adjunct_island"])
    assert ("humans", 0.94) in {(row["reference"], row["published"]) for row in compared(folder, "--published")}
    assert "humans" in gardenpath_command("compare", folder, "--published").stdout


def test_many_published_accuracies_are_printed_as_means(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "a", {"lstm": GOOD}, suites=[str(row["suite"]) for row in list_suites("blimp")])
    rows = compared(folder, "--published")
    assert len(rows) > 100
    source = next(row["source"] for row in rows if row["reference"] == "humans")
    people = [row["published"] for row in rows if (row["reference"], row["source"]) == ("humans", source)]
    done = gardenpath_command("compare", folder, "--published")
    line, *_ = [line.split() for line in done.stdout.splitlines() if line.startswith("humans")]
    assert line[1] == str(len(people)) == "67"
    assert line[3] == f"{sum(people) / 0.67:.1f}"
    assert f"all {len(rows)} accuracies, suite by suite: --csv FILE" in " ".join(done.stderr.split())


def test_published_of_some_models(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "a", {"lstm": GOOD, "ngram": POOR}, suites=["blimp/adjunct_island"])
    assert {row["model"] for row in compared(folder, "--published", "--model", "ngram")} == {"ngram"}
    assert "did you mean 'lstm'?" in gardenpath_command("compare", folder, "--published", "--model", "lsm").stderr


def test_suites_without_a_circuit_are_last(tmp_path: Path) -> None:
    suites = ["blimp/adjunct_island", "blimp/causative", "blimp/wh_island"]
    folder = run_folder(tmp_path / "a", {"lstm": GOOD, "ngram": POOR}, suites=suites)
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for suite, circuit in zip(manifest["suites"], ("Agreement", "", "Licensing"), strict=True):
        suite["circuit"] = circuit
    path.write_text(json.dumps(manifest), encoding="utf-8")
    for options in (
        ("compare", folder, "--published", "--against", "humans"),
        ("compare", folder),
        ("table", folder),
        ("table", folder, "--suite-means"),
    ):
        printed = gardenpath_command(*options, "--by", "circuit").stdout
        assert "(none): suites without a circuit." in printed
        assert printed.index("Agreement") < printed.index("Licensing") < printed.index("(none)")


def test_published_by_phenomenon(tmp_path: Path) -> None:
    suites = ["blimp/adjunct_island", "blimp/causative", "blimp/wh_island"]
    folder = run_folder(tmp_path / "a", {"lstm": GOOD}, suites=suites)
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["suites"][1]["phenomenon"] = "argument structure"
    path.write_text(json.dumps(manifest), encoding="utf-8")
    single = {row["suite"]: row for row in compared(folder, "--published", "--against", "humans")}
    means = compared(folder, "--published", "--against", "humans", "--by", "phenomenon")
    assert [(row["phenomenon"].lower(), row["suites"]) for row in means] == [
        ("agreement", 2),
        ("argument structure", 1),
    ]
    islands = [single[suite]["published"] for suite in (suites[0], suites[2])]
    assert means[0]["published"] == pytest.approx(sum(islands) / 2)
    assert means[0]["accuracy"] == pytest.approx(single[suites[0]]["accuracy"])
    done = gardenpath_command("compare", folder, "--published", "--against", "humans", "--by", "phenomenon")
    assert done.stdout.splitlines()[0].split()[:3] == ["phenomenon", "published", "model"]
    assert "ours and theirs over the same suites" in " ".join(done.stderr.split())


def test_published_models_are_chosen(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "a", {"lstm": GOOD}, suites=["blimp/adjunct_island"])
    chosen = compared(folder, "--published", "--against", "humans", "--against", "GPT-2")
    assert {row["reference"] for row in chosen} == {"humans", "GPT-2"}
    assert chosen == compared(folder, "--published", "--against", "humans", "--against", "gpt2")
    refused = {
        ("--published", "--against", "gpt3"): "no published model 'gpt3' on these suites",
        ("--published", "--against", "pt2"): "did you mean one of 'GPT-2'",
        ("--against", "GPT-2"): "give --published too",
        ("--published", "--by", "number"): "group by phenomenon, circuit, field or model, not by 'number'",
    }
    for options, message in refused.items():
        done = gardenpath_command("compare", folder, *options)
        assert (done.returncode, message in " ".join(done.stderr.split())) == (2, True), done.stderr


def test_published_beside_files_of_the_authors(tmp_path: Path) -> None:
    ties = [1.0] * 2 + [0.5] * 2
    folder = run_folder(tmp_path / "a", {"lstm": ties}, suites=["wh_island", "mine"])
    rows = compared(folder, "--published")
    found = {(row["suite"], row["reference"]): (row["published"], row["tie_rule"], row["accuracy"]) for row in rows}
    # As in the authors' results: people choose, a model with two equal sentences is wrong.
    assert found["wh_island", "humans"] == (0.73, "credit", 0.75)
    assert found["wh_island", "GPT-2"] == (0.789, "wrong", 0.5)
    assert {suite for suite, _ in found} == {"wh_island"}
    done = gardenpath_command("compare", folder, "--published")
    said = " ".join(done.stderr.split())
    assert "taken for suites of blimp, because they have the same names: 'wh_island'" in said
    assert "Not scored by the protocol of the paper, as `gardenpath run --protocol blimp-2020` does." in said
    assert "Ties: how our accuracy counts them" in said


@pytest.mark.parametrize(
    ("models", "options", "message"),
    [
        ({"lstm": GOOD}, [], "holds one model, 'lstm'; name a second folder"),
        ({"x": GOOD, "y": POOR, "z": POOR}, ["--a", "x"], "holds 3 models: choose two of x, y, z"),
        ({"x": GOOD, "y": POOR}, ["--a", "w"], "holds no model 'w'; it holds x, y"),
        ({"x": GOOD, "y": POOR}, ["--a", "x", "--b", "x"], "compared with itself"),
        ({"x": GOOD, "y": POOR}, ["--by", "tense"], "cannot be grouped by 'tense'"),
        ({"x": GOOD, "y": POOR}, ["--csv", "-", "--json"], "would be printed at once"),
        ({"x": GOOD}, ["--published"], "nothing was published"),
        ({"x": GOOD}, ["--published", "--a", "x"], "leave them out beside --published"),
    ],
)
def test_what_cannot_be_compared_is_said(
    tmp_path: Path, models: dict[str, list[float]], options: list[str], message: str
) -> None:
    done = gardenpath_command("compare", run_folder(tmp_path / "a", models), *options)
    assert done.returncode == 2
    assert message in done.stderr.replace("\n", " ")


def test_two_folders_that_do_not_fit(tmp_path: Path) -> None:
    two = run_folder(tmp_path / "two", {"x": GOOD, "y": POOR})
    other = run_folder(tmp_path / "other", {"z": GOOD}, suites=["t"])
    record = compared(two, other)
    assert {(row["model_a"], row["model_b"]) for row in record["rows"]} == {("x", "y")}
    assert record["notes"] == ["'z' shares no item with another model, and is left out"]
    assert "no item in common" in gardenpath_command("compare", two, other, "--a", "x").stderr.replace("\n", " ")
    assert "cannot be compared with itself" in gardenpath_command("compare", other, other).stderr


def test_all_pairs_of_several_folders(tmp_path: Path) -> None:
    suites = ["blimp/a", "blimp/b"]
    two = run_folder(tmp_path / "two", {"x": GOOD, "y": POOR}, suites=suites)
    other = run_folder(tmp_path / "other", {"z": POOR[::-1]}, suites=suites)
    record = compared(two, other)
    pairs = [("x", "y"), ("x", "z"), ("y", "z")]
    assert record["models"] == ["x", "y", "z"]
    found = [(row["model_a"], row["model_b"], row["suite"]) for row in record["rows"]]
    assert found == [(*pair, suite) for pair in pairs for suite in suites]
    # x and y differ in six items, all in one direction; of six tests this is the smallest p-value.
    assert record["rows"][0]["p_holm"] == pytest.approx(6 * 2 / 2**6)
    assert [(row["model_a"], row["model_b"], row["n"]) for row in record["all items"]] == [
        (*pair, 24) for pair in pairs
    ]
    lines = gardenpath_command("compare", two, other, "--by", "number").stdout.splitlines()
    assert sum("x − z" in line for line in lines) == 5
    assert any("blimp/a [number=sing]" in line for line in lines)
    chosen = compared(two, other, "--model", "z", "--model", "x")
    assert (chosen["a"], chosen["b"]) == ("z", "x")
    assert "there is only 'z' to compare; name another" in gardenpath_command("compare", two, other, "-m", "z").stderr
    refused = gardenpath_command("compare", two, other, other, "--a", "x")
    assert (refused.returncode, "choose among more with --model" in refused.stderr.replace("\n", " ")) == (2, True)


def test_predictions_by_name(both: Path) -> None:
    assert compared(both, "--prediction", "full-sentence")["rows"] == compared(both)["rows"]
    assert "there is no prediction 'x'" in gardenpath_command("compare", both, "--prediction", "x").stderr
