"""The command line as a user meets it, in processes of its own."""

import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import warnings
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from itertools import count, product
from pathlib import Path
from typing import Any

import polars
import pytest

import gardenpath
from gardenpath.commands.app import main
from gardenpath.models.protocol import Bits
from gardenpath.scoring.score import Scoring
from gardenpath.suites.catalog import DEFAULT_SUITES, find_suites
from small_models import save_tiny, tiny_llama

KEYS = [
    "model", "suite", "prediction", "n", "correct", "ties", "invalid", "accuracy", "strict_accuracy", "chance", "low",
    "high", "coverage",
]  # fmt: skip


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


def gardenpath_command(*arguments: object, stdin: str = "") -> Done:
    """Run the command line in this process: a new one would spend seconds on imports each time."""
    stdout, stderr = io.StringIO(), io.StringIO()
    output = redirect_stdout(stdout), redirect_stderr(stderr)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(), output[0], output[1]:
        patch.setattr(sys, "argv", ["gardenpath", *map(str, arguments)])
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        patch.setattr(warnings, "showwarning", warnings.showwarning)
        try:
            main()
        except SystemExit as stopped:
            return Done(int(stopped.code or 0), stdout.getvalue(), stderr.getvalue())
    raise AssertionError("the command line always ends with an exit code")


