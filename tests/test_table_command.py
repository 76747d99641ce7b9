"""`gardenpath table` on folders made by hand."""

import csv
import io
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

import gardenpath as gp
from gardenpath.errors import InputWarning
from gardenpath.reporting.figures.collect import all_figures
from gardenpath.statistics.accuracy import accuracy, summary_rows
from small_bigram import Bigram
from small_models import WordModel
from small_outcomes import outcomes, run_folder
from small_runs import SmallSuite, write_run
from test_cli import gardenpath_command

SUITES = ["blimp/a", "blimp/b"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of one model: of the items, the plural ones (even numbers) are right."""
    return run_folder(tmp_path / "run", {"lstm": [1.0, 0.0] * 4}, suites=SUITES)


def test_levels_have_the_name_of_their_factor_and_means_close_the_table(folder: Path) -> None:
    lines = gardenpath_command("table", folder, "--by", "number").stdout.splitlines()
    found = {line[:22].strip(): line[22:].split()[:2] for line in lines}
    assert found["blimp/a [number=plur]"] == ["4", "100.0"]
    assert found["blimp/b [number=sing]"] == ["4", "0.0"]
    assert found["mean over 2 suites"] == found["all items of 2 suites"] == ["16", "50.0"]


def test_items_without_a_level_are_named_so() -> None:
    levels: list[dict[str, str]] = [{"number": "sing"}, {"number": "plur"}, {}, {}]
    rows = outcomes([1.0] * 4, levels=levels, suite=["s", "s", "s", "without the factor"])
    names = [row["suite"] for row in summary_rows(accuracy(rows, by="number"))]
    assert names == ["s [number=sing]", "s [number=plur]", "s [number=(blank)]", "without the factor"]


def test_factors_of_a_repeated_option_are_crossed(folder: Path) -> None:
    repeated, joined = ["--by", "number", "--by", "verb"], ["--by", "number,verb"]
    for command in (["table"], ["table", "--effects"]):
        once = gardenpath_command(*command, folder, *joined)
        assert gardenpath_command(*command, folder, *repeated).stdout == once.stdout != ""
    assert gp.RunSpec(by=["number", "verb"]) == gp.RunSpec(by="number,verb")


def test_only_some_models(tmp_path: Path) -> None:
    models = {"lstm": [1.0] * 8, "ngram": [0.0] * 8, "rnng": [0.0] * 8}
    folder = run_folder(tmp_path / "run", models, suites=SUITES)
    for options in ([], ["--effects"], ["--by", "number"]):
        done = gardenpath_command("table", folder, *options, "-m", "lstm", "--model", "rnng", "--json")
        assert {row["model"] for row in json.loads(done.stdout)} == {"lstm", "rnng"}
    refused = gardenpath_command("table", folder, "--model", "lstn")
    assert (refused.returncode, "did you mean 'lstm'?" in refused.stderr) == (2, True)
    refused = gardenpath_command("table", folder, "--harness", tmp_path / "r.json").stderr
    assert "choose one: --model NAME, or write a file for each into a folder: --harness DIR" in refused
    assert gardenpath_command("table", folder, "--harness", tmp_path / "r.json", "-m", "rnng").returncode == 0
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["model_name"] == "rnng"


def test_harness_results_of_several_models_are_a_file_each(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", {"hf:a/b": [1.0] * 8, "lstm": [0.0] * 8, "rnng": [0.0] * 8}, suites=SUITES)
    done = gardenpath_command("table", folder, "--harness", tmp_path / "all")
    assert (done.returncode, "hf_a_b.json, lstm.json, rnng.json" in done.stderr) == (0, True)
    written = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((tmp_path / "all").iterdir())]
    assert [results["model_name"] for results in written] == ["hf:a/b", "lstm", "rnng"]
    gardenpath_command("table", folder, "--harness", tmp_path / "one", "-m", "lstm")
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["lstm.json"]


def test_json_marks_means(folder: Path) -> None:
    rows = json.loads(gardenpath_command("table", folder, "--json").stdout)
    assert [(row["suite"], row.get("mean"), row["accuracy"]) for row in rows] == [
        ("blimp/a", None, 0.5), ("blimp/b", None, 0.5),
        ("mean over 2 suites", "macro", 0.5), ("all items of 2 suites", "micro", 0.5),
    ]  # fmt: skip


def test_several_factors_as_csv(folder: Path) -> None:
    done = gardenpath_command("table", folder, "--by", "number,verb", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    counts = {(row["number"], row["verb"]): row["n"] for row in rows if row["suite"] == "blimp/a"}
    assert counts == {
        ("plur", "laugh"): "2", ("sing", "sleep"): "3", ("plur", "sleep"): "2", ("sing", "laugh"): "1",
    }  # fmt: skip


def test_effects_in_bits(folder: Path) -> None:
    done = gardenpath_command("table", folder, "--effects", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    found = [(row["suite"], row["effect"], row["contrast"], row["region"], row["bits"]) for row in rows]
    assert found == [(suite, "contrast", "bad − good", "whole sentence", "0.0") for suite in SUITES]
    assert "bad − good" in gardenpath_command("table", folder, "--effects").stdout
    latex = gardenpath_command("table", folder, "--effects", "--latex", "-").stdout
    assert r"model & suite & contrast & region & bits & low & high & n & p value \\" in latex


def test_means_over_suites_of_a_phenomenon(folder: Path) -> None:
    pooled = gardenpath_command("table", folder, "--by", "phenomenon").stdout.splitlines()
    assert pooled[-1].startswith("Each phenomenon pools the items of its suites; means over suites: gardenpath table")
    means = gardenpath_command("table", folder, "--by", "phenomenon", "--suite-means").stdout.splitlines()
    assert means[0].split() == ["phenomenon", "suites", "n", "accuracy", "95%", "interval"]
    assert means[2].split()[:4] == ["Agreement", "2", "16", "50.0"]
    assert "Each" not in gardenpath_command("table", folder, "--by", "number").stdout


def test_bits_by_region(folder: Path) -> None:
    """Subjects have 2 + 8 bits and those of their item's number, from 0 to 7; bad verbs have a bit more."""
    done = gardenpath_command("table", folder, "--regions", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    found = [(row["suite"], row["condition"], row["position"], row["region"], row["n"], row["bits"]) for row in rows]
    assert found == [
        (suite, condition, position, region, "8", bits)
        for suite in SUITES
        for condition, verb in (("good", "5.0"), ("bad", "6.0"))
        for position, region, bits in (("1", "np", "13.5"), ("2", "verb", verb))
    ]
    lines = gardenpath_command("table", folder, "--regions").stdout.splitlines()
    assert [line.split()[:6] for line in lines[2:4]] == [
        ["blimp/a", "good", "1", "np", "8", "13.50"], ["blimp/a", "good", "2", "verb", "8", "5.00"],
    ]  # fmt: skip
    assert gp.read_run(folder).regions(suite="blimp/b", model="lstm").height == 4


def test_bits_by_region_are_those_of_the_figures(tmp_path: Path) -> None:
    items = {
        str(number): {
            "good": [("the", "np", 1.0), ("cats", "np", 2.5 * number % 4), ("run", "verb", number % 3)],
            "bad": [("the", "np", 1.0), ("cats", "np", 2.5 * number % 4), ("runs", "verb", 2 + number % 5)],
        }
        for number in range(9)
    }
    run = gp.read_runs(write_run(tmp_path / "run", [SmallSuite("s", items)]))
    figure = all_figures(run)["regions-s"].table.filter(kind="condition")
    drawn = run.regions().select(figure.drop("kind", "bootstrap_low", "bootstrap_high").columns)
    assert_frame_equal(drawn, figure.select(drawn.columns))


def test_regions_of_items_that_were_all_left_out_are_refused_with_the_reason() -> None:
    run = gp.run(models=[Bigram()], suites=["agreement"], sample=1, unknown="leave-out", on_event=lambda _: None)
    with pytest.raises(gp.InputError, match="no item to average: all were left out"):
        run.regions()


def test_effects_by_levels(folder: Path) -> None:
    """Margins are half a bit: of the right sign for the plural items, which are right."""
    by = ("table", folder, "--effects", "--by", "number")
    rows = list(csv.DictReader(io.StringIO(gardenpath_command(*by, "--csv", "-").stdout)))
    found = [(row["suite"], row["number"], row["n"], row["bits"]) for row in rows]
    assert found == [(suite, *level) for suite in SUITES for level in (("plur", "4", "0.5"), ("sing", "4", "-0.5"))]
    lines = gardenpath_command(*by).stdout.splitlines()
    assert sum(line.startswith("blimp/a [number=plur]  bad − good") for line in lines) == 1
    assert json.loads(gardenpath_command(*by, "--json").stdout)[0]["number"] == "plur"
    assert r"model & suite & number & contrast & region & bits" in gardenpath_command(*by, "--latex", "-").stdout


def test_effects_by_model_pool_suites(folder: Path) -> None:
    rows = json.loads(gardenpath_command("table", folder, "--effects", "--by", "model", "--json").stdout)
    assert [(row["model"], row["contrast"], row["n"], "suite" in row) for row in rows] == [
        ("lstm", "bad − good", 16, False)
    ]


@pytest.mark.parametrize(
    ("command", "sheets"),
    [
        (["table", "--by", "number"], ["accuracy", "overall"]),
        (["table", "--effects"], ["effects"]),
        (["table", "--effects", "--by", "number"], ["effects"]),
        (["table", "--regions"], ["regions"]),
        (["table", "--by", "phenomenon", "--suite-means"], ["means"]),
        (["items", "--failed"], ["items"]),
    ],
)
def test_workbooks(folder: Path, tmp_path: Path, command: list[str], sheets: list[str]) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    done = gardenpath_command(*command, folder, "--xlsx", tmp_path / "t.xlsx")
    assert done.returncode == 0, done.stderr
    workbook = openpyxl.load_workbook(tmp_path / "t.xlsx")
    assert workbook.sheetnames == sheets
    headings, *rows = workbook.worksheets[0].iter_rows(values_only=True)
    assert headings[:2] == ("model", "phenomenon" if sheets == ["means"] else "suite")
    assert {row[0] for row in rows} == {"lstm"}


@pytest.mark.parametrize("command", [["table", "--by", "number"], ["table", "--effects"], ["compare"]])
def test_files_are_written_beside_the_table(tmp_path: Path, command: list[str]) -> None:
    folder = run_folder(tmp_path / "run", {"lstm": [1.0, 0.0] * 4, "ngram": [1.0] * 8}, suites=SUITES)
    plain = gardenpath_command(*command, folder)
    for option, name in (("--csv", "t.csv"), ("--latex", "t.tex")):
        done = gardenpath_command(*command, folder, option, tmp_path / name)
        assert done.stdout == plain.stdout
        assert f"rows are in {tmp_path / name}" in done.stderr.replace("\n", "")
        printed = gardenpath_command(*command, folder, option, "-")
        assert printed.stdout == (tmp_path / name).read_text(encoding="utf-8")
    assert (tmp_path / "t.tex").read_text(encoding="utf-8").startswith("% needs")


def test_latex_has_the_per_cent_of_the_screen(folder: Path) -> None:
    (tmp := folder.parent / "t.tex").unlink(missing_ok=True)
    lines = gardenpath_command("table", folder, "--by", "number", "--latex", tmp).stdout.splitlines()
    number, accuracy = next(line[22:].split()[:2] for line in lines if line.startswith("all items"))
    rows = [row.split(" & ") for row in tmp.read_text(encoding="utf-8").splitlines()]
    assert next(row[4:6] for row in rows if row[1:2] == ["all items"]) == [number, accuracy] == ["16", "50.0"]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("options", [["--by", "number"], ["--effects"]])
def test_latex_can_be_typeset(folder: Path, tmp_path: Path, options: list[str]) -> None:
    table = gardenpath_command("table", folder, "--latex", "-", *options).stdout
    needs = table.splitlines()[0].removeprefix("% needs ")
    lines = [r"\documentclass{article}", needs, r"\begin{document}", table, r"\end{document}"]
    (tmp_path / "page.tex").write_text("\n".join(lines), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--csv", "-", "--latex", "-"], "would be printed at once"),
        (["--csv"], "requires an argument"),
        (["--effects", "--by", "numbr"], "did you mean 'number'?"),
        (["--effects", "--by", "prediction"], "choose predictions by name"),
        (["--regions", "--by", "number"], "leave out --by and --prediction"),
        (["--regions", "--effects"], "different tables; choose one"),
        (["--by", "number", "--suite-means"], "by phenomenon, circuit, field, not by 'number'"),
        (["--by", "tense"], "cannot be grouped by 'tense'"),
        (["--prediction", "full"], "there is no prediction 'full'"),
    ],
)
def test_what_cannot_be_shown(folder: Path, options: list[str], message: str) -> None:
    done = gardenpath_command("table", folder, *options)
    assert done.returncode == 2
    assert message in done.stderr.replace("\n", " ")


@pytest.mark.parametrize("options", [[], ["--effects"], ["--json"]])
def test_without_prediction_there_is_a_reason_and_a_remedy(tmp_path: Path, options: list[str]) -> None:
    suite = gp.Suite.from_table({"item": [1, 1], "condition": ["a", "b"], "verb": ["are", "is"], "end": ["so"] * 2})
    with pytest.warns(InputWarning, match="no predictions"):
        gp.run(models=[WordModel(lambda _, word: float(len(word)))], suites=[suite], out=tmp_path / "run",
               store=tmp_path / "store.sqlite")  # fmt: skip
    done = gardenpath_command("table", tmp_path / "run", *options)
    assert done.returncode == 2
    assert (
        "no prediction, so neither accuracy nor effects: 'table'; run again with --prediction FORMULA"
        in done.stderr.replace("\n", " ")
    )
