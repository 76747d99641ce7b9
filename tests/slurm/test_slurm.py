"""A real Slurm on this machine carries out the tiny experiment, with a job that is requeued; the results are the same.

It needs root and Debian's slurmctld, slurmd, slurm-client and munge (`sh tests/slurm/cluster.sh install`).
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gardenpath.experiments.engine import EngineEvent
from gardenpath.experiments.experiment import Experiment
from gardenpath.experiments.failures import read_attempts
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.step_lock import is_locked
from small_plans import attempts_of, done_files

CLUSTER = Path(__file__).with_name("cluster.sh")
DAEMONS = ("munged", "slurmctld", "slurmd", "sbatch")
QUICK = ("--slurm-init-seconds-before-status-checks", "2", "--slurm-status-command", "squeue")
"""There is no accounting, and jobs take seconds."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.geteuid() != 0 or not all(map(shutil.which, DAEMONS)),
        reason="a Slurm of one's own needs root and Debian's slurmctld, slurmd, slurm-client and munge",
    ),
    pytest.mark.skipif(Path("/etc/slurm/slurm.conf").exists(), reason="this machine belongs to a Slurm already"),
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("slurm")
    subprocess.run(["sh", str(CLUSTER), "start", str(folder)], check=True)
    yield
    subprocess.run(["sh", str(CLUSTER), "stop", str(folder)], check=True)


class RequeueOneTraining:
    """Gives the job of one training back to the queue while it is running."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.requeued = plan, ""

    def __call__(self, event: EngineEvent) -> None:
        trainings = [step.name for step in self.plan.steps.values() if step.kind == "train"]
        for name in trainings if not self.requeued else ():
            log = self.plan.root / name / "log.txt"
            if not log.exists() or "epoch 1:" not in log.read_text(encoding="utf-8"):
                continue
            if is_locked(self.plan.root / name) and requeue(read_attempts(self.plan.root / name)[-1]["process"]):
                self.requeued = name


def requeue(process: int) -> bool:
    """Give the job of a process back to the queue; whether there was one."""
    shown = subprocess.run(["scontrol", "pidinfo", str(process)], capture_output=True, text=True)
    found = re.search(r"JobId=(\d+)", shown.stdout)
    return found is not None and subprocess.run(["scontrol", "requeue", found[1]]).returncode == 0


def test_the_tiny_experiment_on_slurm_equals_the_one_on_this_machine(cluster: None, tmp_path: Path) -> None:
    experiment = Experiment.read("hu-2020", scale="tiny")
    here, there = tmp_path / "here", tmp_path / "there"
    assert experiment.run(here).is_complete
    interruption = RequeueOneTraining(experiment.plan(there))
    status = experiment.run(there, on="slurm", options=QUICK, on_event=interruption)
    assert status.is_complete, "\n".join(map(status.explain, status.failed))
    assert done_files(there) == done_files(here)
    ends = attempts_of(there)
    assert all(found.count("done") == 1 for found in ends.values())
    assert len(ends[interruption.requeued]) == 2
