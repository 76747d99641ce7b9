"""A few of the kills of `benchmarks/kill_trials.py`."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "kill_trials.py"


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "train lstm", "writing"])
def test_nothing_is_lost_mixed_or_left_over(command: str) -> None:
    tried = [sys.executable, str(SCRIPT), "--kills", "3", "--only", command]
    done = subprocess.run(tried, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert command in done.stdout
