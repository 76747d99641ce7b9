"""Estimates: sizes as those of the modules, times in proportion to the work, and real steps beside them."""

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from gardenpath.errors import InputError
from gardenpath.experiments.estimates import estimate_run, estimate_step, estimate_trained_run, estimate_training
from gardenpath.experiments.model_sizes import LABELS, measure_model, read_options
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.rates import read_rates
from gardenpath.experiments.step import FOLDERS, Kind, Step
from gardenpath.experiments.totals import KindTotal, summarise

VOCABULARY = 50


def build_module(architecture: str, spec: Any) -> Any:
    """The module that a training would begin with."""
    match architecture:
        case "lstm":
            from gardenpath.models.trained.lstm import RecurrentLM
            from gardenpath.training.prepare.lstm import lstm_shape

            return RecurrentLM(lstm_shape(spec, VOCABULARY))
        case "on-lstm":
            from gardenpath.models.trained.on_lstm.module import OrderedNeuronsLM
            from gardenpath.training.prepare.lstm import on_lstm_shape

            return OrderedNeuronsLM(on_lstm_shape(spec, VOCABULARY))
        case "gpt2":
            from gardenpath.models.trained.gpt2 import build_gpt2
            from gardenpath.training.prepare.gpt2 import gpt2_shape

            return build_gpt2(gpt2_shape(spec, VOCABULARY))
        case _:
            from gardenpath.models.trained.rnng.module import Rnng
            from gardenpath.training.prepare.rnng import rnng_shape

            return Rnng(rnng_shape(spec, VOCABULARY, LABELS))


@pytest.mark.parametrize(
    ("architecture", "options"),
    [
        ("lstm", {"width": 8, "layers": 2}),
        ("lstm", {"preset": "small"}),
        ("on-lstm", {"preset": "small", "layers": 3, "width": 16}),
        ("on-lstm", {"preset": "small", "tied": False}),
        ("gpt2", {"preset": "tiny"}),
        ("gpt2", {"preset": "tiny", "width": 48, "layers": 3, "heads": 4}),
        ("rnng", {"preset": "small", "width": 8, "layers": 2}),
        ("rnng", {"preset": "small", "tied": True}),
    ],
    ids=str,
)
def test_weights_are_counted_as_the_module_has_them(architecture: str, options: dict[str, Any]) -> None:
    spec = read_options(architecture, options)
    module = build_module(architecture, spec)
    assert measure_model(spec, VOCABULARY).parameters == sum(weight.numel() for weight in module.parameters())


def test_operations_of_an_lstm_by_hand() -> None:
    spec = read_options("lstm", {"width": 4, "layers": 1, "batch": 3, "steps": 5})
    size = measure_model(spec, 10)
    # Four gates of four units, each from four inputs and four units; ten words from four units; times two.
    assert size.operations == 2 * (4 * 4 * (4 + 4) + 4 * 10)
    assert (size.levels, size.batch) == (5, 15)


def test_gpt2_of_the_paper_has_its_number_of_weights() -> None:
    size = measure_model(read_options("gpt2", {"preset": "hu"}), 50_257)
    assert round(size.parameters / 1e6, 1) == 124.4  # Hu et al. 2020, Table 3


@pytest.mark.parametrize("architecture", ["lstm", "on-lstm", "gpt2", "rnng", "multitask"])
def test_twice_the_epochs_take_about_twice_the_time(architecture: str) -> None:
    one, two = (
        estimate_training(architecture, {"budget": f"{epochs} epochs"}, words=1_000_000, types=10_000)
        for epochs in (10, 20)
    )
    assert two.seconds / one.seconds == pytest.approx(2, rel=0.02)
    assert (two.memory, two.size) == (one.memory, one.size)


def test_a_budget_of_tokens_is_one_of_epochs() -> None:
    words = {"words": 1_000_000, "types": 10_000}
    tokens, epochs = (estimate_training("lstm", {"budget": budget}, **words) for budget in ("3Mtokens", "3epochs"))
    assert tokens.seconds == pytest.approx(epochs.seconds)


def test_a_budget_of_minutes_is_the_time() -> None:
    found = estimate_training("gpt2", {"budget": "30 minutes"}, words=100_000)
    assert 1800 <= found.seconds < 1900


def test_wider_models_and_longer_texts_take_longer() -> None:
    seconds = [
        estimate_training("lstm", {"width": width, "budget": "1 epochs"}, words=words).seconds
        for width, words in ((64, 10_000), (256, 10_000), (256, 1_000_000))
    ]
    assert seconds == sorted(seconds)


def test_adam_keeps_more_than_plain_descent() -> None:
    plain, adam = (
        estimate_training("lstm", {"optimizer": name, "learning_rate": 0.1}, words=1_000_000, types=10_000)
        for name in ("sgd", "adam")
    )
    weights = measure_model(read_options("lstm", {}), 10_000).parameters
    assert adam.size - plain.size == 2 * 4 * weights
    assert adam.memory > plain.memory


def test_an_unknown_architecture_is_refused() -> None:
    with pytest.raises(InputError, match="unknown architecture 'lsmt'"):
        estimate_training("lsmt", {}, words=1000)


