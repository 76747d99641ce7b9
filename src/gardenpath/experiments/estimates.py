"""Estimates: how long a step of an experiment takes on one core, its memory, and the size of its result.

They are the operations of a step divided by rates that were measured on one machine (`rates.json`): good to a factor of
two or three, for choosing time limits, for planning, and for the time left, which is scaled by what was seen so far.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, log
from typing import Any, Literal

from gardenpath.experiments.model_sizes import ModelSize, measure_model, read_options
from gardenpath.experiments.rates import read_rates
from gardenpath.experiments.step import Kind
from gardenpath.training.specs.architectures import Gpt2Spec, NgramSpec
from gardenpath.training.specs.parts import NeuralSpec, TrainSpec

HELD_OUT = 0.05
"""Share of the words of a corpus that its held-out text has, where nobody says."""
THREADS = 0.8
"""n threads are n to this power times as fast as one."""
WORDS = 10.0
"""Of a sentence of a suite, about."""
STATES = 256
"""Megabytes that a run gives to the states of a large model (`memory` of a run)."""
MARGIN = 1.4
"""Memory that is asked for, over what was measured: chosen, not measured, since a cluster ends steps that take more."""
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a step needs, about."""

    seconds: float
    """On so many threads as it has."""
    memory: int
    """Megabytes."""
    size: int
    """Bytes of its result."""


def estimate_training(
    architecture: str,
    options: Mapping[str, Any],
    *,
    words: int,
    types: int | None = None,
    valid_words: int | None = None,
    threads: int = 1,
) -> Estimate:
    """Estimate a training with options such as `gardenpath train` takes, on so many words.

    `types`: the words of the vocabulary, where they are known; else as many as texts of this length have.
    """
    spec = read_options(architecture, options)
    if isinstance(spec, NgramSpec):
        return estimate_ngram(spec, words)
    if not isinstance(spec, NeuralSpec):
        raise TypeError(f"{type(spec).__name__} is not the specification of a neural model")
    rates = read_rates()
    vocabulary = estimate_vocabulary(spec, words, types)
    model, length = measure_model(spec, vocabulary), tokens_per_word(spec, vocabulary)
    tokens, held_out = words * length, (words * HELD_OUT if valid_words is None else valid_words) * length
    epoch = seconds_of_epoch(architecture, model, tokens, held_out=held_out * spec.validations) / threads**THREADS
    budget = {"epochs": epoch, "tokens": epoch / max(1.0, tokens), "minutes": 60.0}[spec.budget.unit]
    reading, start = words * rates["reading"], rates["start"]["torch"]
    if isinstance(spec, Gpt2Spec):
        start += rates["start"]["transformer run"] - rates["start"]["run"]
        reading += words * rates["learning"] if spec.vocabulary == "bpe" else 0.0
    weights, numbers = training_memory(spec, model)
    memory = rates["memory"]
    return Estimate(
        seconds=start + reading + spec.budget.amount * budget,
        memory=with_margin(memory["torch"] + (weights * memory["weight"] + numbers * memory["number"]) / MEGABYTE),
        # Weights, what a training resumes from, and the words by their numbers.
        size=round(4 * model.parameters * (1 + optimizer_passes(spec)) + 4 * words),
    )


def seconds_of_beam(architecture: str, options: Mapping[str, Any], *, read: int, words: int) -> float:
    """Seconds in which a model that was trained on `words` reads so many words of a text by beam search.

    Sentences of a text share no beginnings, while those of suites, whose rate was measured, do.
    """
    spec, rates = read_options(architecture, options), read_rates()
    model = measure_model(spec, estimate_vocabulary(spec, words, None))
    return seconds_of_scoring(architecture, read / rates["distinct"], model.operations)


def training_memory(spec: TrainSpec, model: ModelSize) -> tuple[float, float]:
    """What takes memory in a training: weights, as often as they are kept, and numbers that a batch is computed with.

    The numbers are not counted one by one: an architecture has about as many for a token as the square root of its
    operations, times its layers.
    """
    layers = getattr(spec, "layers", 1)
    return model.parameters * (2 + optimizer_passes(spec)), model.batch * layers * model.operations**0.5


def optimizer_passes(spec: TrainSpec) -> int:
    """How many numbers per weight an update reads and writes: the weight, its average, what Adam keeps of gradients."""
    return {"sgd": 1, "nt-asgd": 2}.get(getattr(spec, "optimizer", "sgd"), 3)


def seconds_of_epoch(architecture: str, model: ModelSize, tokens: float, *, held_out: float) -> float:
    """Seconds of reading so many tokens with updates, and some without."""
    rate: Mapping[str, float] = read_rates()["updates"][architecture]
    share = min(1.0, tokens / model.batch)  # a corpus shorter than a batch
    update = (
        rate["update"]
        + model.levels * rate["level"]
        + 3 * model.operations * model.batch * share * rate["operation"]
        + model.parameters * rate["parameter"]
    )
    return max(1.0, tokens / model.batch) * update + held_out * model.operations * rate["operation"]


def estimate_vocabulary(spec: TrainSpec, words: int, types: int | None) -> int:
    """How many words, or tokens, a model knows: `types`, or as many as texts of this length have."""
    law = read_rates()["vocabulary"]
    limit = getattr(spec, "vocabulary_size", None)
    if isinstance(spec, Gpt2Spec) and spec.vocabulary != "words":
        return limit or 50_257
    found = types if types is not None else round(law["factor"] * words ** law["power"])
    return max(10, min(found, limit or found))


