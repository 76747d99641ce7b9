"""Perplexity of the words of a model that learned from trees: its training measures trees with their words only."""

from collections.abc import Callable, Sequence
from pathlib import Path

from gardenpath.io.text_files import read_lines
from gardenpath.models.trained.checkpoint_record import add_to_training, read_record
from gardenpath.runs.events import RunEvent, RunNote
from gardenpath.runs.perplexity import measure_models
from gardenpath.runs.spec import RunSpec

MEASURED_ON = "perplexity_sentences"
"""In the record of a training: how many sentences its perplexity was measured on."""


def record_perplexity(folder: Path, text: Path, *, words: int, say: Callable[[str], None]) -> None:
    """Measure the perplexity of a trained model on about so many words of a text, ends included, and record it.

    Sentences are spread evenly over the text. What was measured of the same weights before is kept: training on writes
    a new record.
    """
    sentences = take_evenly([line.text for line in read_lines(text)], words)
    if read_record(folder)["training"].get(MEASURED_ON) == len(sentences):
        return
    say(f"measuring the perplexity of words on {len(sentences):,} sentences")
    spec = RunSpec.from_fields({"models": [str(folder)], "end": True})
    (found,) = measure_models(spec, sentences, on_event=lambda event: report_note(event, say))
    perplexity = found.measured.perplexity_per_word
    add_to_training(folder, {"perplexity": perplexity, MEASURED_ON: len(sentences)})
    say(f"perplexity {perplexity:.2f} per word, over {found.measured.words:,} words and ends of sentences")


def take_evenly(sentences: Sequence[str], words: int) -> list[str]:
    """Take sentences at equal distances, so many that they have about the given number of words.

    >>> take_evenly(["a b", "c d", "e f", "g h"], 4)
    ['a b', 'e f']
    """
    total = sum(len(sentence.split()) for sentence in sentences)
    number = min(len(sentences), max(1, round(len(sentences) * words / max(1, total))))
    return [sentences[index * len(sentences) // number] for index in range(number)]


def report_note(event: RunEvent, say: Callable[[str], None]) -> None:
    """Write a note of a scoring to the log."""
    match event:
        case RunNote(text):
            say(f"note: {text}")
