"""How much slower an ON-LSTM trains than an LSTM of the same size, both in gardenpath's loop, in turn, in one process.

python benchmarks/on_lstm_training.py [--preset small medium shen] [--words 10000] [--updates 5] [--threads 2]

The LSTM has PyTorch's nn.LSTM in place of every layer; embedding, projection, batches, dropout of units and updates
are the same. It has no dropout of recurrent weights, which is to its advantage. `layers` is the forward and backward
pass through the layers alone, `update` all that a training does per batch. Seconds are medians, by the wall clock and
(which a busy machine bears on less) of the processor; ratios are those of the processor time.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gardenpath.training.train import use_huge_pages

use_huge_pages()

import numpy as np  # noqa: E402 - how torch takes its memory is settled before
import torch  # noqa: E402
from torch import Tensor, nn  # noqa: E402

from gardenpath.models.trained.on_lstm.module import OrderedNeuronsLM  # noqa: E402
from gardenpath.training.corpora.encoding import Corpus  # noqa: E402
from gardenpath.training.loop.loop import train_task  # noqa: E402
from gardenpath.training.prepare.lstm import on_lstm_shape  # noqa: E402
from gardenpath.training.specs.architectures import OnLstmSpec  # noqa: E402
from gardenpath.training.specs.budget import Budget  # noqa: E402
from gardenpath.training.specs.parts import Optimisation  # noqa: E402
from gardenpath.training.tasks.language_model import LanguageModelTask, build_task  # noqa: E402

WARM_UP = 2
SHAPES = {
    **{name: {"preset": name} for name in OnLstmSpec.PRESETS},
    "medium": {"embedding": 256, "width": 256, "layers": 2, "chunk": 8, "steps": 35},
}


class PlainLayer(nn.Module):
    """An nn.LSTM in place of a layer of ordered neurons."""

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.rnn = nn.LSTM(inputs, width)

    def forward(self, inputs: Tensor, before: tuple[Tensor, Tensor], *_: Any) -> tuple[Tensor, Tensor]:
        hidden, (_, cell) = self.rnn(inputs, (before[0][None].contiguous(), before[1][None].contiguous()))
        return hidden, cell[0]


def as_lstm(module: OrderedNeuronsLM) -> None:
    """Replace the layers by LSTMs."""
    read = (module.options.embedding, *module.options.widths[:-1])
    pairs = zip(read, module.options.widths, strict=True)
    module.layers = nn.ModuleList(PlainLayer(inputs, width) for inputs, width in pairs)


def build(name: str, words: int, *, plain: bool, updates: int) -> LanguageModelTask:
    """A model and random words to learn: how fast they are learned does not depend on what they are."""
    spec = OnLstmSpec.from_fields({"corpus": "none", "valid": "none", "out": "none", **SHAPES[name]})
    rng = np.random.default_rng(0)
    n = spec.batch * spec.steps * (updates + WARM_UP + 1)
    corpora = [
        Corpus(rng.integers(2, words, size=size, dtype=np.int32), 1, size, 0, {}, f"random-{size}")
        for size in (n, spec.batch * spec.steps)
    ]
    task = build_task(on_lstm_shape(spec, words), (corpora[0], corpora[1]), spec, split="blanks", seed=0)
    if plain:
        as_lstm(task.module)
    return task


def update_steps(task: LanguageModelTask, folder: Path) -> Callable[[], object]:
    """One more update of a training."""
    options = Optimisation(budget=Budget(40), learning_rate=0.1, checkpoint_every=1e9)
    steps: Iterator[object] = train_task(task, options, folder)
    return lambda: next(steps)


def layer_passes(task: LanguageModelTask) -> Callable[[], object]:
    """Forward and backward through the layers alone."""
    module, batching = task.module, task.batching
    inputs = torch.randn(batching.steps, batching.batch, module.options.embedding)

    def run() -> None:
        hidden = inputs.clone().requires_grad_()
        for layer, before in zip(module.layers, module.split(None, batching.batch), strict=True):
            hidden, _ = layer(hidden, before)
        hidden.sum().backward()
        module.zero_grad()

    return run


def measure(contenders: dict[str, Callable[[], object]], repeats: int) -> dict[str, tuple[float, float]]:
    """Median seconds by the clock and of the processor, in turn."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in contenders}
    for repeat in range(WARM_UP + repeats):
        for name, run in contenders.items():
            before = time.perf_counter(), time.process_time()
            run()
            if repeat >= WARM_UP:
                found[name].append((time.perf_counter() - before[0], time.process_time() - before[1]))
    return {
        name: (statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs))
        for name, pairs in found.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", nargs="+", choices=sorted(SHAPES), default=["small", "medium", "shen"])
    parser.add_argument("--words", type=int, default=10_000)
    parser.add_argument("--updates", type=int, default=5)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    print(f"{arguments.words:,} words, {arguments.threads} threads, medians of {arguments.updates}")
    print(f"{'':24}{'ON-LSTM':>18}{'LSTM':>18}{'ratio':>8}{'tokens/s':>10}")
    for name in arguments.preset:
        pair = [build(name, arguments.words, plain=plain, updates=arguments.updates) for plain in (False, True)]
        tokens = pair[0].batching.batch * pair[0].batching.steps
        with tempfile.TemporaryDirectory() as folder:
            trials = {
                "layers": [layer_passes(task) for task in pair],
                "update": [update_steps(task, Path(folder) / str(number)) for number, task in enumerate(pair)],
            }
            for what, runs in trials.items():
                found = measure(dict(zip(("ordered", "plain"), runs, strict=True)), arguments.updates)
                (wall, own), (plain_wall, plain_own) = found["ordered"], found["plain"]
                cells = f"{wall:>9.3f} {own:>6.3f} s{plain_wall:>9.3f} {plain_own:>6.3f} s"
                print(f"{name + ', ' + what:24}{cells}{own / plain_own:>8.2f}{tokens / wall:>10,.0f}", flush=True)


if __name__ == "__main__":
    main()
