"""Steps that train models."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gardenpath.experiments.work.word_perplexity import record_perplexity
from gardenpath.models.trained.checkpoint_record import add_to_training, read_record
from gardenpath.training.events import Event, Note, Step
from gardenpath.training.specs.architectures import SPECS
from gardenpath.training.train import train


def train_model(work: dict[str, Any], folder: Path, say: Callable[[str], None]) -> None:
    """Train one model, or resume its training, and record which of its corpus's samples it learned from.

    work: `architecture`, `fields` of its specification, `about` its sample; of models that learn from trees, on how
    many `perplexity_words` of `perplexity_text` the perplexity of words is measured.
    """
    spec = SPECS[work["architecture"]].from_fields({**work["fields"], "out": folder})
    train(spec, on_event=lambda event: report_validation(event, say))
    recorded = read_record(folder)["training"]
    if any(recorded.get(key) != value for key, value in work["about"].items()):
        add_to_training(folder, work["about"])
    if words := work.get("perplexity_words"):
        record_perplexity(folder, Path(work["perplexity_text"]), words=words, say=say)


def report_validation(event: Event, say: Callable[[str], None]) -> None:
    """Write notes and validations of a training to the log."""
    match event:
        case Note(text):
            say(f"note: {text}")
        case Step(validation=found) if found is not None:
            say(f"epoch {event.epoch}: {found.measure} {found.perplexity:.2f} after {event.tokens:,} tokens")
        case _:
            pass
