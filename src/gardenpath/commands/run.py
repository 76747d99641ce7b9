"""`gardenpath run`: score suites with models, print the table, write a folder of results."""

import time
from itertools import count
from pathlib import Path

from gardenpath.commands import STARTED
from gardenpath.commands.options import AsJson, Budget
from gardenpath.commands.run_display import RunDisplay, show_results
from gardenpath.commands.spec_options import command_for
from gardenpath.commands.terminal import print_json, print_line, print_rows
from gardenpath.runs.spec import RunSpec


def run_suites(spec: RunSpec, *, budget: Budget = None, as_json: AsJson = False) -> None:
    """Score suites with models, evaluate every prediction, print the table and keep all results.

    With no model, the embedded one (smollm2) is used; with no suite, `agreement` and nine suites of Hu et al. (2020).
    To resume an interrupted run where it stopped, give the same command again.

    Examples:

        gardenpath run

        gardenpath run --model hf:gpt2 --suite agreement --out runs/gpt2

        gardenpath run --model ngram:kn5.arpa --model smollm2 --suite path/to/blimp/data --sample 100

        gardenpath run --suite blimp --shard 3/7 --out shards/3

    Your own sentences: a table with the columns good and bad (CSV, TSV, .xlsx, .ods); other columns are factors.

        item,good,bad,number
        1,The keys are here.,The keys is here.,plural
        2,The key is here.,The key are here.,singular
        3,"The dogs, they say, bark.","The dogs, they say, barks.",plural
        4,"The dog, they say, barks.","The dog, they say, bark.",singular
        5,The boys near us sing.,The boys near us sings.,plural
        6,The boy near us sings.,The boy near us sing.,singular
        7,The cats that I saw run.,The cats that I saw runs.,plural
        8,The cat that I saw runs.,The cat that I saw run.,singular

        gardenpath run --suite pairs.csv --by number
    """
    if spec.shard is not None and budget is None:
        show_shard(spec, as_json=as_json)
        return
    from gardenpath.runs.budget import fit_sample
    from gardenpath.runs.run import run
    from gardenpath.runs.saving import UnsavedRunError

    folder = spec.out or new_run_folder()
    with RunDisplay() as display, display.share.printed_if_stopped(display.close):
        try:
            spec = spec if budget is None else fit_sample(spec, budget, since=STARTED, on_event=display)
            done = run(spec, out=folder, on_event=display)
        except UnsavedRunError as error:
            print_rows(error.run.manifest.results, as_json=as_json)
            raise
    show_results(done, folder, display, as_json=as_json)


def show_shard(spec: RunSpec, *, as_json: bool) -> None:
    """Compute one shard, and print what is in it."""
    from gardenpath.runs.run_shard import run_shard

    with RunDisplay() as display, display.share.printed_if_stopped(display.close):
        done = run_shard(spec, on_event=display)
    if as_json:
        shown = ("plan", "parts", "low", "high", "threads", "seconds")
        rows = [{"model": share.card["name"], "shard": done.shard, **share.record()} for share in done.shares]
        print_json([{name: row[name] for name in ("model", "shard", *shown)} for row in rows])
        return
    for line in (*display.finished, f"Shard {done.shard} is in {spec.out}; `gardenpath join` makes a run of all"):
        print_line(line)


def new_run_folder() -> Path:
    """A folder in runs/ named after the time; one that was made in the same second gets a number."""
    name = time.strftime("%Y%m%d-%H%M%S")
    names = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(path for path in map(Path("runs").joinpath, names) if not path.exists())


run = command_for(RunSpec, run_suites, positional="suites")