def printed_rows(*arguments: object) -> list[dict[str, Any]]:
    """What a command prints as JSON."""
    done = gardenpath_command(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


def gardenpath_process(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "gardenpath", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    return tmp_path


def pairs_file(path: Path, n: int) -> Path:
    nouns = ["key", "author", "guard", "senator", "lawyer", "table", "hat", "man", "cabinet", "dog"]
    rows = [
        f"The {a} near the {b} of the {c} is old.\tThe {a} near the {b} of the {c} are old."
        for a, b, c in product(nouns, repeat=3)
    ]
    path.write_text("good\tbad\n" + "\n".join(rows[:n]) + "\n", encoding="utf-8")
    return path


def test_help_teaches() -> None:
    shown = gardenpath_command("run", "--help").stdout
    assert "--model" in shown
    assert "gardenpath run --model hf:gpt2" in shown


def test_run_writes_what_it_prints(in_folder: Path, llama_folder: Path) -> None:
    (row,) = printed_rows("run", "--model", f"hf:{llama_folder}", "--suite", "agreement", "--out", "r")
    assert list(row) == [*KEYS, "bos"]
    assert row["bos"] == "<|endoftext|>"
    assert (row["suite"], row["n"], row["invalid"], row["chance"]) == ("agreement", 32, 0, 0.25)
    assert row["low"] <= row["accuracy"] <= row["high"]
    outcomes = polars.read_parquet("r/outcomes.parquet")
    assert outcomes["credit"].mean() == pytest.approx(row["accuracy"])
    assert outcomes["margins"].list.len().unique().to_list() == [2]
    tokens = polars.read_parquet("r/tokens.parquet")
    assert tokens.columns[:5] == ["model", "suite", "item", "condition", "token"]
    assert tokens.columns[5:] == ["text", "region", "start", "end", "bits", "known"]
    manifest = json.loads(Path("r/manifest.json").read_text(encoding="utf-8"))
    assert manifest["results"] == [row]
    assert manifest["models"][0]["bos"] == "<|endoftext|>"
    assert manifest["versions"]["gardenpath"] == gardenpath.__version__


def test_results_break_down_by_a_factor_of_the_items(in_folder: Path, llama_folder: Path) -> None:
    arguments = ["run", "-m", f"hf:{llama_folder}", "-s", "marvin-linzen/subj_rel", "--sample", "3"]
    (whole,) = printed_rows(*arguments)
    parts = printed_rows(*arguments, "--by", "key")
    assert [part["suite"] for part in parts] == [
        f"marvin-linzen/subj_rel [key={n}_MS_EV_MV_{a}_ES]" for n in ("sing", "plur") for a in ("sing", "plur")
    ]
    assert {part["n"] for part in parts} == {3}
    assert sum(part["accuracy"] for part in parts) / 4 == pytest.approx(whole["accuracy"])
    refused = gardenpath_command(*arguments, "--by", "colour")
    assert refused.returncode == 2
    assert "no item has the factor 'colour'" in refused.stderr


def test_suites_are_pooled_by_phenomenon(in_folder: Path, llama_folder: Path) -> None:
    suites = [f"blimp/{uid}" for uid in ("passive_1", "passive_2", "anaphor_number_agreement")]
    arguments = ["run", "-m", f"hf:{llama_folder}", "--sample", "4", *(w for s in suites for w in ("-s", s))]
    apart = printed_rows(*arguments)
    printed = printed_rows(*arguments, "--by", "phenomenon")
    rows = [row for row in printed if "mean" not in row]
    means = [(row["suite"], row["prediction"], row["n"]) for row in printed if "mean" in row]
    assert means[:2] == [
        ("mean over 3 suites", "full-sentence", 12), ("all items of 3 suites", "full-sentence", 12),
    ]  # fmt: skip
    assert [(row["phenomenon"], row["prediction"], row["n"]) for row in rows] == [
        ("Argument structure", "full-sentence", 8),
        ("Anaphor agreement", "full-sentence", 4),
        ("Anaphor agreement", "one-prefix", 4),
    ]
    passives = [row["accuracy"] for row in apart if "passive" in row["suite"]]
    assert rows[0]["accuracy"] == pytest.approx(sum(passives) / 2)


def test_table_on_a_terminal_and_quiet_elsewhere(in_folder: Path, llama_folder: Path) -> None:
    done = gardenpath_command("run", "--model", f"hf:{llama_folder}", "--suite", "agreement")
    assert done.returncode == 0, done.stderr
    assert "accuracy" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert "Results are in runs/" in done.stderr


def test_a_killed_run_resumes_to_the_same_files(in_folder: Path, llama_folder: Path) -> None:
    suite = pairs_file(in_folder / "pairs.tsv", 1000)
    arguments = ["run", "--model", f"hf:{llama_folder}", "--suite", str(suite), "--memory", "1"]
    whole = gardenpath_process(*arguments, "--store", "a.sqlite", "--out", "whole")
    assert whole.returncode == 0, whole.stderr
    script = str(Path(__file__).parent / "slow_run.py")
    process = subprocess.Popen([sys.executable, script, *arguments, "--store", "b.sqlite", "--out", "killed"])
    store = Path("b.sqlite")
    deadline = time.monotonic() + 60
    while not stored_parts(store) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = stored_parts(store)
    assert kept
    assert not Path("killed/manifest.json").exists()
    resumed = gardenpath_process(*arguments, "--store", "b.sqlite", "--out", "killed")
    assert resumed.returncode == 0, resumed.stderr
    timing = json.loads(Path("killed/timing.json").read_text(encoding="utf-8"))
    assert 0 < timing["computed"] < 2000  # tests/runs/test_store.py counts what is computed again
    for name in ("tokens.parquet", "outcomes.parquet", "manifest.json"):
        assert Path("killed", name).read_bytes() == Path("whole", name).read_bytes(), name


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_run_prints_how_much_is_stored(
    in_folder: Path, llama_folder: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: int
) -> None:
    compute, computed = Scoring.compute, count()

    def interrupt(scoring: Scoring, part: int) -> Bits:
        if next(computed) == 1:
            signal.raise_signal(number)  # in this thread: at once
        return compute(scoring, part)

    monkeypatch.setattr(Scoring, "compute", interrupt)
    suite = pairs_file(in_folder / "pairs.tsv", 1000)
    before = signal.getsignal(signal.SIGTERM)
    run = ("run", suite, "--model", f"hf:{llama_folder}", "--memory", "1", "--store", "s.sqlite", "--out", "run")
    done = gardenpath_command(*run)
    assert done.returncode == code
    assert re.search(r"stopped; \d+ % of the scores .* are stored: the same command resumes from here", done.stderr)
    assert stored_parts(Path("s.sqlite"))
    assert signal.getsignal(signal.SIGTERM) == before


def stored_parts(path: Path) -> int:
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path, timeout=5)) as connection, suppress(sqlite3.OperationalError):
        return int(connection.execute("SELECT count(*) FROM parts").fetchone()[0])
    return 0


def test_score_writes_one_row_per_token(in_folder: Path, llama_folder: Path) -> None:
    text = "The keys are lost.\n\nNo dog barks.\n"
    done = gardenpath_command("score", f"hf:{llama_folder}", "-", stdin=text)
    assert done.returncode == 0, done.stderr
    header, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert header == ["sentence", "token", "text", "start", "end", "bits", "known"]
    sentences = ["The keys are lost.", "No dog barks."]
    assert {row[0] for row in rows} == {"0", "1"}
    for number, _, piece, start, end, bits, known in rows:
        assert sentences[int(number)][int(start) : int(end)] == piece
        assert float(bits) >= 0
        assert known == "true"


