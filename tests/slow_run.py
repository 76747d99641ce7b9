"""The command line with small steps, each a little slow and written at once: for a test that kills it on its way."""

import time

import gardenpath.models.pretrained.causal as causal
import gardenpath.runs.stored_scoring as stored_scoring
from gardenpath.commands.app import main

stored_scoring.SECONDS_BETWEEN_WRITES = -1.0
step = causal.CausalModel.step


def slow_step(*arguments, **options):
    time.sleep(0.05)
    return step(*arguments, **options)


causal.CausalModel.step = slow_step  # type: ignore[method-assign]  # slowed down on purpose

if __name__ == "__main__":
    main()
