"""The wheel holds all that is needed: installed elsewhere, it does the demo's job outside of the checkout."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gardenpath

ROOT = Path(__file__).parents[1]
CORPUS = "the keys to the cabinet are lost .\nthe key to the cabinets is lost .\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which the wheel is installed, and nothing else."""
    wheels, installed = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("installed")
    # Hatchling itself, not `pip wheel`, which would fetch it into an environment of its own.
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = wheels.iterdir()
    assert wheel.name.startswith(f"gardenpath-{gardenpath.__version__}-")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*command, "--target", str(installed), str(wheel)], check=True)
    return installed


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
