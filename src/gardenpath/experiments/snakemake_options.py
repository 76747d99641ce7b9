"""Options of Snakemake: those that every experiment is run with, and those of the place where it runs."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.experiments.workflow_plan import WORKFLOW
from gardenpath.io.extras import require_extras

ALWAYS = (
    "--nolock", "--keep-going", "--rerun-triggers", "mtime", "--scheduler", "greedy", "--drop-metadata", "--nocolor",
    # Neither a user's own profile nor one in the folder changes how experiments are run, unless it is named.
    "--profile", "none", "--workflow-profile", "none",
)  # fmt: skip
ELSEWHERE = (
    # A shared file system shows the files of other machines late; a step that was ended for want of memory or time
    # is tried again with twice of both.
    "--latency-wait", "60", "--retries", "1",
)  # fmt: skip
ARRAYS = ("--slurm-array-jobs", "all", "--jobs", "unlimited")
"""All jobs of a rule that are ready are one job array.

Only without a limit on the number of jobs: the plugin (2.8.0) waits for the whole array, and would wait forever for
jobs that are held back.
"""
LIMITS_OF_JOBS = ("-j", "--jobs")


def snakemake_options(on: str, plan: Path, *, cores: int, memory: int | None, options: Sequence[str]) -> list[str]:
    """All options of Snakemake for a plan; the user's own come last, and hold where they contradict ours."""
    chosen = ["--snakefile", str(WORKFLOW), "--directory", str(plan.parent), "--config", f"plan={plan.name}", *ALWAYS]
    if on == "local":
        chosen += ["--cores", str(cores), *([] if memory is None else ["--resources", f"mem_mb={memory}"])]
    else:
        chosen += ["--executor", on, *ELSEWHERE]
        has_limit = any(option.startswith(LIMITS_OF_JOBS) for option in options)
        if on == "slurm":
            chosen += ["--slurm-requeue", *(() if has_limit else ARRAYS)]
        elif not has_limit:
            chosen += ["--jobs", "unlimited"]
    return [*chosen, *options]


def require_engine(on: str) -> None:
    """Refuse to run an experiment where Snakemake, or the plugin for a place, is not installed."""
    with require_extras("running an experiment"):
        import snakemake  # noqa: F401 - only whether it is there
    plugin = f"snakemake-executor-plugin-{on}"
    if on != "local" and find_spec(plugin.replace("-", "_")) is None:
        raise InputError(
            f"there is no way to run an experiment on {on!r}: install the executor plugin with `pip install {plugin}`, "
            "or choose `local` or `slurm`"
        )
