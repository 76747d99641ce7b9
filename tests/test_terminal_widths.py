"""What commands print at different widths, and into a pipe: no name and no number is cut."""

import json
import os
import pty
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import polars
import pytest
from rich.console import Console, RenderableType

from gardenpath.auditing.audit import audit
from gardenpath.auditing.finding import Audit
from gardenpath.reporting.audits import audit_table, findings_table
from gardenpath.reporting.suite_design import design_of_suite
from gardenpath.reporting.tables import comparison_table, effects_table, published_table
from gardenpath.runs.accuracy_text import summary_table
from gardenpath.runs.model_pair import SHARED_WORDS, compare_pair
from gardenpath.statistics.published import against_published
from gardenpath.suites.catalog import find_suites
from gardenpath.suites.published import published_for_suites
from gardenpath.suites.suite import Suite
from small_outcomes import outcomes, run_folder, summary_row
from test_cli import gardenpath_command

WIDTHS = (60, 80, 100, 140)
SUITES = ("syntactic-generalization/reflexive_prep_masc", "syntactic-generalization/subordination")
MODELS = ("hf:/home/anna/models/smollm2-135m-instruct", "hf:/home/anna/models/kneser-ney_of_order_5")
SYMBOLS = dict(zip(MODELS, ("<|endoftext|>", "<s>"), strict=True))


def shown(renderable: RenderableType, width: int) -> str:
    console = Console(file=StringIO(), width=width, force_terminal=False, color_system=None)
    with console.capture() as captured:
        console.print(renderable)
    return captured.get()


def check_whole(text: str, width: int, *names: str) -> None:
    """All lines fit, and every word of every name is there and whole."""
    assert max(map(len, text.splitlines())) <= width
    found = set(re.findall(r"[^/_\s-]+", text))
    for name in names:
        assert set(re.findall(r"[^/_\s-]+", name)) <= found, (name, text)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("predictions", [("published",), ("published", "the_masculine_pronoun_is_licensed")])
def test_results(width: int, predictions: tuple[str, ...]) -> None:
    numbers = {"accuracy": 0.4583, "low": 0.279, "high": 0.649, "strict_accuracy": 0.4167, "ties": 2}
    rows = [
        summary_row(model=model, suite=suite, prediction=prediction, bos=SYMBOLS[model], **numbers)
        for model in MODELS
        for suite in SUITES
        for prediction in predictions
    ]
    text = shown(summary_table(rows), width)
    check_whole(text, width, *MODELS, *SUITES, *predictions[1:], *SYMBOLS.values())
    for number in ("45.8", "27.9–64.9", "41.7"):
        assert len(re.findall(rf"\s{number}\s", text)) == len(rows)


def test_columns_that_say_nothing_are_one_line() -> None:
    *_, line = shown(summary_table([summary_row(bos="<s>")]), 100).splitlines()
    assert line.rstrip() == "In all rows: strict = accuracy, coverage 100.0, ties 0, invalid 0, first symbol <s>."
    head = shown(summary_table([summary_row(ties=1, strict_accuracy=0.7), summary_row()]), 100).splitlines()[0]
    assert head.split() == ["suite", "n", "accuracy", "95%", "interval", "strict", "chance", "ties"]


@pytest.mark.parametrize("width", WIDTHS)
def test_comparisons(tmp_path: Path, width: int) -> None:
    folder = run_folder(tmp_path / "run", {MODELS[0]: [1.0] * 20, MODELS[1]: [0.0, 1.0] * 10}, suites=SUITES)
    pair = compare_pair(folder)
    text = shown(comparison_table(pair.rows, pair.keys, pair.overall, a=pair.a, b=pair.b), width)
    ends = [model.rpartition("/")[2] for model in MODELS]
    check_whole(text, width, *SUITES, *ends, "all items", f"mean over {len(SUITES)} suites")
    assert len(re.findall(r"\s0\.\d{3}|<0\.001", text)) >= 4


