"""From a text to an ARPA file: gardenpath beside KenLM's lmplz and nltk.lm, each a process of its own.

python benchmarks/ngram_estimation.py [--text FILE] [--words 2000000] [--order 5] [--repeats 3] [--nltk-words 500000]

lmplz is the program that $LMPLZ names, or the one on the PATH; nltk is imported if it is installed. What is missing is
left out, with a message. gardenpath is timed as it is typed, `gardenpath train ngram`: it also writes the arrays of its
own reader. The two take turns, and the ratio of every turn is printed.

nltk.lm only counts in `fit`; a probability is computed on demand, from all counts. So it is timed twice, on
a shorter text (2 million words take it minutes and gigabytes): `fit` alone, beside gardenpath from the same text to the
ARPA file; and with the 100 words that follow scored, beside gardenpath and `gardenpath score` of these words.
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from quiet import wait_for_quiet

TEXT = Path(__file__).parents[2] / "shared" / "data" / "text" / "wiki" / "train.txt"

NLTK = """
import sys
from nltk.lm import KneserNeyInterpolated
from nltk.lm.preprocessing import padded_everygram_pipeline
sentences = [line.split() for line in open(sys.argv[1], encoding="utf-8")]
ngrams, words = padded_everygram_pipeline(int(sys.argv[2]), sentences)
model = KneserNeyInterpolated(int(sys.argv[2]))
model.fit(ngrams, words)
for line in open(sys.argv[3], encoding="utf-8") if sys.argv[3:] else ():
    read = ["<s>"] * (int(sys.argv[2]) - 1)
    for word in line.split():
        model.logscore(word, read[1 - int(sys.argv[2]):])
        read.append(word)
"""
SCORED = 100
"""Words that nltk.lm scores."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run took."""

    seconds: float
    processor: float
    """Seconds of all cores: on a shared machine these say more."""
    peak_mb: float


def run(command: list[str]) -> Cost:
    """One run of a program, from its start to its end; a failing one is an error, not a fast one."""
    with tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            raise RuntimeError(f"{command[0]} ended with {process.returncode}:\n{errors.read()[-1000:]}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def fastest(command: list[str], repeats: int) -> Cost:
    """The fastest of some runs."""
    costs = []
    for _ in range(repeats):
        wait_for_quiet(patience=20)
        costs.append(run(command))
    return min(costs, key=lambda cost: cost.seconds)


def take_turns(own: list[str], other: list[str], repeats: int) -> tuple[Cost, Cost]:
    """The fastest run of each of two programs that run in turns; prints the ratio of each turn."""
    turns = [(fastest(own, 1), fastest(other, 1)) for _ in range(repeats)]
    ratios = ", ".join(f"{mine.seconds / theirs.seconds:.2f} ({mine.seconds:.1f} s)" for mine, theirs in turns)
    print(f"seconds of gardenpath / lmplz, turn by turn: {ratios}")
    mine, theirs = (min(costs, key=lambda cost: cost.seconds) for costs in zip(*turns, strict=True))
    return mine, theirs


def both(first: Cost, second: Cost) -> Cost:
    """One after the other."""
    return Cost(first.seconds + second.seconds, first.processor + second.processor, max(first.peak_mb, second.peak_mb))


def lines_after(text: Path, start: Path, words: int, out: Path) -> Path:
    """The lines of a text that follow those in `start`, until they have so many words."""
    with text.open(encoding="utf-8", newline="\n") as lines, start.open(encoding="utf-8", newline="\n") as before:
        for _ in before:
            next(lines)
        kept, found = [], 0
        while found < words:
            kept.append(" ".join(next(lines).split()[: words - found]))
            found += len(kept[-1].split())
    out.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return out


def shorten(text: Path, words: int, out: Path) -> Path:
    """The first lines of a text, until they have so many words."""
    found = 0
    with text.open(encoding="utf-8", newline="\n") as lines, out.open("w", encoding="utf-8", newline="\n") as kept:
        for line in lines:
            kept.write(line)
            found += len(line.split())
            if found >= words:
                return out
    raise ValueError(f"{text} has {found:,} words, fewer than {words:,}; give --words or another --text")


def own_command(text: Path, order: int, out: Path) -> list[str]:
    """How to call gardenpath."""
    train = ["train", "ngram", "--corpus", str(text), "--order", str(order), "--out", str(out)]
    return [sys.executable, "-m", "gardenpath", *train, "--min-count", "1", "--no-tokenize"]


def lmplz_command(text: Path, order: int, out: Path) -> list[str] | None:
    """How to call lmplz, if it is there; its default is to fill 80% of the memory, which takes it longer."""
    program = os.environ.get("LMPLZ") or shutil.which("lmplz")
    if program is None:
        print("lmplz is left out: it is not on the PATH; build KenLM and name the program in LMPLZ to have it")
        return None
    return [program, "-o", str(order), "-S", "1G", "-T", f"{out.parent}/", "--text", str(text), "--arpa", str(out)]


def show(name: str, words: int, cost: Cost, own: Cost) -> None:
    """One line of the table."""
    ratios = f"{cost.seconds / own.seconds:>14.2f}{cost.processor / own.processor:>12.2f}"
    print(f"{name:24}{words:>12,}{cost.seconds:>10.2f}{cost.processor:>11.2f}{cost.peak_mb:>9.0f}{ratios}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, default=TEXT)
    parser.add_argument("--words", type=int, default=2_000_000)
    parser.add_argument("--nltk-words", type=int, default=500_000)
    parser.add_argument("--order", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    order, repeats = arguments.order, arguments.repeats
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = shorten(arguments.text, arguments.words, folder / "text.txt")
        lmplz = lmplz_command(text, order, folder / "lmplz.arpa")
        columns = f"{'seconds':>10}{'processor':>11}{'peak MB':>9}{'/ gardenpath':>14}{'processor':>12}"
        print(f"{f'{order}-grams':24}{'words':>12}{columns}")
        command = own_command(text, order, folder / "own")
        if lmplz is None:
            own = fastest(command, repeats)
            show("gardenpath", arguments.words, own, own)
        else:
            own, other = take_turns(command, lmplz, repeats)
            show("gardenpath", arguments.words, own, own)
            show("lmplz", arguments.words, other, own)
        if importlib.util.find_spec("nltk") is None:
            print("nltk.lm is left out: nltk is not installed")
            return
        text = shorten(arguments.text, arguments.nltk_words, folder / "shorter.txt")
        scored_text = lines_after(arguments.text, text, SCORED, folder / "scored_text.txt")
        nltk = [sys.executable, "-c", NLTK, str(text), str(order)]
        score = [sys.executable, "-m", "gardenpath", "score", str(folder / "shorter"), str(scored_text)]
        own = fastest(own_command(text, order, folder / "shorter"), repeats)
        show("gardenpath", arguments.nltk_words, own, own)
        show("nltk.lm, counts only", arguments.nltk_words, fastest(nltk, 1), own)
        own = both(own, fastest(score, repeats))
        show(f"gardenpath, {SCORED} words scored", arguments.nltk_words, own, own)
        show(f"nltk.lm, {SCORED} words scored", arguments.nltk_words, fastest([*nltk, str(scored_text)], 1), own)


if __name__ == "__main__":
    main()
