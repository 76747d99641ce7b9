"""`gardenpath study analyse`: JSON, tables, CSV, people beside models; the released responses to BLiMP."""

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars
import pytest
from rich.console import Console
from typer.testing import CliRunner

import gardenpath as gp
from gardenpath.commands import study_analyse
from gardenpath.commands.study import study
from gardenpath.human.analysis import analyse
from gardenpath.human.folder import start_study
from gardenpath.human.responses import Responses
from gardenpath.human.simulation import Crowd, simulate_choices
from small_bigram import Bigram
from small_responses import choice, collect, pairs_suite

RELEASED = Path(__file__).resolve().parents[3] / "shared/data/human/blimp_human_responses.csv"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Responses of twelve people to twelve items."""
    answers = [
        choice(f"p{person:02}", str(item), right=(person * item) % 7 > 0, rt=1000.0 + person)
        for item in range(1, 13)
        for person in range(1, 13)
    ]
    return collect(answers, [pairs_suite("keys", 12)]).save(tmp_path / "study")


def analyse_command(*words: str | Path) -> str:
    """What the command prints."""
    result = CliRunner().invoke(study, ["analyse", *map(str, words)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_json_has_the_figures_and_people_are_a_run(folder: Path) -> None:
    record = json.loads(analyse_command(folder, "--json"))
    assert record["pairs"] == 12
    assert record["individual"] == pytest.approx(record["suites"][0]["accuracy"])
    assert [row["step"] for row in record["flow"]][::9] == ["recruited", "analysed"]
    assert gp.read_run(record["people"]).models["model"].to_list() == ["people"]


def test_models_are_correlated_with_people_item_by_item(folder: Path) -> None:
    run = gp.run(models=[Bigram()], suites=[str(folder / "suites")], out=folder.parent / "models")
    record = json.loads(analyse_command(folder, "--with", folder.parent / "models", "--json"))
    (row,) = record["correlations"]
    people = gp.read_run(folder / "people").outcomes()["credit"].to_numpy()
    margins = run.outcomes()["margin"].to_numpy()
    if np.ptp(margins) > 1e-9:
        assert row["pearson"] == pytest.approx(np.corrcoef(margins, people)[0, 1])
    assert (row["model"], row["suite"], row["n"]) == ("bigram", "keys", 12)


def test_tables_are_written_and_fit_into_80_columns(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(width=80, record=True, file=io.StringIO())
    monkeypatch.setattr(study_analyse, "out", console)
    analyse_command(folder, "--csv", folder / "tables")
    printed = console.export_text()
    assert printed.index("From recruited") < printed.index("Accuracy by cell") < printed.index("Agreement")
    assert max(map(len, printed.splitlines())) <= 80
    cells = polars.read_csv(folder / "tables/cells.csv")
    assert cells["cell"].to_list() == ["keys"]
    assert {path.stem for path in (folder / "tables").glob("*.csv")} >= {"flow", "pairs", "means", "agreement"}


@pytest.mark.skipif(not RELEASED.exists(), reason="shared/data/human is not here")
def test_released_responses_by_the_two_commands(tmp_path: Path) -> None:
    def gardenpath(*words: str | Path) -> str:
        command = [sys.executable, "-m", "gardenpath", "study", *map(str, words)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    gardenpath("import", RELEASED, "--format", "mturk", "--out", tmp_path / "blimp")
    record = json.loads(gardenpath("analyse", tmp_path / "blimp", "--json"))
    assert {name: round(record[name], 3) for name in ("individual", "majority", "majority_ties_half")} == {
        "individual": 0.886, "majority": 0.964, "majority_ties_half": 0.972,
    }  # fmt: skip
    assert (record["pairs"], record["majority_correct"], record["tied_pairs"]) == (335, 323, 5)
    assert len(record["rejected"]) == 2


@pytest.mark.slow
def test_careless_participants_of_the_published_design_are_excluded_by_its_ten_easy_pairs(tmp_path: Path) -> None:
    built = start_study("marvin-linzen-2018", tmp_path / "study")
    cells = {stimulus.cell: 0.99 if stimulus.role == "catch" else 0.85 for stimulus in built.stimuli.values()}
    rng = np.random.default_rng(0)
    tables = simulate_choices(built, cells, Crowd(per_list=10, careless=0.15), rng)
    analysis = analyse(Responses(*tables, built.suites, built.spec.exclusions))
    flow = {step: people for step, people, _, _ in analysis.flow.iter_rows()}
    medians = tables[0].group_by("participant").agg(polars.col("rt").median())
    careless = set(medians.filter(polars.col("rt") < 1200)["participant"])  # they answer four times as fast
    assert len(careless) > 5
    assert not careless & set(analysis.included.sessions["participant"])
    assert flow["catch errors"] + flow["analysed"] == flow["recruited"] == 100
    assert analysis.accuracy().height == 68
