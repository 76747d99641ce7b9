"""The command line."""

import json
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console

from gardenpath import __version__
from gardenpath.errors import InputError, InputWarning

if TYPE_CHECKING:
    from gardenpath.models.model import AnyModel
    from gardenpath.pipeline import ModelRun, RunOptions
    from gardenpath.statistics.estimate import Summary
    from gardenpath.store import Store
    from gardenpath.suites.suite import Suite

app = typer.Typer(
    help="Find out what language models know about grammar: name a model and a suite of sentences, get a table.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
suites_app = typer.Typer(help="List, show, check and export suites.", no_args_is_help=True)
models_app = typer.Typer(help="How models are named.", no_args_is_help=True)
app.add_typer(suites_app, name="suites")
app.add_typer(models_app, name="models")

out = Console()
err = Console(stderr=True)

Bos = Annotated[
    str, typer.Option("--bos", help="The symbol read before every sentence: `default`, `none`, or one of the model's.")
]
Masking = Annotated[
    Literal["within-word", "whole-word", "original"],
    typer.Option("--masking", help="How masked models hide the pieces of a word."),
]
Join = Annotated[
    Literal["natural", "space"],
    typer.Option("--join", help="`natural`: no blank before closing punctuation. `space`: always one, as SyntaxGym."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines instead of a table.")]
End = Annotated[bool, typer.Option("--end", help="Price the end of the sentence too; it belongs to no region.")]
WordBoundary = Annotated[
    Literal["none", "corrected"],
    typer.Option("--word-boundary", help="`corrected`: a word pays for its own end (Pimentel & Meister 2024)."),
]
StorePath = Annotated[
    Path | None, typer.Option("--store", help="Where scores are remembered. Default: in the user's cache folder.")
]


def version(*, asked: bool) -> None:
    """Print the version and stop."""
    if asked:
        out.print(f"gardenpath {__version__}")
        raise typer.Exit


@app.callback()
def root(
    *,
    version: Annotated[  # noqa: ARG001 - acted on by its callback
        bool, typer.Option("--version", help="Print the version.", callback=lambda asked: version(asked=asked), is_eager=True)
    ] = False,
) -> None:
    """Targeted syntactic evaluation of language models."""


@app.command()
def run(
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
    seed: Annotated[int, typer.Option("--seed", help="Of the sample.")] = 0,
    folder: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for the results. Default: runs/DATE-TIME.")
    ] = None,
    bos: Bos = "default",
    masking: Masking = "within-word",
    join: Join = "natural",
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
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Score the suites with the models, evaluate every prediction, print the table, keep everything.

    With no model the embedded one (smollm2) is used; with no suite, all built-in ones.
    A run that was interrupted goes on where it stopped when the same command is given again.

    Examples:

        gardenpath run

        gardenpath run --model hf:gpt2 --suite agreement --out runs/gpt2

        gardenpath run --model ngram:kn5.arpa --model smollm2 --suite path/to/blimp/data --sample 100
    """
    from gardenpath.models.load import DEFAULT_MODEL, load_model
    from gardenpath.pipeline import RunOptions
    from gardenpath.scoring.score import ScoreOptions

    options = RunOptions(
        ScoreOptions(end=end, word_boundary=word_boundary), normalise, str(unigrams or ""), unknown
    )
    suites = find_all(suite or None, join=join, sample_size=sample, seed=seed)
    unigram_lines = read_lines(unigrams) if unigrams else []
    started = time.monotonic()
    with opened_store(store) as opened:
        runs = []
        for spec in model or [DEFAULT_MODEL]:
            with err.status(f"Loading {spec} …"):
                loaded = load_model(spec, bos=bos, masking=masking)
            runs.append(score_and_evaluate(loaded, suites, options, store=opened, unigram_lines=unigram_lines))
    summaries = summarise_all(runs, options)
    record = {**asdict(options), "join": join, "sample": sample, "seed": seed, "bos": bos, "masking": masking}
    folder = folder or Path("runs") / time.strftime("%Y%m%d-%H%M%S")
    write_results(folder, runs, suites, record, summaries, seconds=time.monotonic() - started)
    print_summaries(summaries, as_json=as_json)
    if not as_json:
        for done in runs:
            told = "all remembered" if done.computed == 0 else f"{done.computed:,} computed now"
            err.print(f"{done.model.card.name}: {len(done.texts):,} sentences, {told}")
        err.print(f"Results are in {folder}")


def score_and_evaluate(
    model: "AnyModel",
    suites: "list[Suite]",
    options: "RunOptions",
    *,
    store: "Store",
    unigram_lines: list[str],
) -> "ModelRun":
    """Run one model over the suites with a progress bar."""
    from gardenpath.pipeline import Started, run_model

    steps = run_model(model, suites, options, store=store, unigram_lines=unigram_lines)
    with progress_bar() as bar:
        task = bar.add_task(model.card.name, total=None)
        while True:
            try:
                step = next(steps)
            except StopIteration as finished:
                done: ModelRun = finished.value
                return done
            if isinstance(step, Started):
                bar.update(task, total=step.work)
            else:
                bar.advance(task, step.work)


def summarise_all(runs: "list[ModelRun]", options: "RunOptions") -> "list[Summary]":
    """The rows of the table."""
    from gardenpath.statistics.estimate import summarise

    return [
        summarise(outcomes, model=done.model.card.name, leave_out_unknown=options.unknown == "leave-out")
        for done in runs
        for outcomes in done.outcomes
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

    from gardenpath.report.files import manifest, outcome_table, token_table, write_run

    tokens = [
        token_table(done.model.card.name, suites, done.scores, {text: row for row, text in enumerate(done.texts)})
        for done in runs
    ]
    outcomes = [outcome_table(done.model.card.name, done.outcomes) for done in runs]
    write_run(
        folder,
        tokens=polars.concat(tokens),
        outcomes=polars.concat(outcomes),
        record=manifest([done.model.card for done in runs], suites, record, summaries),
        timing={"seconds": round(seconds, 3), "computed": sum(done.computed for done in runs)},
    )


def print_summaries(summaries: "list[Summary]", *, as_json: bool) -> None:
    """The results, as a table or as JSON."""
    from gardenpath.report.files import to_json
    from gardenpath.report.tables import summary_table

    if as_json:
        sys.stdout.write(to_json([asdict(summary) for summary in summaries]))
    else:
        out.print(summary_table(summaries))


@app.command()
def score(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A model; see `gardenpath models list`.")],
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="One sentence per line; `-` reads standard input.")] = "-",
    *,
    layout: Annotated[Literal["tsv", "jsonl"], typer.Option("--format", help="Of what is written.")] = "tsv",
    bos: Bos = "default",
    masking: Masking = "within-word",
    end: End = False,
    word_boundary: WordBoundary = "none",
) -> None:
    """Write the surprisal of every token, in bits: one row per token.

    Example: echo "The keys to the cabinet are lost." | gardenpath score smollm2 -
    """
    from gardenpath.models.load import load_model
    from gardenpath.scoring.score import ScoreOptions

    sentences = read_lines(None if file == "-" else Path(file))
    with err.status(f"Loading {spec} …"):
        model = load_model(spec, bos=bos, masking=masking)
    scores = score_lines(model, sentences, ScoreOptions(end=end, word_boundary=word_boundary))
    if layout == "tsv":
        sys.stdout.write("sentence\ttoken\ttext\tstart\tend\tbits\tknown\n")
    for number, sentence in enumerate(sentences):
        surprisals = scores[number]
        rows = [
            (sentence[token.start : token.end], token.start, token.end, float(bits), token.known)
            for token, bits in zip(surprisals.tokens, surprisals.bits, strict=True)
        ]
        if surprisals.end_bits is not None:
            rows.append(("</s>", len(sentence), len(sentence), surprisals.end_bits, True))
        for place, row in enumerate(rows):
            sys.stdout.write(token_row(number, place, row, layout))


def token_row(sentence: int, place: int, row: tuple[str, int, int, float, bool], layout: str) -> str:
    """One token as a line; a missing price is nan in a table and null in JSON."""
    text, start, end, bits, known = row
    if layout == "tsv":
        return f"{sentence}\t{place}\t{text}\t{start}\t{end}\t{bits:.6f}\t{str(known).lower()}\n"
    from gardenpath.report.files import without_nan

    names = ("sentence", "token", "text", "start", "end", "bits", "known")
    record = dict(zip(names, (sentence, place, text, start, end, bits, known), strict=True))
    return json.dumps(without_nan(record), ensure_ascii=False) + "\n"


def score_lines(model: "AnyModel", lines: list[str], options: Any) -> Any:
    """Score sentences with a progress bar."""
    from gardenpath.scoring.score import Scoring

    scoring = Scoring(model, lines, options)
    with progress_bar() as bar:
        task = bar.add_task(model.card.name, total=scoring.work)
        for step in scoring.run():
            bar.advance(task, step.work)
    return scoring.scores()


@app.command()
def perplexity(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A model; see `gardenpath models list`.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One sentence per line.")],
    *,
    bos: Bos = "default",
    end: End = False,
    as_json: AsJson = False,
) -> None:
    """Perplexity of a model on a text, per token and per word (what blanks separate).

    Per word, models with different vocabularies can be compared; every line is read on its own.
    """
    from gardenpath.models.load import load_model
    from gardenpath.models.model import TextModel
    from gardenpath.scoring.score import ScoreOptions
    from gardenpath.statistics.perplexity import measure_perplexity

    lines = read_lines(file)
    with err.status(f"Loading {spec} …"):
        model = load_model(spec, bos=bos)
    if isinstance(model, TextModel) and model.card.decisions.get("score") == "pseudo-log-likelihood":
        raise InputError(f"model {spec!r} is a masked model: its scores are no probabilities, so it has no perplexity")
    measured = measure_perplexity(score_lines(model, lines, ScoreOptions(end=end)), lines)
    if as_json:
        from gardenpath.report.files import to_json

        sys.stdout.write(to_json({"model": model.card.name, "file": str(file), **asdict(measured)}))
        return
    from rich.table import Table

    table = Table("measure", "value", title=f"{model.card.name} on {file}")
    table.columns[1].justify = "right"
    for name, value in asdict(measured).items():
        table.add_row(name.replace("_", " "), f"{value:,.3f}" if isinstance(value, float) else f"{value:,}")
    out.print(table)


@app.command()
def evaluate(
    files: Annotated[list[Path], typer.Argument(metavar="FILE|DIR...", help="SyntaxGym JSON files with region values.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Evaluate SyntaxGym files that already carry region values; no model is needed."""
    from gardenpath.evaluation.evaluate import evaluate as evaluate_suite
    from gardenpath.evaluation.margin import measured_regions
    from gardenpath.statistics.estimate import summarise
    from gardenpath.suites.formats.scored import read_region_values

    summaries = []
    for path in files_within(files):
        scored = read_region_values(path)
        # Files are written with few digits; only equal values tie.
        outcomes = evaluate_suite(scored.suite, measured_regions(scored.bits()), noise=0.0)
        summaries.extend(summarise(group, model=scored.model or "not named") for group in outcomes)
    print_summaries(summaries, as_json=as_json)


@suites_app.command("list")
def list_suites(*, as_json: AsJson = False) -> None:
    """The built-in suites."""
    from gardenpath.suites.catalog import builtin_names

    names = builtin_names()
    if as_json:
        sys.stdout.write(json.dumps([{"suite": name} for name in names], indent=2) + "\n")
        return
    for name in names:
        out.print(name)


@suites_app.command("show")
def show_suite(name: Annotated[str, typer.Argument(help="A built-in suite or a file.")], *, join: Join = "natural") -> None:
    """The design of a suite: conditions, an example item by regions, predictions, chance."""
    from gardenpath.report.designs import design

    for suite in find_all([name], join=join):
        out.print(design(suite))


@suites_app.command("check")
def check(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, folders, or built-in suites.")],
    *,
    join: Join = "natural",
    as_json: AsJson = False,
) -> None:
    """Report what a careful reader would want to know about a suite.

    Findings are warnings (exit code 0); a file that cannot be used ends with exit code 1.
    """
    from gardenpath.suites.catalog import find_suites
    from gardenpath.suites.check import check_suite

    findings = []
    unusable = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        for path in paths:
            try:
                for suite in find_suites(path, join=join):
                    findings.extend(check_suite(suite))
            except InputError as error:
                unusable.append(str(error))
    said = [str(warning.message) for warning in caught if issubclass(warning.category, InputWarning)]
    if as_json:
        rows = {"findings": [asdict(finding) for finding in findings], "warnings": said, "errors": unusable}
        sys.stdout.write(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    else:
        for warning in said:
            out.print(f"[yellow]reading[/] {warning}", highlight=False)
        for finding in findings:
            out.print(f"[yellow]{finding.kind}[/] {finding.suite}: {finding.message}", highlight=False)
        for error in unusable:
            err.print(f"[bold red]cannot be used[/] {error}", highlight=False)
        if not (said or findings or unusable):
            out.print("no findings")
    if unusable:
        raise typer.Exit(1)


@suites_app.command("export")
def export(
    name: Annotated[str, typer.Argument(help="A built-in suite or collection, a file or a folder.")],
    *,
    layout: Annotated[Literal["syntaxgym", "blimp", "pairs", "tsv"], typer.Option("--format", help="To write.")],
    path: Annotated[Path, typer.Option("--out", "-o", help="File, or folder for a collection.")],
    join: Join = "natural",
) -> None:
    """Write suites in a format of the field."""
    from gardenpath.suites.formats.write import write_suites

    written = write_suites(find_all([name], join=join), path, layout)
    for file in written:
        out.print(str(file))


@models_app.command("list")
def list_models(*, as_json: AsJson = False) -> None:
    """How a model is named, with one line on each kind."""
    from gardenpath.models.load import SPECS

    if as_json:
        sys.stdout.write(json.dumps([{"spec": spec, "meaning": text} for spec, text in SPECS.items()], indent=2) + "\n")
        return
    for spec, meaning in SPECS.items():
        out.print(f"[bold]{spec:18}[/]{meaning}", highlight=False)


def find_all(names: list[str] | None, *, join: str, sample_size: int | None = None, seed: int = 0) -> "list[Suite]":
    """The suites named, or all built-in ones."""
    from gardenpath.pipeline import sample
    from gardenpath.suites.catalog import builtin_names, find_suites

    found: list[Suite] = []
    with err.status("Reading suites …"):
        for name in names if names is not None else builtin_names():
            found.extend(find_suites(name, join="space" if join == "space" else "natural"))
    repeated = {suite.name for suite in found if sum(other.name == suite.name for other in found) > 1}
    if repeated:
        raise InputError(f"two suites are called {sorted(repeated)[0]!r}; results could not be told apart: rename one")
    return found if sample_size is None else [sample(suite, sample_size, seed=seed) for suite in found]


def files_within(paths: list[Path]) -> list[Path]:
    """The files named, and the JSON files of the folders named."""
    found: list[Path] = []
    for path in paths:
        found.extend(sorted(path.rglob("*.json")) if path.is_dir() else [path])
    if not found:
        raise InputError(f"{', '.join(map(str, paths))}: there is no JSON file in it")
    return found


def read_lines(path: Path | None) -> list[str]:
    """The sentences of a file (standard input: None), blank lines left out."""
    if path is None:
        text = sys.stdin.read()
    else:
        if not path.is_file():
            raise InputError(f"{path}: there is no such file; name a text file with one sentence per line")
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: byte {error.start} is not UTF-8; convert the file to UTF-8") from error
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError(f"{path or 'standard input'} holds no sentence; give one per line")
    return lines


@contextmanager
def opened_store(path: Path | None) -> "Iterator[Store]":
    """The store, closed afterwards."""
    from gardenpath.places import cache_folder
    from gardenpath.store import Store

    store = Store(path or cache_folder() / "surprisals.sqlite")
    try:
        yield store
    finally:
        store.close()


@contextmanager
def progress_bar() -> Iterator[Any]:
    """A bar with the time left, on a terminal only."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    ) as bar:
        yield bar


def show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Our own warnings in one line each; those of libraries are not for users."""
    if issubclass(category, InputWarning):
        err.print(f"[yellow]note:[/] {message}", highlight=False, soft_wrap=True)


def main() -> None:
    """Run the command line; what the user gave and cannot be used ends with one message and exit code 2."""
    warnings.simplefilter("always", InputWarning)
    warnings.showwarning = show_warning
    try:
        app()
    except InputError as error:
        err.print("[bold red]error:[/] ", end="")
        err.print(str(error), markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
    except KeyboardInterrupt:
        err.print("stopped; what was computed is remembered: the same command goes on from here")
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
