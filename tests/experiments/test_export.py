"""An exported workflow, run by Snakemake alone, gives the same results."""

import subprocess
import sys
from pathlib import Path

import pytest

from gardenpath.experiments.export import export_workflow
from small_plans import do_directly, done_files, small_plan

pytestmark = pytest.mark.filterwarnings("ignore:the discounts of")


def test_an_exported_workflow_runs_to_the_same_results(tmp_path: Path) -> None:
    do_directly(small_plan(tmp_path / "here", tmp_path / "texts", orders=(1,)))
    written = export_workflow(small_plan(tmp_path / "exported", tmp_path / "texts", orders=(1,)))
    moved = written.parent.rename(tmp_path / "moved")
    assert len((moved / "README.md").read_text(encoding="utf-8").splitlines()) < 10
    command = [sys.executable, "-m", "snakemake", "-s", "Snakefile", "--cores", "2", "--profile", "none"]
    subprocess.run(command, cwd=moved, check=True, capture_output=True)
    assert done_files(moved) == done_files(tmp_path / "here")
