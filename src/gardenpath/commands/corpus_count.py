"""`gardenpath corpus count`: how often words and sequences of words occur in texts."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.options import AsJson, Workers
from gardenpath.commands.progress import reading_bar
from gardenpath.commands.terminal import number_table, out, print_json
from gardenpath.training.specs.corpora import CorpusCountSpec


def count(
    spec: CorpusCountSpec,
    *,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Texts, such as training corpora.")],
    each: Annotated[
        bool, typer.Option("--each", help="Also count separately each sequence of words that fits a pattern.")
    ] = False,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Count words and sequences of words in texts (Table 2 of Hu, Chen & Levy 2020); matches stay within a sentence.

    Examples:

        gardenpath corpus count train.txt --pattern himself --pattern herself --pattern themselves

        gardenpath corpus count train.txt --pattern "hurt|injured himself|herself|themselves" --each
    """
    from gardenpath.text.reading import Reading
    from gardenpath.training.corpora.pattern_counts import count_in_texts

    how = Reading(spec.layout, spec.split, spec.lower)
    counted = count_in_texts(files, spec.patterns, how, workers=workers, watch=reading_bar)
    if as_json:
        rows = [
            {"text": one.source, "tokens": one.tokens, "pattern": pattern, "count": one.count(pattern)}
            | {"per_million": one.per_million(pattern), "matches": dict(found.most_common())}
            for one in counted
            for pattern, found in one.matches.items()
        ]
        print_json(rows)
        return
    counts: list[tuple[int | str, ...]] = []
    for one in counted:
        for pattern, found in one.matches.items():
            counts.append((one.source, pattern, found.total(), f"{one.per_million(pattern):,.1f}"))
            if each:
                shares = ((words, n, f"{1e6 * n / one.tokens:,.1f}") for words, n in found.most_common())
                counts += [(one.source, f"  {words}", number, share) for words, number, share in shares]
    headings = ("text", "pattern", "count", "per million words")
    out.print(number_table(*headings, rows=counts, title="counts of words", names=2))