def test_scores_written_can_be_read_as_a_model(in_folder: Path, llama_folder: Path) -> None:
    exported = gardenpath_command("suites", "export", "agreement", "--format", "tsv", "--out", "agreement.tsv")
    assert exported.returncode == 0, exported.stderr
    (suite,) = find_suites("agreement")
    Path("texts.txt").write_text("\n".join(sentence.text for _, sentence in suite.trials()), encoding="utf-8")
    scored = gardenpath_command("score", f"hf:{llama_folder}", "texts.txt")
    Path("scores.tsv").write_text(scored.stdout, encoding="utf-8")
    direct = printed_rows("run", "-m", f"hf:{llama_folder}", "-s", "agreement")
    again = printed_rows("run", "-m", "tsv:scores.tsv", "-s", "agreement")
    assert direct[0]["accuracy"] == again[0]["accuracy"]


def test_perplexity_per_word(in_folder: Path, llama_folder: Path) -> None:
    Path("text.txt").write_text("The keys are lost.\nNo dog barks.\n", encoding="utf-8")
    done = gardenpath_command("perplexity", f"hf:{llama_folder}", "text.txt", "--json")
    measured = json.loads(done.stdout)
    assert measured["words"] == 9
    assert measured["perplexity_per_word"] == pytest.approx(2 ** (measured["bits"] / 9))


def test_evaluate_needs_no_model(in_folder: Path) -> None:
    def item(number: int, **conditions: float) -> dict[str, object]:
        regions = {
            name: [{"region_number": 1, "content": "x", "metric_value": {"sum": value}}]
            for name, value in conditions.items()
        }
        given = [{"condition_name": name, "regions": found} for name, found in regions.items()]
        return {"item_number": number, "conditions": given}

    suite = {
        "meta": {"name": "given", "metric": "sum", "model": "elsewhere"},
        "region_meta": {"1": "all"},
        "predictions": [{"type": "formula", "formula": "(1;%a%) < (1;%b%)"}],
        "items": [item(1, a=1.0, b=2.0), item(2, a=2.0, b=1.0), item(3, a=1.0, b=1.0), item(4, a=0.5, b=3.5)],
    }
    Path("given.json").write_text(json.dumps(suite), encoding="utf-8")
    (row,) = printed_rows("evaluate", "given.json")
    assert list(row) == KEYS
    assert (row["model"], row["n"], row["correct"], row["ties"]) == ("elsewhere", 4, 2, 1)
    assert (row["accuracy"], row["strict_accuracy"]) == (0.625, 0.5)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["run", "--model", "zebra"], "unknown model spec 'zebra'"),
        (["run", "--memory", "4GB"], "'4GB' must be a whole number. Megabytes for"),
        (["items", ".", "--limit", "0"], "'0' must be at least 1."),
        (["run", "--suite", "agreemnt"], "did you mean 'agreement'"),
        (["run", "--suite", "absent.json"], "not a file, a folder or a built-in suite"),
        (["run", "--suite", "broken.json"], "broken.json"),
        (["run", "--suite", "broken.jsonl"], "broken.jsonl"),
        (["run", "--suite", "broken.tsv"], "broken.tsv"),
        (["run", "--suite", "broken.pickle"], "broken.pickle"),
        (["run", "--suite", "empty.json"], "has no items"),
        (["run", "--model", "ngram:absent.arpa"], "absent.arpa"),
        (["run", "--model", "ngram:broken.arpa"], "broken.arpa"),
        (["run", "--model", "gguf:broken.gguf"], "not a GGUF file"),
        (["run", "--model", "gguf:absent.gguf"], "there is no such file"),
        (["run", "--model", "mlm:absent"], "absent"),
        (["run", "--model", "tsv:absent.tsv"], "absent.tsv"),
        (["score", "smollm2", "absent.txt"], "absent.txt: there is no such file"),
        (["score", "smollm2", "blank.txt"], "holds no sentence"),
        (["evaluate", "broken.json"], "broken.json"),
        (["suites", "show", "nothing"], "not a file, a folder"),
    ],
)
def test_what_cannot_be_used_ends_with_one_message_and_exit_code_2(
    in_folder: Path, arguments: list[str], why: str
) -> None:
    Path("broken.json").write_text('{"meta": {"name": "x"', encoding="utf-8")
    Path("broken.jsonl").write_text('{"sentence_good": "a"}\n{"sentence_good": \n', encoding="utf-8")
    Path("broken.tsv").write_text("good\tbad\nonly one cell\n", encoding="utf-8")
    Path("broken.pickle").write_bytes(b"cos\nsystem\n(S'true'\ntR.")
    Path("broken.arpa").write_text("\\data\\\nngram 1=3\n\n\\1-grams:\nnonsense\n", encoding="utf-8")
    Path("broken.gguf").write_bytes(b"not what it says")
    Path("blank.txt").write_text("\n \n", encoding="utf-8")
    empty = {"meta": {"name": "e", "metric": "sum"}, "region_meta": {}, "predictions": [], "items": []}
    Path("empty.json").write_text(json.dumps(empty), encoding="utf-8")
    done = gardenpath_command(*arguments)
    assert done.returncode == 2, done.stderr
    assert why in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_formula_naming_what_is_not_there_names_item_and_regions(in_folder: Path) -> None:
    suite = json.loads((Path(gardenpath.__file__).parent / "suites/builtin/agreement.json").read_text(encoding="utf-8"))
    suite["predictions"] = [{"type": "formula", "formula": "(99;%match_sing%) < (1;%mismatch_sing%)"}]
    Path("wrong.json").write_text(json.dumps(suite), encoding="utf-8")
    sound = gardenpath_command("suites", "check", "agreement")
    assert (sound.returncode, sound.stdout) == (0, "no findings\n")
    Path("keys.csv").write_text("good,bad\n The keys are here.,The keys is here.\n", encoding="utf-8")
    noted = gardenpath_command("suites", "check", "keys.csv").stdout.splitlines()
    assert (len(noted), noted[0][:5], noted[-1]) == (2, "note:", "no further findings")
    done = gardenpath_command("suites", "check", "wrong.json")
    assert done.returncode == 1
    assert done.stderr.startswith("error: wrong.json: ")
    assert "'99', which does not exist" in done.stderr.replace("\n", " ")


