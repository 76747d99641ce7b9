"""A small plan of real steps of a second each: samples of a text, n-gram models and an LSTM trained on them.

Run as a program, it carries the plan out.
"""

import sys
from pathlib import Path
from typing import Any

from gardenpath.experiments.engine import carry_out
from gardenpath.experiments.failures import read_attempts
from gardenpath.experiments.perform import perform_step
from gardenpath.experiments.plan import Plan, order_steps, read_plan
from gardenpath.experiments.step import Step, write_steps
from gardenpath.io.digest import digest_text
from small_training import sentences


def small_plan(root: Path, texts: Path, *, orders: tuple[int, ...] = (1, 2), epochs: int = 0) -> Plan:
    """A corpus, an n-gram model of every order, and, where it has epochs, an LSTM."""
    texts.mkdir(parents=True, exist_ok=True)
    (texts / "text.txt").write_text("\n".join(sentences(400, 1)) + "\n", encoding="utf-8")
    corpus = corpus_step(texts / "text.txt")
    files = {"corpus": [f"step:{corpus.name}/result/train-all.txt"], "valid": f"step:{corpus.name}/result/valid.txt"}
    models = [training("ngram", f"{order}gram", corpus, **files, order=order, min_count=1) for order in orders]
    if epochs:
        shape = {"layers": 1, "width": 8, "batch": 4, "steps": 5, "min_count": 1, "patience": 1000}
        models.append(training("lstm", "lstm", corpus, **files, budget=f"{epochs} epochs", **shape))
    return Plan(root, "small", order_steps([corpus, *models]))


def corpus_step(text: Path) -> Step:
    return Step("corpora/small-1", "corpus", digest_text(str(text)), {"text": [str(text)], "held_out": 200})


def training(architecture: str, label: str, source: Step, /, **fields: Any) -> Step:
    work = {"architecture": architecture, "fields": fields, "about": {}}
    return Step(f"models/{label}-1", "train", digest_text(label), work, (source.name,))


def done_files(root: Path) -> dict[str, bytes]:
    """The digests of all results."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.glob("*/*/done.json"))}


def attempts_of(root: Path) -> dict[str, list[str]]:
    """How every time ended that a step was begun."""
    return {
        step.name: [one.get("state", "killed") for one in read_attempts(root / step.name)]
        for step in read_plan(root).steps.values()
    }


def do_directly(plan: Plan) -> None:
    """Do all steps of a plan one after another in this process, without an engine."""
    for step in write_steps(plan.root, plan.steps.values()):
        perform_step(plan.root / step.name, on_wait=lambda: None, say=lambda _: None)


def main() -> None:
    """Carry out a plan of a corpus and an LSTM in a folder; a program that can be killed."""
    root, texts, epochs = sys.argv[1:]
    carry_out(small_plan(Path(root), Path(texts), orders=(), epochs=int(epochs)), cores=2)


if __name__ == "__main__":
    main()
