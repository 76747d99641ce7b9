"""Tokens per second of training an LSTM language model: gardenpath beside a plain PyTorch loop.

python benchmarks/lstm_training.py [--words 1000000] [--rows 20] [--batches 20] [--repeats 3] [--threads 2] [--epochs 0]

The plain loop is that of PyTorch's word language model example: the same layers, vocabulary, batches, dropout, clipping
and updates. Both train on the same text, in turn, each time in a process of its own; the first batches are not timed.
The third line gives the plain loop the huge pages that gardenpath asks the system for, the fourth trains with
`--sampled 3000` (its loss is over fewer words and does not compare). With --epochs, gardenpath then
trains that long, and its speed and perplexity after each epoch are printed.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gardenpath.training.train import use_huge_pages
from ngram_estimation import TEXT, shorten
from quiet import busy_seconds, wait_for_quiet

WARM_UP = 3
SAMPLED, WITH_SAMPLES = 3000, "gardenpath, sampled"
STEPS, WIDTH, LAYERS, DROPOUT, RATE, CLIP = 35, 256, 2, 0.2, 20.0, 0.25


def plain(ids: "object", vocabulary: int, rows: int, batches: int) -> tuple[float, float, float]:
    """Seconds and processor seconds for so many batches of the example's loop, and the loss of the last."""
    import numpy as np
    import torch
    from torch import nn
    from torch.nn import functional

    class RNNModel(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.drop = nn.Dropout(DROPOUT)
            self.encoder = nn.Embedding(vocabulary, WIDTH)
            self.rnn = nn.LSTM(WIDTH, WIDTH, LAYERS, dropout=DROPOUT)
            self.decoder = nn.Linear(WIDTH, vocabulary)
            nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
            nn.init.zeros_(self.decoder.bias)
            nn.init.uniform_(self.decoder.weight, -0.1, 0.1)

        def forward(self, words, hidden):
            output, hidden = self.rnn(self.drop(self.encoder(words)), hidden)
            decoded = self.decoder(self.drop(output)).view(-1, vocabulary)
            return functional.log_softmax(decoded, dim=1), hidden

    torch.manual_seed(0)
    model, criterion = RNNModel(), nn.NLLLoss()
    data = torch.from_numpy(np.asarray(ids, dtype=np.int64))
    data = data[: len(data) // rows * rows].view(rows, -1).t().contiguous()
    hidden = (torch.zeros(LAYERS, rows, WIDTH), torch.zeros(LAYERS, rows, WIDTH))
    for batch in range(WARM_UP + batches):
        if batch == WARM_UP:
            start, used = time.perf_counter(), time.process_time()
        start = batch * STEPS
        words, targets = data[start : start + STEPS], data[start + 1 : start + 1 + STEPS].reshape(-1)
        model.zero_grad()
        hidden = tuple(state.detach() for state in hidden)
        output, hidden = model(words, hidden)
        loss = criterion(output, targets)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        for parameter in model.parameters():
            parameter.data.add_(parameter.grad, alpha=-RATE)
        total = loss.item()
    return time.perf_counter() - start, time.process_time() - used, total


def gardenpath(task: "object", batches: int) -> tuple[float, float, float]:
    """Seconds and processor seconds for so many batches of gardenpath's loop, and the loss of the last."""
    from itertools import islice

    from gardenpath.training.loop.loop import train_task
    from gardenpath.training.specs.budget import Budget
    from gardenpath.training.specs.parts import Optimisation

    options = Optimisation(budget=Budget(40), learning_rate=RATE, clip=CLIP, checkpoint_every=1e9)
    with tempfile.TemporaryDirectory() as folder:
        steps = train_task(task, options, Path(folder))
        for _ in islice(steps, WARM_UP):
            pass
        start, used = time.perf_counter(), time.process_time()
        *_, last = islice(steps, batches)
        return time.perf_counter() - start, time.process_time() - used, last.loss


def build(text: Path, folder: Path, rows: int, sampled: int | None = None) -> "object":
    """The corpus, encoded once and kept in the folder, and an LSTM for it."""
    from gardenpath.models.trained.lstm import RecurrentOptions
    from gardenpath.text.reading import Reading
    from gardenpath.text.vocabulary import read_vocabulary
    from gardenpath.training.corpora.encoding import encode_corpus
    from gardenpath.training.corpora.word_counts import count_words, vocabulary_of
    from gardenpath.training.specs.parts import Batching, VocabularyChoice
    from gardenpath.training.tasks.language_model import build_task

    reading = Reading()
    if not (folder / "vocabulary.json").exists():
        vocabulary = vocabulary_of(count_words(text, reading), VocabularyChoice())
        (folder / "vocabulary.json").write_text(vocabulary.to_json(), encoding="utf-8")
    vocabulary = read_vocabulary(folder / "vocabulary.json")
    corpora = [encode_corpus(path, reading, vocabulary, folder) for path in (text, TEXT.with_name("valid.txt"))]
    shape = RecurrentOptions(len(vocabulary), WIDTH, WIDTH, LAYERS, DROPOUT, tied=False)
    return build_task(shape, tuple(corpora), Batching(batch=rows, steps=STEPS, sampled=sampled), split="penn", seed=0)


def contend(name: str, text: Path, folder: Path, *, rows: int, batches: int) -> None:
    """One contender, in the process that was started for it."""
    task = build(text, folder, rows, SAMPLED if name == WITH_SAMPLES else None)
    if name in ("gardenpath", WITH_SAMPLES):
        seconds, used, loss = gardenpath(task, batches)
    else:
        seconds, used, loss = plain(task.corpus.ids, task.module.options.vocabulary, rows, batches)
    tokens = rows * STEPS * batches
    size = task.options["vocabulary"]
    print(json.dumps({"rate": tokens / seconds, "busy_rate": tokens / used, "loss": loss, "vocabulary": size}))


def epochs(text: Path, folder: Path, *, rows: int, number: int) -> None:
    """Train for some epochs; speed and perplexity after each."""
    from gardenpath.training.loop.loop import train_task
    from gardenpath.training.specs.budget import Budget
    from gardenpath.training.specs.parts import Optimisation

    options = Optimisation(budget=Budget(number), learning_rate=RATE, clip=CLIP)
    for step in train_task(build(text, folder, rows), options, folder / "model"):
        if step.validation is not None:
            print(
                f"epoch {step.epoch}: {step.tokens_per_second:,.0f} tokens/s, loss {step.loss:.2f}, "
                f"validation perplexity {step.validation.perplexity:.1f}",
                flush=True,
            )


def undisturbed(command: list[str], tries: int = 3) -> dict[str, float]:
    """The result of a contender; a run during which other programs took over a tenth of a core is repeated."""
    for _ in range(tries):
        wait_for_quiet(patience=60)
        start, before, own = time.perf_counter(), busy_seconds(), own_seconds()
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        others = busy_seconds() - before - (own_seconds() - own)
        result: dict[str, float] = json.loads(done.stdout)
        result["others"] = others / (time.perf_counter() - start)
        if result["others"] <= 0.1:
            break
    return result


def own_seconds() -> float:
    """Processor time of this process and those it has started."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def show(found: dict[str, list[dict[str, float]]]) -> None:
    """Medians over the repeats; the last two columns are ratios, by the clock and by processor time."""
    print(f"{'':20}{'tokens/s':>10}{'per processor s':>17}{'last loss':>11}{'gardenpath /':>14}{'(processor)':>13}")
    middles = {
        name: [statistics.median(result[key] for result in results) for key in ("rate", "busy_rate", "loss")]
        for name, results in found.items()
    }
    own = middles["gardenpath"]
    for name, (rate, busy, loss) in middles.items():
        print(f"{name:20}{rate:>10,.0f}{busy:>17,.0f}{loss:>11.3f}{own[0] / rate:>14.2f}{own[1] / busy:>13.2f}")
    for name, results in found.items():
        rates = "  ".join(f"{result['rate']:,.0f}{'*' * (result['others'] > 0.1)}" for result in results)
        print(f"{name}, every run: {rates}")
    if any(result["others"] > 0.1 for results in found.values() for result in results):
        print("* other programs took more than a tenth of a core: these ratios do not count")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, default=TEXT)
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=20)
    parser.add_argument("--batches", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=0)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--contender", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    rows, batches = arguments.rows, arguments.batches
    if arguments.contender is not None:
        if arguments.contender != "plain":
            use_huge_pages()
        import torch

        torch.set_num_threads(arguments.threads)
        contend(arguments.contender, arguments.text, arguments.folder, rows=rows, batches=batches)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = shorten(arguments.text, arguments.words, folder / "text.txt")
        build(text, folder, rows)
        found: dict[str, list[dict[str, float]]] = {
            "gardenpath": [],
            "plain": [],
            "plain, huge pages": [],
            WITH_SAMPLES: [],
        }
        for _ in range(arguments.repeats):
            for contender, results in found.items():
                command = [sys.executable, __file__, "--contender", contender, "--text", str(text), "--folder", name]
                command += ["--rows", str(rows), "--batches", str(batches), "--threads", str(arguments.threads)]
                results.append(undisturbed(command))
        size = found["plain"][0]["vocabulary"]
        print(f"LSTM {LAYERS}x{WIDTH}, {size:,} words, batches of {rows} x {STEPS}, {arguments.threads} threads")
        show(found)
        if arguments.epochs:
            epochs(text, folder, rows=rows, number=arguments.epochs)


if __name__ == "__main__":
    main()
