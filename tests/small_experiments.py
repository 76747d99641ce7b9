"""Small experiment files for tests."""

from pathlib import Path

SENTENCES = ("the author laughs .", "the authors laugh .", "a pilot near the guards smiles .", "the pilots smile .")
GRID = """
title = "A small grid"

[corpora.stories]
text = "stories.txt"
sizes = [40, 80]
held_out = 20

[trainings.ngram]
architectures = ["ngram"]
corpus = "stories"
seeds = [1, 2]
options = { order = 2, min_count = 1 }

[suites.number]
suites = ["agreement"]
options = { sample = 4 }

[runs.all]

[analyses.all]
title = "Everything"
"""
"""Two sizes and two seeds of a bigram model on four items: 1 corpus, 4 trainings, 4 runs, 3 more steps."""


def write_experiment(folder: Path, text: str = GRID, *, name: str = "grid.toml") -> Path:
    """Write an experiment file, and beside it the text that it learns from."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "stories.txt").write_text("".join(f"{sentence}\n" for sentence in SENTENCES * 12))
    path = folder / name
    path.write_text(text)
    return path
