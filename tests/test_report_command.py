"""`gardenpath report`, and the metadata of models that it takes."""

from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.runs.model_metadata import read_model_metadata, with_model_metadata
from gardenpath.runs.results import read_runs
from small_runs import SmallSuite, pairs, write_run
from test_cli import gardenpath_command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", [SmallSuite("s", pairs([1.0, -1.0, 2.0]))])


def test_a_report_is_written(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "new" / "report.html"
    done = gardenpath_command("report", folder, "--out", page, "--figures", tmp_path / "figures")
    assert done.returncode == 0, done.stderr
    assert f"The report is {page}" in done.stdout
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "<figure" in text
    assert {path.suffix for path in (tmp_path / "figures").iterdir()} >= {".png", ".svg", ".pdf", ".csv", ".tex", ".md"}


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    done = gardenpath_command("report", tmp_path, "--out", tmp_path / "report.html")
    assert done.returncode == 2
    assert "has no manifest.json" in done.stderr
    assert not (tmp_path / "report.html").exists()


def test_the_tables_of_a_paper(tmp_path: Path) -> None:
    prediction = {"full-sentence": "(*;%good%) < (*;%bad%)"}
    run = write_run(tmp_path / "run", [SmallSuite("marvin-linzen/simple_agrmt", pairs([1.0, -1.0]), prediction)])
    page = tmp_path / "page.html"
    done = gardenpath_command("report", run, "--paper", "marvin-linzen-2018", "--out", page)
    assert done.returncode == 0, done.stderr
    assert "note: Table 2 was not made: needs suites such as marvin-linzen/obj_rel_across_anim" in done.stderr
    assert "Table 1: Overall accuracies, with people" in page.read_text(encoding="utf-8")


def test_training_texts_are_for_papers(folder: Path, tmp_path: Path) -> None:
    done = gardenpath_command("report", folder, "--corpus", tmp_path / "text.txt", "--out", tmp_path / "page.html")
    assert done.returncode == 2
    assert "name the paper with --paper" in done.stderr


def metadata_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "metadata.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_metadata_fills_gaps(tmp_path: Path) -> None:
    recorded = write_run(
        tmp_path / "a", [SmallSuite("s", pairs([1.0]))], model="trained", architecture="LSTM", corpus="", words=5
    )
    silent = write_run(tmp_path / "b", [SmallSuite("s", pairs([1.0]))], model="downloaded")
    path = metadata_file(
        tmp_path, "model,architecture,corpus,words\ntrained,GPT-2,wiki,7\ndownloaded,GPT-2,web,40\nother,x,y,1\n"
    )
    results = with_model_metadata(read_runs([recorded, silent]), read_model_metadata(path))
    rows = results.models.select("model", "architecture", "corpus", "words", "seed").rows()
    assert rows == [("trained", "LSTM", "wiki", 5, None), ("downloaded", "GPT-2", "web", 40, None)]
    assert results.outcomes().select("model", "corpus", "words").rows() == [
        ("trained", "wiki", 5),
        ("downloaded", "web", 40),
    ]


def test_metadata_adds_the_shape_of_models(tmp_path: Path) -> None:
    recorded = write_run(tmp_path / "a", [SmallSuite("s", pairs([1.0]))], model="trained", layers=2, parameters=30)
    path = metadata_file(tmp_path, "model,layers,parameters,vocabulary\ntrained,9,90,50\n")
    results = with_model_metadata(read_runs([recorded]), read_model_metadata(path))
    assert results.models.select("layers", "parameters", "vocabulary", "embedding").row(0) == (2, 30, 50, None)
    assert "layers" not in results.outcomes().columns  # the shape is not repeated with every outcome


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,words\nsmall,5\n", "it needs `model`"),
        ("model,size\nsmall,5\n", "it needs `model`, and may have architecture"),
        ("model,words\nsmall,many\n", "model 'small': words is 'many', which is not a number"),
        ("model,words\nsmall,5\nsmall,6\n", "names the model 'small' twice"),
        ("model,words\nlarge,5\n", "names 'large', but the runs are of 'small'"),
    ],
)
def test_metadata_that_cannot_be_used(folder: Path, tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        with_model_metadata(read_runs([folder]), read_model_metadata(metadata_file(tmp_path, text)))


def test_a_missing_metadata_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.csv cannot be read"):
        read_model_metadata(tmp_path / "nowhere.csv")
