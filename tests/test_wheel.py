"""The wheel and the source distribution hold all that is needed: installed elsewhere, the wheel does the demo's job."""

import os
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

import gardenpath
from gardenpath.io.extras import EXTRAS

ROOT = Path(__file__).parents[1]
CORPUS = "the keys to the cabinet are lost .\nthe key to the cabinets is lost .\n"


NEEDED = [
    "py.typed", "auditing/english.tsv", "experiments/rates.json", "experiments/shipped/hu-2020.toml",
    "experiments/workflow/Snakefile", "human/page/assets/study.js", "human/presets/maze.toml",
    "reporting/page/assets/page.html", "suites/builtin/agreement.json", "suites/builtin/blimp/passive_1.toml",
    "suites/grammar/english/frequencies.tsv", "training/corpora/generated/english.toml",
    "training/corpora/generated/words.tsv",
]  # fmt: skip
"""A file of every kind that is not Python."""


def build(target: str, source: Path, folder: Path) -> Path:
    """Build a distribution; its file."""
    # Hatchling itself, not `pip wheel`, which would fetch it into an environment of its own.
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the checkout."""
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheels"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which the wheel is installed, and nothing else."""
    installed = tmp_path_factory.mktemp("installed")
    assert wheel.name.startswith(f"gardenpath-{gardenpath.__version__}-")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*command, "--target", str(installed), str(wheel)], check=True)
    return installed


def names_in(wheel: Path) -> set[str]:
    """The files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def metadata_of(wheel: Path) -> Message:
    """The metadata of a wheel, without the description."""
    with zipfile.ZipFile(wheel) as archive:
        return message_from_string(archive.read(f"gardenpath-{gardenpath.__version__}.dist-info/METADATA").decode())


def test_the_wheel_holds_every_kind_of_file(wheel: Path) -> None:
    assert {f"gardenpath/{name}" for name in NEEDED} <= names_in(wheel)


def test_the_wheel_names_the_licences_of_its_data(wheel: Path) -> None:
    metadata = metadata_of(wheel)
    assert metadata["License-Expression"] == "MIT AND CC-BY-SA-4.0"
    assert metadata.get_all("License-File") == ["LICENSE", "NOTICE"]
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    listed = [line.strip() for line in notice.splitlines() if line.strip().startswith("src/")]
    assert len(listed) == 3
    assert all(list(ROOT.glob(name)) for name in listed)
    tables = {str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.tsv") if "\tzipf\n" in path.read_text()}
    assert tables <= set(listed)


def test_the_wheel_has_all_extras(wheel: Path) -> None:
    assert set(metadata_of(wheel).get_all("Provides-Extra", [])) == {*EXTRAS, "dev", "docs"}


def test_the_source_distribution_builds_a_whole_wheel(tmp_path: Path) -> None:
    source, unpacked, again = (tmp_path / name for name in ("source", "unpacked", "again"))
    for folder in (source, unpacked, again):
        folder.mkdir()
    with tarfile.open(build("sdist", ROOT, source)) as archive:
        archive.extractall(unpacked, filter="data")
    (folder,) = unpacked.iterdir()
    assert (folder / "tests" / "test_wheel.py").exists()
    assert (folder / "examples" / "gardenpath-lab" / "pyproject.toml").exists()
    found = {name for name in names_in(build("wheel", folder, again)) if name.startswith("gardenpath/")}
    files = (path for path in (folder / "src").rglob("*") if path.is_file())
    assert found == {path.relative_to(folder / "src").as_posix() for path in files}
    assert {f"gardenpath/{name}" for name in NEEDED} <= found


def test_all_files_name_one_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {gardenpath.__version__}\n" in citation
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert changes.split("\n## ")[1].startswith(gardenpath.__version__)


def run(installed: Path, cwd: Path, *command: str) -> str:
    """Run a Python command that finds the wheel's gardenpath first; what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run([sys.executable, *command], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_is_typed_and_says_its_version(installed: Path, tmp_path: Path) -> None:
    code = (
        "import gardenpath; from importlib import metadata; print(gardenpath.__file__, metadata.version('gardenpath'))"
    )
    file, version = run(installed, tmp_path, "-c", code).split()
    assert Path(file).is_relative_to(installed)
    assert version == gardenpath.__version__
    assert (installed / "gardenpath" / "py.typed").exists()


def test_the_wheel_does_the_job_of_the_demo(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text(CORPUS * 4)
    module = ("-m", "gardenpath")
    assert "agreement" in run(installed, tmp_path, *module, "suites", "list")
    trained = ("--order", "2", "--min-count", "1", "--out", "model")
    run(installed, tmp_path, *module, "train", "ngram", "--corpus", "corpus.txt", *trained)
    chosen = ("--model", "model", "--suite", "agreement", "--store", "store.sqlite")
    assert "agreement" in run(installed, tmp_path, *module, "run", *chosen, "--out", "demo-run")
    run(installed, tmp_path, *module, "report", "demo-run", "--out", "report.html")
    assert "agreement" in (tmp_path / "report.html").read_text(encoding="utf-8")
