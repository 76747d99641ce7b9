"""The command line with slow parts, each written at once: for a test that kills it on its way."""

import os
import time

import gardenpath.runs.part_files as part_files
import gardenpath.runs.store as store
import gardenpath.scoring.score as score
from gardenpath.commands.app import main

store.Store.seconds_between_writes = part_files.PartFiles.seconds_between_writes = -1.0
compute = score.Scoring.compute


def slow_compute(*arguments, **options):
    time.sleep(float(os.environ.get("SECONDS_FOR_A_PART", "0.5")))
    return compute(*arguments, **options)


score.Scoring.compute = slow_compute  # type: ignore[method-assign]  # slowed down on purpose

if __name__ == "__main__":
    main()