def tokens_per_word(spec: TrainSpec, vocabulary: int) -> float:
    """How many tokens a word has: more than one where they are sub-words, and the fewer of them the more."""
    if not isinstance(spec, Gpt2Spec) or spec.vocabulary == "words":
        return 1.0
    known = sorted((int(size), length) for size, length in read_rates()["subwords"].items())
    (low, most), (high, least) = known[0], known[-1]
    for below, above in pairwise(known):
        if below[0] <= vocabulary <= above[0]:
            (low, most), (high, least) = below, above
    share = log(max(low, min(high, vocabulary)) / low) / log(high / low)
    return float(most + share * (least - most))


def estimate_ngram(spec: NgramSpec, words: int) -> Estimate:
    """Estimate the counting and smoothing of an n-gram model."""
    rates = read_rates()
    rate, counted = rates["ngram"], words * spec.order
    return Estimate(
        seconds=rates["start"]["core"] + counted * rate["word"],
        memory=with_margin(rates["memory"]["core"] + counted * rate["memory"] / MEGABYTE),
        size=round(counted * rate["bytes"]),
    )


def estimate_run(
    *,
    sentences: int,
    tokens_per_sentence: float = WORDS,
    parameters: float,
    loading_bytes: int = 0,
    passes: float = 1.0,
    threads: int = 1,
) -> Estimate:
    """Estimate a run of a model with so many weights on so many sentences.

    `passes`: how often a token is read; a masked model reads it as often as a sentence has tokens.
    """
    rates = read_rates()
    tokens = sentences * tokens_per_sentence * passes
    computing = seconds_of_scoring("pretrained", tokens, 2 * parameters) / threads**THREADS
    found = finish_run(sentences, computing, loading_bytes=loading_bytes, start=rates["start"]["transformer run"])
    return replace(found, memory=found.memory + STATES)


def seconds_of_scoring(architecture: str, tokens: float, operations: float) -> float:
    """Seconds for so many tokens of sentences, of which some share their beginnings and are computed once."""
    rates = read_rates()
    rate = rates["scoring"][architecture]
    return float(tokens * rates["distinct"] * (rate["prefix"] + operations * rate["operation"]))


def finish_run(sentences: int, computing: float, *, loading_bytes: int, start: float) -> Estimate:
    """Add what every run takes: starting, loading weights, evaluating sentences and writing tables."""
    rate, memory = read_rates()["tables"], read_rates()["memory"]
    return Estimate(
        seconds=start + loading_bytes * read_rates()["loading"] + sentences * rate["sentence"] + computing,
        memory=with_margin(memory["run"] + (1.25 * loading_bytes + sentences * rate["memory"]) / MEGABYTE),
        size=round(rate["base"] + sentences * rate["bytes"]),
    )


def combine_runs(estimates: Sequence[Estimate]) -> Estimate:
    """Estimate runs that share a step: one start, and the memory of the largest."""
    return Estimate(
        seconds=sum(one.seconds for one in estimates) - (len(estimates) - 1) * read_rates()["start"]["ngram run"],
        memory=max(one.memory for one in estimates),
        size=sum(one.size for one in estimates),
    )


def estimate_trained_run(
    architecture: str,
    options: Mapping[str, Any],
    *,
    sentences: int,
    words: int,
    types: int | None = None,
    threads: int = 1,
) -> Estimate:
    """Estimate a run of a model that is trained with these options on so many words."""
    spec, start = read_options(architecture, options), read_rates()["start"]
    if isinstance(spec, NgramSpec):
        computing = seconds_of_scoring("ngram", WORDS * sentences, 0)
        return finish_run(
            sentences, computing, loading_bytes=estimate_ngram(spec, words).size, start=start["ngram run"]
        )
    vocabulary = estimate_vocabulary(spec, words, types)
    model = measure_model(spec, vocabulary)
    tokens = sentences * WORDS * tokens_per_word(spec, vocabulary)
    own = "lstm" if architecture == "multitask" else architecture
    computing = seconds_of_scoring(own, tokens, model.operations) / threads**THREADS
    kind = "transformer run" if architecture == "gpt2" else "run"
    return finish_run(sentences, computing, loading_bytes=4 * model.parameters, start=start[kind])


def estimate_step(kind: Kind | Literal["paper"], *, amount: float) -> Estimate:
    """Estimate a step of another kind.

    `amount`: words of a `generate` or `corpus`, shards of a `join`, trials of `people`, runs of a `gather` or `report`,
    bytes of the runs of an `analysis`, or of a `paper`, which is an analysis with the figures of one paper alone.
    """
    rate = read_rates()["steps"][kind]
    held = rate.get("held", rate["bytes"])  # in memory, of each
    return Estimate(
        rate["start"] + amount * rate["each"],
        with_margin(rate["memory"] + amount * held / MEGABYTE),
        round(rate["size"] + amount * rate["bytes"]),
    )


def with_margin(megabytes: float) -> int:
    """Memory to ask for: a cluster ends a step that takes more than it was given."""
    return ceil(MARGIN * megabytes)
