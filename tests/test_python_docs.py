"""Every example of docs/python.md and of the README runs, and the page lists all public names."""

import re
from pathlib import Path

import pytest

import gardenpath as gp

ROOT = Path(__file__).parent.parent
ARPA = Path(__file__).parent / "data" / "kneser_ney.arpa"
SENTENCES = ["the author laughs .", "the authors laugh .", "the guard near the door sings .", "the dogs bark ."]


def python_blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.filterwarnings("ignore:the discounts of")
@pytest.mark.filterwarnings("ignore:the models read different first symbols")
def test_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    Path("model.arpa").write_bytes(ARPA.read_bytes())
    Path("train.txt").write_text("\n".join(SENTENCES * 50), encoding="utf-8")
    Path("valid.txt").write_text("\n".join(SENTENCES), encoding="utf-8")
    names: dict[str, object] = {}
    for block in python_blocks("docs/python.md"):
        code = block.replace("2 minutes", "0.05 minutes")
        exec(compile(code, "docs/python.md", "exec"), names)
    assert len(names["frame"]) > 50  # type: ignore[arg-type]
    assert list(Path("figures").glob("*.png"))
    assert Path("report.html").exists()


def test_the_page_lists_all_names() -> None:
    listed = (ROOT / "docs" / "python.md").read_text(encoding="utf-8").split("## All names")[1]
    assert sorted(re.findall(r"`(\w+)`", listed)) == gp.__all__


def test_the_example_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = python_blocks("README.md")
    names: dict[str, object] = {}
    exec(compile(block, "README.md", "exec"), names)
    assert isinstance(names["run"], gp.Run)
