"""`gardenpath train … --sizes`: the same model on nested samples of a corpus, from small to large."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gardenpath.commands.corpus import number_table, reading_bar
from gardenpath.commands.terminal import err, out, say_notes
from gardenpath.commands.train_folder import check_series_folder
from gardenpath.errors import InputError

if TYPE_CHECKING:
    from gardenpath.training.series import Member, Row


def train_series(command: Callable[..., None], asked: dict[str, Any], *, split: Literal["penn", "blanks"]) -> None:
    """Give a command once for every sample of its corpus; models that the series has already are not trained again.

    `asked`: the arguments of the command, among them the sizes and the number of samples.
    """
    from gardenpath.text.reading import Reading
    from gardenpath.training.corpora.concatenate import as_lines, check_text, join_texts
    from gardenpath.training.series import (
        SAMPLES,
        finish,
        finished_rows,
        made_by,
        plan_series,
        series_of,
        write_series,
    )

    options = sample_options(asked)
    folder, reading = asked["folder"], Reading(asked["layout"], split, asked["lower"])
    check_series_folder(folder)
    if asked["valid"] is not None:
        check_text(asked["valid"], reading.layout)
    text = join_texts(asked["corpus"], reading.layout, folder / SAMPLES)
    with reading_bar(text, "Drawing samples of") as tell:
        members = plan_series(text, reading, options, folder, progress=tell)
    if asked["valid"] is not None:
        asked = {**asked, "valid": as_lines(asked["valid"], reading.layout, folder / SAMPLES)}
    series, rows = series_of(text, reading, options.seed), finished_rows(folder)
    with series_bar(members) as done:
        for place, member in enumerate(members, start=1):
            fingerprint = made_by(command.__name__, asked, member)
            before = rows.get(member.folder.name)
            if before is not None and before.made_by == fingerprint:
                say(f"{member.folder} is there already ({place} of {len(members)})")
            else:
                say(f"{member.folder} ({place} of {len(members)})")
                train_member(command, asked, member)
                rows[member.folder.name] = finish(member, fingerprint)
                write_series(folder, series, list(rows.values()))
            done(member)
    tell_series(folder, [rows[member.folder.name] for member in members])


def sample_options(asked: dict[str, Any]) -> Any:
    """Which samples are drawn; what cannot be is said before the corpus is read."""
    from gardenpath.training.corpora.sampling import SampleOptions, parse_size

    if asked["sizes"] is None:
        raise InputError("--samples: of which sizes? Give them with --sizes, such as --sizes 125k,250k,500k")
    if asked["layout"] == "trees":
        raise InputError("--layout trees: samples are drawn from texts only; leave out --sizes, or name a text")
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise InputError(
            "--sizes: several processes cannot train a series; draw the samples with `gardenpath corpus sample` and "
            "train on each with torchrun"
        )
    return SampleOptions(tuple(sorted(map(parse_size, asked["sizes"].split(",")))), asked["samples"], asked["seed"])


def train_member(command: Callable[..., None], asked: dict[str, Any], member: "Member") -> None:
    """Train one model as if its sample were all there is."""
    alone = {"sizes": None, "samples": 1, "layout": "lines"}
    out.quiet = True  # how to evaluate it is said once, of all of them
    try:
        command(**{**asked, **alone, "corpus": [member.text], "folder": member.folder, "seed": member.seed})
    finally:
        out.quiet = False


@contextmanager
def series_bar(members: "Sequence[Member]") -> "Iterator[Callable[[Member], None]]":
    """One bar over the whole series, on a terminal only; a model counts by the size of its sample."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        line = bar.add_task(f"series of {len(members)}", total=sum(member.size for member in members))
        yield lambda member: bar.advance(line, member.size)


def tell_series(folder: Path, rows: "Sequence[Row]") -> None:
    """All models of a series, what must be known to compare them, and how to go on."""
    from gardenpath.statistics.perplexity import perplexity_caveats
    from gardenpath.training.corpora.sampling import size_name

    names = ("model", "size", "sample", "words", "unknown in training", "unknown held out", "perplexity per word")
    table = number_table(*names, title=f"series {folder}")
    for row in rows:
        held_out = "–" if row.held_out_unknown_rate is None else f"{row.held_out_unknown_rate:.2%}"
        perplexity = "–" if row.perplexity is None else f"{row.perplexity:,.2f}"
        table.add_row(
            row.folder, size_name(row.size), str(row.sample), f"{row.words:,}", f"{row.unknown_rate:.2%}", held_out,
            perplexity,
        )  # fmt: skip
    out.print(table)
    rates = {row.folder: row.held_out_unknown_rate or 0.0 for row in rows if row.perplexity is not None}
    say_notes(perplexity_caveats(rates, same_vocabulary=len(vocabularies(folder, rates)) < 2))
    models = " ".join(f"--model {folder / row.folder}" for row in rows[:2])
    more = "" if len(rows) <= 2 else " …"
    out.print(f"Evaluate them with: gardenpath run {models}{more}", markup=False, highlight=False, soft_wrap=True)


def vocabularies(folder: Path, models: Iterable[str]) -> set[str]:
    """Digests of the vocabularies of some models, each once."""
    from gardenpath.io.digest import digest_file

    files = (folder / model / name for model in models for name in ("vocabulary.json", "tokenizer.json"))
    return {digest_file(file) for file in files if file.is_file()}


def say(line: str) -> None:
    """One line for the user."""
    err.print(line, markup=False, highlight=False, soft_wrap=True)