def test_a_table_of_regions_is_checked_shown_audited_and_exported_with_a_formula(in_folder: Path) -> None:
    table = "item,condition,subject,verb\n1,match,The keys,are\n1,mismatch,The keys,is\n"
    Path("keys.csv").write_text(table + "2,match,The dogs,\n2,mismatch,The dogs,barks\n", encoding="utf-8")
    formula = ("--prediction", "verb=(verb, match) < (verb, mismatch)")
    checked = gardenpath_command("suites", "check", "keys.csv", *formula)
    assert (checked.returncode, "empty region 1 of 2 items" in checked.stdout) == (0, True)
    unknown = gardenpath_command("suites", "check", "keys.csv", "--prediction", "(vreb, match) < (verb, mismatch)")
    assert (unknown.returncode, "did you mean 'verb'?" in unknown.stderr) == (1, True)
    assert "(verb;%match%) < (verb;%mismatch%)" in gardenpath_command("suites", "show", "keys.csv", *formula).stdout
    gardenpath_command("audit", "keys.csv", *formula, "--out", "audit.md")
    assert "--prediction 'verb=(verb, match) < (verb, mismatch)'" in Path("audit.md").read_text(encoding="utf-8")
    gardenpath_command("suites", "export", "keys.csv", "--format", "syntaxgym", *formula, "--out", "keys.json")
    (prediction,) = find_suites("keys.json")[0].predictions
    assert str(prediction.formula) == "(verb;%match%) < (verb;%mismatch%)"
    exported = ("suites", "export", "keys.json", "--format", "syntaxgym", "--with-values", "r", "--out", "scored.json")
    assert "leave them out" in gardenpath_command(*exported, *formula).stderr


def test_repeated_columns_mean_the_same_as_one_with_commas(in_folder: Path) -> None:
    Path("keys.csv").write_text("nr,right,wrong,worse\n1,It is.,It are.,It be.\n2,We are.,We is.,We be.\n", "utf-8")
    columns = ("--columns", "good=right", "--columns", "bad=wrong,id=nr", "--columns", "bad=worse")
    assert "bad_2      It be." in gardenpath_command("suites", "show", "keys.csv", *columns).stdout
    report = {"findings": [], "warnings": [], "errors": []}
    assert json.loads(gardenpath_command("suites", "check", "keys.csv", *columns, "--json").stdout) == report
    gardenpath_command("audit", "keys.csv", *columns, "--out", "audit.md")
    assert " ".join(columns) in Path("audit.md").read_text(encoding="utf-8")
    gardenpath_command("suites", "export", "keys.csv", *columns, "--format", "pairs", "--out", "out.csv")
    assert Path("out.csv").read_text(encoding="utf-8").startswith("suite,key,item,good,bad_1,bad_2\n")
    printed = gardenpath_command("run", "keys.csv", *columns, "--print-spec").stdout
    assert 'columns = "good=right,bad=wrong,id=nr,bad=worse"' in printed


