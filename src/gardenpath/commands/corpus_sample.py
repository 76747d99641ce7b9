"""`gardenpath corpus sample`: nested samples of texts and treebanks."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.options import AsJson, Workers
from gardenpath.commands.progress import reading_bar
from gardenpath.commands.terminal import number_table, out
from gardenpath.training.specs.corpora import CorpusSampleSpec


def sample(
    spec: CorpusSampleSpec,
    *,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Corpus to draw from; several files are concatenated.")
    ],
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Write nested random samples: each sample contains all smaller ones of its series.

    With `--layout trees`, the corpus is a treebank (a file, or a folder of files). Samples then contain the unchanged
    trees, one per line (.mrg), and their words as written by `corpus trees --text` (.txt).

    Examples:

        gardenpath corpus sample train.txt --sizes 125k,250k,500k,1M,2M --samples 5 --out samples

        gardenpath corpus sample wsj --layout trees --sections 2-21 --sizes 250k,500k --held-out 20k --out samples
    """
    from gardenpath.training.corpora.concatenate import corpus_name
    from gardenpath.training.corpora.sampling import MANIFEST, write_samples
    from gardenpath.training.corpora.sources import find_source

    source = find_source(files, spec.layout, split=spec.split, sections=spec.sections)
    with reading_bar(files[0] if len(files) == 1 else Path(corpus_name(files))) as report:
        drawn = write_samples(source, spec, spec.out, workers=workers, progress=report)["files"]
    if as_json:
        sys.stdout.write((spec.out / MANIFEST).read_text(encoding="utf-8"))
        return
    rows = [(str(spec.out / part["file"]), part["sentences"], part["tokens"], part["budget"]) for part in drawn]
    title = f"samples of {', '.join(map(str, files))}"
    out.print(number_table("sample", "sentences", "tokens", "budget", rows=rows, title=title))
