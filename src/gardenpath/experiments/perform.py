"""One step of an experiment, done once, whoever starts it and however often."""

import json
import os
import socket
import time
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.experiments.result_digest import digest_result
from gardenpath.experiments.step import ATTEMPTS, DONE, FAILED, RESULT, Step, is_done, read_step, resolve_paths, root_of
from gardenpath.experiments.step_lock import hold_lock
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.json_text import to_json
from gardenpath.io.machine import peak_memory
from gardenpath.io.sealed_json import find_sealed, seal_record


def perform_step(folder: Path, *, on_wait: Callable[[], None], say: Callable[[str], None]) -> bool:
    """Do the step of a folder, unless it is done; whether anything was done.

    If another process is at it, wait until that ends and use its result. A step that was interrupted resumes where its
    own kind of work resumes. `say` gets lines for the log.
    """
    step, root = read_step(folder), root_of(folder)
    with hold_lock(folder, on_wait=on_wait):
        if is_done(root, step.name):
            return False
        missing = [name for name in step.inputs if not is_done(root, name)]
        if missing:
            raise InputError(f"{step.name} needs the result of {missing[0]}, which is not there; do that first")
        (folder / FAILED).unlink(missing_ok=True)
        attempts = begin_attempt(folder)
        try:
            with chdir(root):  # so that results record the same paths wherever the experiment is
                find_work(step)(resolve_paths(step.work), Path(step.name) / RESULT, say)
        except (KeyboardInterrupt, SystemExit):  # Ctrl-C and the signal to terminate
            end_attempt(folder, attempts, "interrupted")
            raise
        except BaseException as error:
            end_attempt(folder, attempts, "failed")
            record_failure(folder, f"{error}" if isinstance(error, InputError) else f"{type(error).__name__}: {error}")
            raise
        record = {"step": step.name, "digest": step.digest, "files": digest_result(folder / RESULT)}
        write_text_atomically(folder / DONE, to_json(record))
        # After done.json: no attempt is called done whose result may be made again.
        end_attempt(folder, attempts, "done")
    return True


Work = Callable[[dict[str, Any], Path, Callable[[str], None]], None]
"""Makes the result of a step in a folder, from the fields of its work."""


def find_work(step: Step) -> Work:
    """The function that does steps of a kind."""
    match step.kind:
        case "generate" | "corpus":
            from gardenpath.experiments.work import corpora

            return corpora.generate_language if step.kind == "generate" else corpora.write_corpus
        case "train":
            from gardenpath.experiments.work.training import train_model

            return train_model
        case "run" | "shard" | "join" | "people":
            from gardenpath.experiments.work import running

            found: dict[str, Work] = {
                "run": running.run_suites, "shard": running.run_one_shard, "join": running.join_run,
                "people": running.analyse_people,
            }  # fmt: skip
            return found[step.kind]
        case "gather":
            from gardenpath.experiments.work.gathering import gather_scores

            return gather_scores
        case "analysis" | "report":
            from gardenpath.experiments.work import pages

            return pages.write_analysis if step.kind == "analysis" else pages.write_report


def begin_attempt(folder: Path) -> list[dict[str, Any]]:
    """Record that a step is begun; all attempts so far, with this one."""
    found = find_sealed(folder / ATTEMPTS)
    attempts = [] if found is None else list(found["attempts"])
    attempts.append({"started": time.time(), "host": socket.gethostname(), "process": os.getpid()})
    write_text_atomically(folder / ATTEMPTS, seal_record({"attempts": attempts}))
    return attempts


def end_attempt(folder: Path, attempts: list[dict[str, Any]], state: str) -> None:
    """Record how the last attempt ended, with the most memory and the seconds of the processor that it took."""
    import resource

    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    processor = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
    attempts[-1] |= {
        "ended": time.time(), "state": state, "memory": peak_memory(), "processor": round(processor, 2),
    }  # fmt: skip
    write_text_atomically(folder / ATTEMPTS, seal_record({"attempts": attempts}))


def record_failure(folder: Path, reason: str) -> None:
    """Write failed.json."""
    write_text_atomically(folder / FAILED, json.dumps({"reason": reason}, ensure_ascii=False) + "\n")