def test_damaged_weights_score_nothing_right(in_folder: Path) -> None:
    import torch

    model = tiny_llama()
    with torch.no_grad():
        model.model.norm.weight[0] = float("nan")
    folder = save_tiny(in_folder / "nan", model)
    done = gardenpath_command("run", "-m", f"hf:{folder}", "-s", "agreement", "--json")
    (row,) = json.loads(done.stdout)
    assert (done.returncode, row["correct"], row["invalid"], row["accuracy"]) == (0, 0, 32, 0.0)
    assert row["low"] is row["high"] is None
    assert "holds NaN or infinity" in done.stderr.replace("\n", " ")
    again = gardenpath_command("run", "-m", f"hf:{folder}", "-s", "agreement", "--out", "nan")
    for shown in (again, gardenpath_command("table", "nan")):
        assert "no item is valid for" in shown.stderr


def test_no_space_for_results_ends_in_a_message(in_folder: Path, llama_folder: Path) -> None:
    Path("occupied").write_text("a file, not a folder", encoding="utf-8")
    done = gardenpath_command("run", "-m", f"hf:{llama_folder}", "-s", "agreement", "--out", "occupied")
    assert done.returncode == 2
    assert "occupied cannot be written (Not a directory); a part of the path is a file" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="a small disk can be mounted by root only")
def test_a_full_disk_is_said_and_the_run_can_be_finished_elsewhere(in_folder: Path, llama_folder: Path) -> None:
    disk = in_folder / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        suite = pairs_file(in_folder / "pairs.tsv", 400)
        arguments = ["run", "-m", f"hf:{llama_folder}", "-s", str(suite)]
        full = gardenpath_command(*arguments, "--store", disk / "store.sqlite", "--out", "r")
        assert full.returncode == 0, full.stderr
        assert "the scores of" in full.stderr
        assert "are not remembered: the store" in full.stderr
        assert "400" in full.stdout
        results_full = gardenpath_command(*arguments, "--store", "store.sqlite", "--out", disk / "r")
        assert results_full.returncode == 2, results_full.stderr
        assert "r/tokens.parquet cannot be written (No space left on device); free some space" in results_full.stderr
        assert not list((disk / "r").iterdir() if (disk / "r").exists() else [])
        assert "400" in results_full.stdout  # the table is printed all the same
        finished = gardenpath_command(*arguments, "--store", "store.sqlite", "--out", "r")
        assert finished.returncode == 0
        assert "all cached" in finished.stderr
    finally:
        subprocess.run(["umount", str(disk)], check=False)


def test_a_file_name_that_is_no_text_is_refused(in_folder: Path) -> None:
    name = os.fsdecode(b"b\xff.tsv")
    for arguments in (("run", "-m", f"tsv:{name}", "-s", "agreement"), ("train", "ngram", "--corpus", name, "-o", "m")):
        done = gardenpath_process(*arguments)
        assert done.returncode == 2
        assert "udcff.tsv' is not UTF-8; rename the file" in done.stderr
        assert "Traceback" not in done.stderr


def test_values_of_regions_are_exported_and_evaluated(in_folder: Path, llama_folder: Path) -> None:
    model = f"hf:{llama_folder}"
    (row,) = printed_rows("run", "-m", model, "-s", "agreement", "--sample", "4", "--out", "r")
    export = ["suites", "export", "agreement", "--format", "syntaxgym", "--with-values", "r", "--out", "scored.json"]
    assert gardenpath_command(*export).stdout == "scored.json\n"
    (again,) = printed_rows("evaluate", "scored.json")
    assert {**row, "bos": None} == {**again, "bos": None}
    assert "leave them out" in gardenpath_command(*export, "--n", "3").stderr
    assert "give --format syntaxgym" in gardenpath_command(*export, "--format", "blimp").stderr
    gardenpath_command("suites", "export", "agreement", "--format", "syntaxgym", "--out", "plain.json")
    assert "--with-values RUN" in gardenpath_command("evaluate", "plain.json").stderr


def test_the_help_names_the_default_suites() -> None:
    first, *others = DEFAULT_SUITES
    assert len(others) == 9
    assert {suite.partition("/")[0] for suite in others} == {"syntactic-generalization"}
    text = " ".join(gardenpath_command("run", "--help").stdout.split())
    assert f"with no suite, {first} and nine suites of Hu et al. (2020)" in text
