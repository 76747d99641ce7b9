"""`gardenpath run`: suites and models in, a table and a folder of results out."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape

from gardenpath.commands.inputs import ColumnMap, find_all, opened_store
from gardenpath.commands.options import AsJson, Beam, Bos, End, Join, Masking, StorePath, WordBoundary
from gardenpath.commands.terminal import err, print_summaries, progress_bar, say_notes
from gardenpath.errors import InputError
from gardenpath.io.text_files import read_lines
from gardenpath.models.trained.rnng.options import DEFAULT_BEAM

if TYPE_CHECKING:
    from gardenpath.evaluation.evaluate import Outcomes
    from gardenpath.models.protocol import AnyModel
    from gardenpath.runs.pipeline import ModelRun, RunOptions
    from gardenpath.runs.store import Store
    from gardenpath.statistics.estimate import Summary
    from gardenpath.suites.suite import Suite


GROUPS = ("phenomenon", "circuit")
"""What suites can be pooled by in the table."""


def run(  # noqa: PLR0913 - every parameter is an option of the command
    *,
    model: Annotated[
        list[str] | None, typer.Option("--model", "-m", help="A model; may be repeated. See `gardenpath models list`.")
    ] = None,
    suite: Annotated[
        list[str] | None,
        typer.Option("--suite", "-s", help="A built-in suite or collection, a file or a folder; may be repeated."),
    ] = None,
    sample: Annotated[
        int | None, typer.Option("--sample", min=1, help="At most this many items per suite (and factor level).")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            help="Pool suites by `phenomenon` or `circuit`; or break each down by a factor of its items, such as `key` "
            "for Marvin & Linzen.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the sample, and of items that are drawn (blimp).")] = 0,
    folder: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for the results. Default: runs/DATE-TIME.")
    ] = None,
    bos: Bos = "default",
    masking: Masking = "within-word",
    beam: Beam = DEFAULT_BEAM,
    join: Join = "natural",
    columns: ColumnMap = None,
    end: End = False,
    word_boundary: WordBoundary = "none",
    normalise: Annotated[
        Literal["none", "mean", "character", "penlp", "slor"],
        typer.Option("--normalise", help="Divide the bits of whole sentences by their length."),
    ] = "none",
    unigrams: Annotated[
        Path | None, typer.Option("--unigrams", help="A text in which token frequencies are counted, for SLOR.")
    ] = None,
    unknown: Annotated[
        Literal["keep", "leave-out"], typer.Option("--unknown", help="What to do with items with unknown words.")
    ] = "keep",
    memory: Annotated[int, typer.Option("--memory", min=1, help="Megabytes that the model's states may take.")] = 256,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Score the suites with the models, evaluate every prediction, print the table, keep everything.

    With no model the embedded one (smollm2) is used; with no suite, the one called `agreement`.
    A run that was interrupted goes on where it stopped when the same command is given again.

    Examples:

        gardenpath run

        gardenpath run --model hf:gpt2 --suite agreement --out runs/gpt2

        gardenpath run --model ngram:kn5.arpa --model smollm2 --suite path/to/blimp/data --sample 100
    """
    from gardenpath.models.load import DEFAULT_MODEL, load_model
    from gardenpath.models.trained.checkpoint_record import expand_series
    from gardenpath.runs.pipeline import RunOptions
    from gardenpath.scoring.score import ScoreOptions
    from gardenpath.suites.catalog import DEFAULT_SUITES

    scoring = ScoreOptions(end=end, word_boundary=word_boundary, memory=memory << 20)
    options = RunOptions(scoring, normalise, str(unigrams or ""), unknown)
    suites = find_all(suite or None, join=join, columns=columns, sample_size=sample, seed=seed)
    if normalise == "slor" and unigrams is None:
        raise InputError("SLOR needs the frequencies of tokens; name a text to count them in with --unigrams")
    unigram_lines = [line.text for line in read_lines(unigrams)] if unigrams else []
    started = time.monotonic()
    with opened_store(store) as opened:
        runs = []
        for spec in expand_series(model or [DEFAULT_MODEL]):
            with err.status(f"Loading {escape(spec)} …"):
                loaded = load_model(spec, bos=bos, masking=masking, beam=beam)
            try:
                runs.append(score_and_evaluate(loaded, suites, options, store=opened, unigram_lines=unigram_lines))
            except KeyboardInterrupt:
                err.print("stopped; what was computed is remembered: the same command goes on from here")
                raise
    summaries = summarise_all(runs, suites, options, by=by)
    record = asdict(options) | {"join": join, "columns": columns, "sample": sample, "seed": seed}
    record |= {"bos": bos, "masking": masking, "beam": beam}
    record |= {"models": model or [DEFAULT_MODEL], "suites": suite or list(DEFAULT_SUITES)}
    folder = folder or Path("runs") / time.strftime("%Y%m%d-%H%M%S")
    write_results(folder, runs, suites, record, summaries, seconds=time.monotonic() - started)
    write_figures(folder, summaries)
    print_summaries(summaries, as_json=as_json)
    if not as_json:
        for done in runs:
            told = "all remembered" if done.computed == 0 else f"{done.computed:,} computed now"
            err.print(f"{done.model.card.name}: {len(done.texts):,} sentences, {told}", markup=False, highlight=False)
        err.print(f"Results are in {folder}", markup=False, highlight=False)