def test_compared_models_of_one_name_keep_the_part_that_differs(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", {"/home/models/one/best": [1.0] * 4, "/home/models/two/best": [0.0] * 4})
    pair = compare_pair(folder)
    text = shown(comparison_table(pair.rows, pair.keys, pair.overall, a=pair.a, b=pair.b), 200)
    assert {"one/best", "two/best"} <= set(text.split())


@pytest.mark.parametrize("width", [80, 200])
def test_groups_of_comparisons_name_their_factors(tmp_path: Path, width: int) -> None:
    folder = run_folder(tmp_path / "run", {"small-model-of-order-5": [1.0] * 6, "large-model-of-order-5": [0.0] * 6})
    pair = compare_pair(folder, by="number,verb")
    text = shown(comparison_table(pair.rows, pair.keys, pair.overall, a=pair.a, b=pair.b), width)
    assert text.count("s [number=sing, verb=sleep]") == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_published_accuracies(width: int) -> None:
    suites = ["marvin-linzen/simple_agrmt", "marvin-linzen/obj_rel_within_inanim"]
    rows = [outcomes([1.0, 0.0], model=MODELS[0], suite=suite, prediction="full-sentence") for suite in suites]
    compared = against_published(rows[0].vstack(rows[1]), published_for_suites(suites))
    text = shown(published_table(compared), width).replace(",", " ")
    check_whole(text, width, *compared["suite"], *compared["reference"])


def test_published_accuracies_are_a_line_each_at_80_columns() -> None:
    suites = ["blimp/adjunct_island", "blimp/determiner_noun_agreement_with_adj_irregular_1"]
    rows = [outcomes([1.0, 0.0], model=MODELS[0], suite=suite, prediction="full-sentence") for suite in suites]
    compared = against_published(rows[0].vstack(rows[1]), published_for_suites(suites))
    lines = [line.rstrip() for line in shown(published_table(compared), 80).splitlines()]
    assert [line for line in lines if line in suites] == suites
    assert sum(line.split()[:1] == ["GPT-2"] and line.endswith("[2]") for line in lines) == len(suites)
    assert "[2] Warstadt et al. 2020, corrected results (models_summary.jsonl); ties: wrong" in lines
    assert "In all rows: prediction full-sentence." in lines
    alone = shown(published_table(compared.filter(suite=suites[0])), 80)
    assert "In all rows: suite blimp/adjunct_island, prediction full-sentence." in alone


def test_effects_name_predictions_and_break_contrasts_between_words() -> None:
    contrasts = {"effect": "nocomma_ambig − comma_ambig", "other": "nocomma_unambig − comma_unambig"}
    numbers = {"n": 9, "bits": 6.25, "low": 3.43, "high": 9.08, "p_value": 0.011}
    rows = polars.DataFrame(
        [
            {"model": "m", "suite": "npz", "effect": "contrast", "prediction": name, "contrast": contrast}
            | {"region": "verb2"} | numbers
            for name, contrast in contrasts.items()
        ]
    )  # fmt: skip
    text = shown(effects_table(rows), 80)
    assert {*contrasts, "nocomma_ambig", "comma_ambig", "comma_unambig"} <= set(text.split())
    assert not [line for line in text.splitlines() if line != line.rstrip()]
    assert "effect" not in shown(effects_table(rows.head(1)), 80)


@pytest.fixture(scope="module")
def audited() -> tuple[Suite, Audit]:
    (suite,) = find_suites("syntactic-generalization/mvrr")
    return suite, audit(suite, [])


@pytest.mark.parametrize("width", WIDTHS)
def test_audits_and_designs(audited: tuple[Suite, Audit], width: int) -> None:
    suite, found = audited
    check_whole(shown(audit_table([found]), width), width, suite.name, *(one.check for one in found.reasons))
    check_whole(shown(findings_table(found), width), width, *(one.message for one in found.findings))
    item = suite.items[0]
    sentences = [sentence.text for sentence in item.sentences.values()]
    regions = [region.name for sentence in item.sentences.values() for region in sentence.regions]
    check_whole(shown(design_of_suite(suite), width), width, *item.sentences, *sentences, *regions)


@pytest.mark.parametrize("columns", [60, 100])
def test_a_command_on_a_terminal(tmp_path: Path, columns: int) -> None:
    folder = run_folder(tmp_path / "run", {MODELS[0]: [1.0] * 20, MODELS[1]: [0.0, 1.0] * 10}, suites=SUITES)
    screen, side = pty.openpty()
    command = [sys.executable, "-m", "gardenpath", "compare", str(folder)]
    environment = os.environ | {"COLUMNS": str(columns), "TERM": "xterm", "NO_COLOR": "1"}
    done = subprocess.Popen(command, stdout=side, stderr=subprocess.DEVNULL, env=environment)
    os.close(side)
    text = ""
    while part := read_some(screen):
        text += part
    assert done.wait() == 0
    check_whole(re.sub(r"\x1b\[[\d;]*m|\r", "", text), columns, *SUITES)


def read_some(screen: int) -> str:
    """The next output on a terminal; empty at its end, which is an error on Linux."""
    try:
        return os.read(screen, 65536).decode()
    except OSError:
        return ""


def test_a_pipe_gets_whole_names(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", {MODELS[0]: [1.0] * 20, MODELS[1]: [0.0, 1.0] * 10}, suites=SUITES)
    check_whole(gardenpath_command("compare", folder).stdout, 160, *SUITES)


def on_a_terminal(width: int, *arguments: object) -> list[str]:
    """The lines that a command prints on a terminal, output and messages."""
    screen, side = pty.openpty()
    environment = os.environ | {"COLUMNS": str(width), "TERM": "xterm", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "gardenpath", *map(str, arguments)]
    with subprocess.Popen(command, stdout=side, stderr=side, env=environment):
        os.close(side)
        text = ""
        while part := read_some(screen):
            text += part
    os.close(screen)
    return [line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m|\r", "", text).splitlines()]


def test_messages_are_wrapped_between_words_on_a_terminal_and_one_line_in_a_pipe(tmp_path: Path) -> None:
    shared = [json.dumps({"verb": f"v{item // 2}"}) for item in range(12)]
    folder = run_folder(tmp_path / "run", {"lstm": [1.0] * 10 + [0.0] * 2, "ngram": [1.0] * 4 + [0.0] * 8})
    table = polars.read_parquet(folder / "outcomes.parquet")
    table.with_columns(polars.Series("fillers", shared * 2)).write_parquet(folder / "outcomes.parquet")
    legend, note = gardenpath_command("compare", folder).stderr.splitlines()
    assert note == f"note: {SHARED_WORDS}"
    lines = on_a_terminal(60, "compare", folder)
    start = next(index for index, line in enumerate(lines) if line.startswith("Difference: "))
    assert " ".join(lines[start:]) == f"{legend} {note}"
    assert max(map(len, lines[start:])) <= 60


def test_an_error_with_a_long_path_is_not_broken_inside_it(tmp_path: Path) -> None:
    missing = tmp_path / "-".join(["runs"] * 20)
    lines = on_a_terminal(60, "table", missing)
    assert any(str(missing) in line for line in lines)
    assert " ".join(lines) == gardenpath_command("table", missing).stderr.rstrip()
