"""Perplexity of models on a text."""

from collections.abc import Sequence
from dataclasses import dataclass

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.models.protocol import TextModel
from gardenpath.runs.events import OnRunEvent, ignore_event
from gardenpath.runs.model_choice import expand_choices, load_choice
from gardenpath.runs.score import score
from gardenpath.runs.spec import RunSpec
from gardenpath.statistics.perplexity import Perplexity, measure_perplexity, perplexity_caveats
from gardenpath.text.reading import Split


@dataclass(frozen=True, slots=True)
class ModelPerplexity:
    """The perplexity of one model."""

    model: str
    bos: str | None
    """The symbol it reads before every sentence."""
    measured: Perplexity
    token_digest: str
    """Digest of the text in the ids of the model's tokens."""


def measure_models(
    spec: RunSpec, sentences: Sequence[str], *, split: Split = "penn", on_event: OnRunEvent = ignore_event
) -> list[ModelPerplexity]:
    """Measure the perplexity of the models of a specification on sentences; a series stands for all its models."""
    measured = []
    for name in expand_choices(spec):
        model = load_choice(name, spec, on_event)
        if isinstance(model, TextModel) and "masking" in model.card.decisions:
            raise InputError(
                f"model {model.card.name!r} is a masked model: its scores are not probabilities, "
                "so it has no perplexity"
            )
        scores = score(model, sentences, end=spec.end, on_event=on_event)
        perplexity = measure_perplexity(scores.arrays, sentences, split=split)
        digest = digest_parts([scores.arrays.encoded.ids.tobytes()])
        measured.append(ModelPerplexity(model.card.name, model.card.bos, perplexity, digest))
    return measured


def comparison_caveats(measured: Sequence[ModelPerplexity]) -> list[str]:
    """Explain what limits a comparison of the perplexities of models."""
    # Two vocabularies that give all words of a text the same ids are the same, as far as this text shows.
    same = len({one.token_digest for one in measured}) == 1
    return perplexity_caveats({one.model: one.measured.unknown_rate for one in measured}, same_vocabulary=same)