def write_figures(folder: Path, summaries: "list[Summary]") -> None:
    """The picture of the table, for papers and for the screen."""
    from gardenpath.reporting.figures import accuracy_figure, write_figure

    if any(summary.n for summary in summaries):
        figure = accuracy_figure(summaries)
        for ending in ("png", "svg"):
            write_figure(figure, folder / f"accuracy.{ending}")


def score_and_evaluate(
    model: "AnyModel",
    suites: "list[Suite]",
    options: "RunOptions",
    *,
    store: "Store",
    unigram_lines: list[str],
) -> "ModelRun":
    """Run one model over the suites with a progress bar."""
    from gardenpath.models.protocol import remarks_of
    from gardenpath.runs.pipeline import Started, run_model

    steps = run_model(model, suites, options, store=store, unigram_lines=unigram_lines)
    with progress_bar() as bar:
        task = bar.add_task(escape(model.card.name), total=None)
        while True:
            try:
                step = next(steps)
            except StopIteration as finished:
                done: ModelRun = finished.value
                break
            if isinstance(step, Started):
                bar.update(task, total=step.work)
                say_notes(step.notes)
            else:
                bar.advance(task, step.work)
    say_notes(remarks_of(model))
    return done


def summarise_all(
    runs: "list[ModelRun]", suites: "list[Suite]", options: "RunOptions", *, by: str | None
) -> "list[Summary]":
    """The rows of the table: one per suite and prediction, per level of the factor `by`, or per group of suites."""
    from gardenpath.statistics.estimate import by_group, by_level, summarise

    known = {level for suite in suites for item in suite.items for level in item.levels}
    if by is not None and by not in known and by not in GROUPS:
        raise InputError(
            f"no item has the factor {by!r}; the items have {', '.join(sorted(known)) or 'no factors'}: leave out "
            f"--by, or pool suites by {' or '.join(GROUPS)}"
        )
    named = {suite.name: suite for suite in suites}

    def parts(outcomes: "Sequence[Outcomes]") -> "list[Outcomes]":
        if by is None:
            return list(outcomes)
        if by in known:
            return [part for whole in outcomes for part in by_level(whole, named[whole.suite], by)]
        return by_group(outcomes, {name: getattr(suite, by) for name, suite in named.items()})

    leave_out = options.unknown == "leave-out"
    return [
        summarise(part, model=done.model.card.name, leave_out_unknown=leave_out)
        for done in runs
        for part in parts(done.outcomes)
    ]


def write_results(
    folder: Path,
    runs: "list[ModelRun]",
    suites: "list[Suite]",
    record: dict[str, Any],
    summaries: "list[Summary]",
    *,
    seconds: float,
) -> None:
    """Write the folder of a run."""
    import polars

    from gardenpath.runs.folder import manifest, outcome_table, token_table, write_run

    tokens = [
        token_table(done.model.card.name, suites, done.scores, {text: row for row, text in enumerate(done.texts)})
        for done in runs
    ]
    outcomes = [outcome_table(done.model.card.name, suites, done.outcomes) for done in runs]
    write_run(
        folder,
        tokens=polars.concat(tokens),
        outcomes=polars.concat(outcomes),
        record=manifest([done.model.card for done in runs], suites, record, summaries),
        timing={"seconds": round(seconds, 3), "computed": sum(done.computed for done in runs)},
    )