def test_axes_of_a_series_do_not_matter() -> None:
    assert estimate_training("lstm", {"sizes": "1k,2k", "samples": 2}, words=1000) == estimate_training(
        "lstm", {}, words=1000
    )


def test_a_masked_model_reads_a_sentence_as_often_as_it_has_tokens() -> None:
    once = estimate_run(sentences=1000, parameters=1e8).seconds
    masked = estimate_run(sentences=1000, parameters=1e8, passes=10).seconds
    nothing = estimate_run(sentences=1000, parameters=0).seconds
    assert (masked - nothing) / (once - nothing) == pytest.approx(10, rel=0.2)


def test_two_threads_are_faster_than_one() -> None:
    one, two = (estimate_run(sentences=10_000, parameters=1e9, threads=threads).seconds for threads in (1, 2))
    assert one / 2 < two < one


@pytest.mark.parametrize("architecture", ["ngram", "lstm", "on-lstm", "gpt2", "rnng"])
def test_a_run_of_a_trained_model_grows_with_its_sentences(architecture: str) -> None:
    few, many = (
        estimate_trained_run(architecture, {}, sentences=sentences, words=100_000) for sentences in (100, 100_000)
    )
    assert few.seconds < many.seconds
    assert few.size < many.size


@pytest.mark.parametrize("kind", ["generate", "corpus", "join", "people", "gather", "analysis", "paper", "report"])
def test_other_steps_grow_with_their_amount(kind: Any) -> None:
    few, many = estimate_step(kind, amount=1), estimate_step(kind, amount=1_000_000)
    assert 0 < few.seconds < many.seconds
    assert few.memory > 0


def test_every_rate_is_a_number_and_none_is_negative() -> None:
    def numbers(value: Any) -> list[float]:
        return [value] if isinstance(value, int | float) else [n for one in value.values() for n in numbers(one)]

    rates = {name: value for name, value in read_rates().items() if name not in ("date", "machine", "note")}
    assert min(numbers(rates)) >= 0


def step(name: str, seconds: float, *inputs: str, kind: Kind = "run", threads: int = 1) -> Step:
    return Step(name, kind, name, {}, inputs, threads=threads, memory=10, seconds=seconds, size=7)


def test_totals_of_a_plan_by_hand(tmp_path: Path) -> None:
    steps = [step("a", 10, kind="train"), step("b", 1, "a"), step("c", 5, "a", threads=2), step("d", 2, "b", "c")]
    plan = Plan(tmp_path, "four", {one.name: one for one in steps})
    totals = summarise(plan)
    assert totals.kinds == {"train": KindTotal(1, 10, 10, 7), "run": KindTotal(3, 1 + 2 * 5 + 2, 10, 21)}
    assert totals.core_seconds == 10 + 1 + 2 * 5 + 2
    assert totals.longest == 10 + 5 + 2
    assert totals.size == 28
    assert totals.seconds_on(1) == 23
    assert totals.seconds_on(100) == 17


def test_totals_of_what_is_missing(tmp_path: Path) -> None:
    steps = [step("a", 10, kind="train"), step("b", 1, "a"), step("c", 5, "a")]
    totals = summarise(Plan(tmp_path, "three", {one.name: one for one in steps}), only=steps[1:])
    assert totals.kinds == {"run": KindTotal(2, 6, 10, 14)}
    assert totals.longest == 5


def test_every_kind_has_a_folder_and_an_estimate() -> None:
    rates = set(read_rates()["steps"]) - {"paper"}  # an analysis too, with a rate of its own
    assert rates | {"train", "run", "shard"} == set(FOLDERS)


REAL: list[tuple[str, dict[str, Any]]] = [
    ("ngram", {"order": 3}),
    ("lstm", {"preset": "small"}),
    ("on-lstm", {"preset": "small"}),
    ("gpt2", {"preset": "tiny"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("architecture", "options"), REAL, ids=[name for name, _ in REAL])
def test_real_trainings_are_within_a_factor_of_three(
    architecture: str, options: dict[str, Any], tmp_path: Path
) -> None:
    rng, words = random.Random(0), [f"word{number}" for number in range(2000)]
    lines = [" ".join(rng.choices(words, k=20)) for _ in range(2000)]
    (tmp_path / "train.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "valid.txt").write_text("\n".join(lines[:100]) + "\n", encoding="utf-8")
    fields = {"corpus": "train.txt", "valid": "valid.txt", "out": "model", **options}
    code = f"import json, gardenpath as gp; gp.train({architecture!r}, **json.loads({json.dumps(fields)!r}))"
    seconds = processor_seconds([sys.executable, "-c", code], tmp_path)
    found = estimate_training(architecture, options, words=40_000, types=2065, valid_words=2000).seconds
    assert seconds / 3 < found < seconds * 3


def processor_seconds(command: list[str], folder: Path) -> float:
    """Seconds of the processor that a program with one thread takes; other programs bear on them little."""
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", POLARS_MAX_THREADS="1")
        os.execv(command[0], command)
    _, code, used = os.wait4(child, 0)
    assert code == 0
    return used.ru_utime + used.ru_stime
