"""Carrying out a plan: Snakemake runs what is missing; what was done is read from the folders of the steps."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from gardenpath.errors import InputError
from gardenpath.experiments.failures import last_lines, record_unexplained, was_started
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.snakemake_options import require_engine, snakemake_options
from gardenpath.experiments.status import Status, look_at_plan
from gardenpath.experiments.step import FAILED, Step, write_steps
from gardenpath.experiments.step_lock import hold_lock, is_locked
from gardenpath.experiments.workflow_plan import Limits, build_workflow, write_workflow_plan
from gardenpath.io.machine import count_cores, machine_memory
from gardenpath.training.loop.interruption import StopRequest, note_stop_signals

WORKFLOWS = ".workflow"
"""In the folder of an experiment: what Snakemake needs, of the last time it was carried out."""
LOG = "snakemake.log"
PAUSE = 0.2
"""Seconds between two looks at Snakemake."""
BETWEEN_EVENTS = 1.0
ENDED = (ProcessLookupError, PermissionError)
"""What a signal to a group raises after its end; on macOS the second, while nobody has waited for its processes."""
LOOKING = 20
"""Looking at the steps takes at most one part of so many of the time of one processor."""


@dataclass(frozen=True, slots=True)
class Preparing:
    """The files of some of the missing steps were written."""

    steps: int
    of: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an experiment is; about once a second."""

    status: Status


@dataclass(frozen=True, slots=True)
class Stopping:
    """A signal to stop came; the steps that are running save what they can."""


EngineEvent = Preparing | Progress | Stopping
OnEngineEvent = Callable[[EngineEvent], None]


def ignore_event(_: EngineEvent) -> None:
    """Do nothing with an event."""


def carry_out(
    plan: Plan,
    *,
    on: str = "local",
    cores: int | None = None,
    options: Sequence[str] = (),
    on_event: OnEngineEvent = ignore_event,
) -> Status:
    """Do the steps of a plan that are missing; the status at the end, which names the steps that failed.

    on: `local`, `slurm`, or the name of any other executor plugin of Snakemake.
    cores: used at once on this machine. Default: all that this process may use.
    options: more options of Snakemake.

    A step that fails stops only those that need its result. Interrupted at any moment, the same call resumes; steps
    that a killed process left running are waited for. Ctrl-C and the signal to terminate let steps save their state.
    """
    with claim_experiment(plan.root):
        steps = plan.missing()
        if steps:
            require_engine(on)
        plan.write()
        if not steps:
            return look_at_plan(plan)
        memory = machine_memory() if on == "local" else None
        prepare_steps(plan.root, steps, on_event)
        folder = fresh_folder(plan.root / WORKFLOWS)
        path = write_workflow_plan(folder, build_workflow(plan.root, steps, Limits(memory)))
        chosen = snakemake_options(on, path, cores=cores or count_cores(), memory=memory, options=options)
        began = time.time()
        with note_stop_signals(lambda: on_event(Stopping())) as stop:
            code = follow(plan, chosen, folder / LOG, stop=stop, local=on == "local", on_event=on_event)
            if stop.is_made:
                stop.obey()
        if code and not any(was_started(plan.root / step.name, began) for step in steps):
            raise InputError(f"Snakemake could not start any step; its last lines:\n{last_lines(folder / LOG)}")
        record_unexplained(plan.root, steps, since=began, log=folder / LOG)
        return look_at_plan(plan)


@contextmanager
def claim_experiment(root: Path) -> Iterator[None]:
    """Be the only process that carries out the experiment of a folder."""
    try:
        with hold_lock(root):
            yield
    except BlockingIOError as error:
        raise InputError(
            f"{root} is being worked on by another `gardenpath experiment run`; wait for it, or end it first "
            f"(`gardenpath experiment status {root}` shows how far it is)"
        ) from error


def prepare_steps(root: Path, steps: Sequence[Step], on_event: OnEngineEvent) -> None:
    """Write the files of steps that are missing, and forget why they failed before."""
    last = time.monotonic()
    for number, step in enumerate(write_steps(root, steps)):
        (root / step.name / FAILED).unlink(missing_ok=True)
        if time.monotonic() - last > BETWEEN_EVENTS:
            on_event(Preparing(number, len(steps)))
            last = time.monotonic()


def fresh_folder(parent: Path) -> Path:
    """Make an empty folder, and remove those of earlier times.

    A new name every time: a scheduler or a job of a cluster that was left behind by a killed process finds its folder
    gone, and cannot touch the new one.
    """
    shutil.rmtree(parent, ignore_errors=True)  # jobs left behind may write there at this moment
    parent.mkdir(parents=True, exist_ok=True)
    return Path(mkdtemp(prefix=time.strftime("%Y%m%d-%H%M%S-"), dir=parent))


def follow(
    plan: Plan, options: Sequence[str], log: Path, *, stop: StopRequest, local: bool, on_event: OnEngineEvent
) -> int:
    """Run Snakemake to its end, and look at the steps meanwhile; its exit code."""
    command = [sys.executable, "-m", "gardenpath.experiments.scheduler", str(os.getpid()), *options]
    with start_group(command, log) as scheduler:
        signalled, look_at = False, time.monotonic()
        # Also as long as steps that were interrupted are still saving, or outlive a scheduler that was killed.
        while scheduler.poll() is None or (local and group_works(scheduler.pid, plan)):
            if stop.is_made and not signalled:
                signalled = True
                send_stop(scheduler, to_steps=local)
            if time.monotonic() >= look_at:
                # In processor time: on a busy machine one look may take a minute, and twenty would pass to the next.
                begin, used = time.monotonic(), time.process_time()
                on_event(Progress(look_at_plan(plan)))
                look_at = begin + max(BETWEEN_EVENTS, LOOKING * (time.process_time() - used))
            time.sleep(PAUSE)
    return scheduler.returncode


def send_stop(scheduler: subprocess.Popen[bytes], *, to_steps: bool) -> None:
    """Ask for an end: Snakemake, which cancels its jobs on a cluster, and the steps on this machine."""
    with suppress(*ENDED):
        if to_steps:
            os.killpg(scheduler.pid, signal.SIGINT)
        else:
            scheduler.send_signal(signal.SIGINT)


@contextmanager
def start_group(command: Sequence[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process in a group of its own, which gets no signals of the terminal; kill the group after an error."""
    with open_log(log) as written:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=written, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        yield process
    except BaseException:
        with suppress(*ENDED):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise


@contextmanager
def open_log(path: Path) -> Iterator[int]:
    """Open a file to which another process writes as it goes."""
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        yield log
    finally:
        os.close(log)


def group_works(group: int, plan: Plan) -> bool:
    """Whether processes of a group are at steps of a plan."""
    try:
        os.killpg(group, 0)
    except ENDED:
        return False
    # The group also lives on in processes that have ended, where nobody asks how.
    return any(is_locked(plan.root / name) for name in plan.steps)
