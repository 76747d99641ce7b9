"""The models of a series as a table."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from gardenpath.commands.number_table import add_row, number_table
from gardenpath.commands.terminal import out, print_notes


def show_series(folder: Path, members: Sequence[str]) -> None:
    """Print models of a series, what must be known to compare them, and how to evaluate them."""
    from gardenpath.statistics.perplexity import perplexity_caveats
    from gardenpath.training.series import finished_members
    from gardenpath.training.specs.sizes import size_name

    finished = finished_members(folder)
    rows = [finished[name] for name in members]
    names = ("model", "size", "sample", "words", "unknown in training", "unknown held out", "perplexity per word")
    table = number_table(*names, title=f"series {folder}")
    for row in rows:
        held_out = "–" if row.held_out_unknown_rate is None else row.held_out_unknown_rate
        perplexity = "–" if row.perplexity is None else f"{row.perplexity:,.2f}"
        sample = str(row.sample)
        add_row(table, row.folder, size_name(row.size), sample, row.words, row.unknown_rate, held_out, perplexity)
    out.print(table)
    rates = {row.folder: row.held_out_unknown_rate or 0.0 for row in rows if row.perplexity is not None}
    print_notes(perplexity_caveats(rates, same_vocabulary=len(vocabularies(folder, rates)) < 2))
    models = " ".join(f"--model {folder / row.folder}" for row in rows[:2])
    more = "" if len(rows) <= 2 else " …"
    out.print(f"Evaluate them with: gardenpath run {models}{more}", markup=False, highlight=False, soft_wrap=True)


def vocabularies(folder: Path, models: Iterable[str]) -> set[str]:
    """Digests of the vocabularies of some models, each once."""
    from gardenpath.io.digest import digest_file

    files = (folder / model / name for model in models for name in ("vocabulary.json", "tokenizer.json"))
    return {digest_file(file) for file in files if file.is_file()}
