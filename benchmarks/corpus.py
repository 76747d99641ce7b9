"""How fast corpora are read, and in how much memory: counting, numbering, sampling, byte-pair encoding.

    python benchmarks/corpus.py ../shared/data/text/wiki/train.txt [--repeat 2]

`--repeat` reads a text that is so many times as long: memory should not grow with it.
"""

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

STAGES = ("count", "encode", "sample", "bpe")


def run_stage(stage: str, path: Path, folder: Path, workers: int | None) -> int:
    """Do one stage; how many tokens it went through."""
    from gardenpath.text.corpus_reader import map_blocks
    from gardenpath.text.reading import Reading
    from gardenpath.training.corpora.encoding import encode_words
    from gardenpath.training.corpora.sampling import sentence_lengths
    from gardenpath.training.corpora.subwords import train_bpe
    from gardenpath.training.corpora.word_counts import count_words, vocabulary_of
    from gardenpath.training.specs.parts import VocabularyChoice

    reading = Reading()
    match stage:
        case "count":
            return count_words(path, reading, workers=workers).tokens
        case "sample":
            return int(sentence_lengths(path, reading, workers=workers).sum(dtype="int64"))
        case "bpe":
            train_bpe(path, 30_000)
            return 0
    small = folder / "head.txt"
    with path.open(encoding="utf-8") as lines:
        small.write_text("".join(line for line, _ in zip(lines, range(20_000), strict=False)), encoding="utf-8")
    vocabulary = vocabulary_of(count_words(small, reading), VocabularyChoice())
    work = partial(encode_words, reading=reading, vocabulary=vocabulary)
    return sum(block.words for block in map_blocks(path, reading.layout, work, workers=workers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--stage", choices=STAGES)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, path = Path(name), arguments.path
        if arguments.stage:
            start = time.perf_counter()
            tokens = run_stage(arguments.stage, path, folder, arguments.workers)
            seconds = time.perf_counter() - start
            own, child = (
                resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
            )
            rate = f"{tokens / seconds:>12,.0f} tokens/s" if tokens else " " * 21
            print(f"{arguments.stage:<8}{seconds:8.1f} s{rate}  peak {own:6.0f} MB, largest worker {child:6.0f} MB")
            return
        if arguments.repeat > 1:
            path = folder / path.name
            with path.open("wb") as target:
                for _ in range(arguments.repeat):
                    with arguments.path.open("rb") as source:
                        shutil.copyfileobj(source, target)
        print(f"{path.name}: {path.stat().st_size / 1e6:,.0f} MB")
        for stage in STAGES:
            command = [sys.executable, __file__, str(path), "--stage", stage]
            if arguments.workers:
                command += ["--workers", str(arguments.workers)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
