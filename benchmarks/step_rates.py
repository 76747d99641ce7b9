"""Measure how long our kinds of work take on one core, and write the rates that plans are estimated with.

python benchmarks/step_rates.py [--repeats 2] [--only lstm "lstm runs"] [--keep FOLDER] [--write]

Short trainings and runs of every architecture at some sizes, each in a process of its own with one thread; of the
repetitions the fastest counts, since other programs can only slow one down. Seconds of an update are fitted (least
squares of ratios, no negative rates) to

    update + levels x level + operations x operation + weights x passes of the optimizer x parameter

and the ratio of the fit to every measurement is printed. `--write` replaces src/gardenpath/experiments/rates.json;
what it has under `steps` is kept. Needs ../shared/data; some ten minutes of one core.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import gardenpath
from gardenpath.experiments.model_sizes import measure_model, read_options
from ngram_estimation import shorten
from step_fits import fit_rates

DATA = Path(__file__).parents[2] / "shared" / "data"
RATES = Path(gardenpath.__file__).parent / "experiments" / "rates.json"
TRIAL = Path(__file__).with_name("step_trials.py")
WORDS, MORE_WORDS = 250_000, 1_500_000
SMALL, ADAM = {"batch": 16, "steps": 20, "layers": 1}, {"optimizer": "adam", "learning_rate": 1e-3}
TRAININGS: Mapping[str, Sequence[tuple[int, Mapping[str, Any]]]] = {
    "lstm": [
        (80, {"width": 64, "vocabulary_size": 1_000, **SMALL, **ADAM}),
        (30, {"width": 64, "vocabulary_size": 14_000, **SMALL, **ADAM}),
        (30, {"width": 128, "vocabulary_size": 3_000, "layers": 2, "batch": 20, "steps": 35}),
        (12, {"width": 256, "vocabulary_size": 3_000}),
        (10, {"width": 256, "vocabulary_size": 14_000}),
        (6, {"width": 650, "vocabulary_size": 14_000}),
    ],
    "on-lstm": [
        (60, {"preset": "small", "vocabulary_size": 1_000}),
        (30, {"preset": "small", "vocabulary_size": 14_000}),
        (12, {"preset": "small", "embedding": 256, "width": 256, "steps": 35, "vocabulary_size": 3_000}),
        (6, {"width": 650, "vocabulary_size": 3_000}),
        (4, {"vocabulary_size": 14_000}),
    ],
    "gpt2": [
        (80, {"preset": "tiny"}),
        (40, {"preset": "tiny", "width": 64, "vocabulary_size": 2_000, "steps": 64}),
        (12, {"width": 128, "vocabulary_size": 8_000, "batch": 8}),
        (4, {}),
        (3, {"width": 512, "layers": 6, "heads": 8, "batch": 8}),
        (3, {"width": 768, "layers": 2, "heads": 12, "batch": 2, "optimizer": "adam"}),
    ],
    "rnng": [
        (30, {"preset": "small", "vocabulary_size": 1_000}),
        (20, {"preset": "small"}),
        (12, {"width": 128, "vocabulary_size": 3_000, "batch": 256}),
        (6, {"vocabulary_size": 3_000}),
        (6, {}),
    ],
    "multitask": [
        (30, {"width": 64, "vocabulary_size": 3_000, **SMALL, **ADAM}),
        (10, {"width": 256, "vocabulary_size": 3_000}),
        (8, {"width": 256, "vocabulary_size": 14_000}),
    ],
}
"""Updates to measure, and the options of a training, by architecture."""
SCORED: Mapping[str, Sequence[int]] = {"lstm": (0, 4), "on-lstm": (0, 3), "gpt2": (1, 3), "rnng": (0, 4)}
"""Which of these trainings are also evaluated."""
SUITES = [f"syntactic-generalization/{name}" for name in ("number_prep", "cleft", "fgd_object", "mvrr")]
TREES = ("rnng",)
NOTE = "by benchmarks/step_rates.py, one thread, seconds of the processor, the fastest of the repetitions"


class Workshop:
    """The texts of the measurements, and the processes that do them."""

    def __init__(self, folder: Path, repeats: int) -> None:
        self.folder = folder
        self.repeats = repeats
        wiki = DATA / "text" / "wiki"
        self.text = shorten(wiki / "train.txt", WORDS, folder / "train.txt")
        self.more = shorten(wiki / "train.txt", MORE_WORDS, folder / "more.txt")
        self.valid = shorten(wiki / "valid.txt", 2_000, folder / "valid.txt")
        trees = (DATA / "treebank" / "gum.mrg").read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / "train.mrg").write_text("".join(trees[:9_000]), encoding="utf-8")
        (folder / "valid.mrg").write_text("".join(trees[9_000:9_100]), encoding="utf-8")
        tags = (DATA / "supertags" / "gcg_train.txt").read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / "tags.txt").write_text("".join(tags[:8_000]), encoding="utf-8")
        (folder / "valid_tags.txt").write_text("".join(tags[8_000:8_050]), encoding="utf-8")

    def sources(self, architecture: str) -> dict[str, str]:
        """What a training of an architecture reads."""
        if architecture in TREES:
            return {"treebank": str(self.folder / "train.mrg"), "valid": str(self.folder / "valid.mrg")}
        found = {"corpus": str(self.text), "valid": str(self.valid)}
        if architecture == "multitask":
            tagged = {"supertags": self.folder / "tags.txt", "valid_supertags": self.folder / "valid_tags.txt"}
            found |= {name: str(path) for name, path in tagged.items()}
        return found

    def trial(self, *arguments: str) -> dict[str, Any]:
        """What a trial in a process of its own prints."""
        command = [sys.executable, str(TRIAL), *arguments]
        one = dict.fromkeys(("OMP_NUM_THREADS", "POLARS_MAX_THREADS", "MKL_NUM_THREADS"), "1")
        environment = {**os.environ, **one, "GARDENPATH_CACHE": str(self.folder / "cache")}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found

    def train(self, architecture: str, name: str, fields: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Several trainings of the same options, each in a folder of its own; the first one's model is kept."""
        outs = [str(self.folder / "models" / f"{name}-{repeat}") for repeat in range(self.repeats)]
        for out in outs:
            shutil.rmtree(out, ignore_errors=True)  # a training that is done there would not be repeated
        given = [json.dumps({**self.sources(architecture), **fields, "out": out}) for out in outs]
        return [self.trial("train", architecture, one) for one in given]

    def run(self, name: str, fields: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Several runs, none of which knows the scores of another."""
        found = []
        for repeat in range(self.repeats):
            own = {
                "out": self.folder / "runs" / f"{name}-{repeat}",
                "store": self.folder / "stores" / f"{name}-{repeat}",
            }
            found.append(self.trial("run", json.dumps({**fields, **{key: str(path) for key, path in own.items()}})))
        return found


def measure_updates(workshop: Workshop, architecture: str) -> list[dict[str, Any]]:
    """What trainings of an architecture take."""
    records = []
    for number, (updates, options) in enumerate(TRAININGS[architecture]):
        batch = measure_model(read_options(architecture, options), 1_000).batch
        fields = {**options, "budget": f"{updates * batch}tokens", "checkpoint_every": 1e6, "patience": "none"}
        trials = workshop.train(architecture, f"{architecture}-{number}", fields)
        best = min(trials, key=lambda trial: trial["total"])
        seconds = min(statistics.median(trial.pop("updates")) for trial in trials)
        # An RNNG's batches are not quite full, and an ON-LSTM's are of random length.
        records.append({**best, "options": options, "seconds": seconds, "batch": best["tokens"] / best["n_updates"]})
        print(json.dumps({"trained": architecture, **records[-1]}), flush=True)
    return records


def measure_scoring(workshop: Workshop, architecture: str) -> list[dict[str, Any]]:
    """How long models that were trained before take to score suites."""
    records = []
    for number in SCORED[architecture]:
        options = TRAININGS[architecture][number][1]
        model = str(workshop.folder / "models" / f"{architecture}-{number}-0")
        trials = workshop.run(f"{architecture}-{number}", {"models": [model], "suites": SUITES})
        best = min(trials, key=lambda trial: trial["total"])
        records.append({**best, "options": options, "vocabulary": vocabulary_of(model)})
        print(json.dumps({"scored": architecture, **records[-1]}), flush=True)
    return records


def vocabulary_of(model: str) -> int:
    """The size of a trained model's vocabulary."""
    record = json.loads((Path(model) / "checkpoint.json").read_text(encoding="utf-8"))
    return int(record["options"]["vocabulary"])


def measure_pretrained(workshop: Workshop) -> dict[str, Any]:
    """How long the embedded model of 135 million weights takes for published BLiMP pairs."""
    blimp = sorted((DATA / "blimp").glob("*.jsonl"))[::8]
    trials = workshop.run("smollm2", {"models": ["smollm2"], "suites": [str(path) for path in blimp]})
    best = min(trials, key=lambda trial: trial["total"])
    print(json.dumps({"scored": "smollm2", **best}), flush=True)
    return best


def measure_ngrams(workshop: Workshop) -> list[dict[str, Any]]:
    """How long n-gram models take, by order and length of the text; and their runs."""
    found = []
    for order, text in ((3, workshop.text), (5, workshop.text), (5, workshop.more)):
        name = f"ngram-{order}-{text.stem}"
        trials = workshop.train("ngram", name, {"corpus": str(text), "valid": None, "order": order})
        best = min(trials, key=lambda trial: trial["total"])
        words = json.loads((workshop.folder / "models" / f"{name}-0" / "checkpoint.json").read_text())["training"][
            "words"
        ]
        run = min(
            workshop.run(name, {"models": [str(workshop.folder / "models" / f"{name}-0")], "suites": SUITES}),
            key=lambda trial: trial["total"],
        )
        found.append({"order": order, "words": words, **best, "run": run})
        print(json.dumps({"ngram": found[-1]}), flush=True)
    return found


def measure_reading(workshop: Workshop) -> list[dict[str, Any]]:
    """What the corpora of a training take before its first update, and how many words they have."""
    fields = {"preset": "small", "sampled": 100, "budget": "640tokens"}
    found = []
    for text in (workshop.text, workshop.more):
        name = f"reading-{text.stem}"
        best = min(workshop.train("lstm", name, {**fields, "corpus": str(text)}), key=lambda trial: trial["begun"])
        record = json.loads((workshop.folder / "models" / f"{name}-0" / "checkpoint.json").read_text(encoding="utf-8"))
        found.append({**best, "words": record["training"]["words"]})
        print(json.dumps({"read": found[-1]}), flush=True)
    return found


def measure_tables(workshop: Workshop) -> list[dict[str, Any]]:
    """What runs of a small model take on few and on many sentences, which are drawn."""
    model = str(workshop.folder / "models" / "lstm-0-0")
    found = []
    for sample in (10, 60):
        trials = workshop.run(f"tables-{sample}", {"models": [model], "suites": ["blimp"], "sample": sample})
        found.append(min(trials, key=lambda trial: trial["total"]))
        print(json.dumps({"tables": found[-1]}), flush=True)
    return found


def measure_subwords(workshop: Workshop) -> dict[str, float]:
    """How many sub-words a word has, by the size of their vocabulary; the largest is the embedded model's."""
    from tokenizers import Tokenizer

    from gardenpath.models.load import load_model
    from gardenpath.text.penn import penn_sentences

    lines = workshop.valid.read_text(encoding="utf-8").splitlines()
    words = sum(len(sentence) for sentence in penn_sentences(lines))
    found = {}
    for number in (0, 1, 3):
        tokenizer = Tokenizer.from_file(str(workshop.folder / "models" / f"gpt2-{number}-0" / "tokenizer.json"))
        found[str(tokenizer.get_vocab_size())] = sum(len(tokenizer.encode(line).ids) for line in lines) / words
    found["49152"] = len(load_model("smollm2").tokenizer.encode(lines).ids) / words
    print(json.dumps({"subwords": found}), flush=True)
    return found


PARTS: Mapping[str, Callable[[Workshop], Any]] = {
    **{name: partial(measure_updates, architecture=name) for name in TRAININGS},
    **{f"{name} runs": partial(measure_scoring, architecture=name) for name in SCORED},
    "ngram": measure_ngrams, "smollm2": measure_pretrained, "reading": measure_reading, "subwords": measure_subwords,
    "tables": measure_tables,
}  # fmt: skip
"""What is measured; runs come after the trainings of their models."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--keep", type=Path, help="folder for all that is measured; parts that it has are not repeated")
    parser.add_argument("--write", action="store_true", help="replace the rates of the package")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        workshop = Workshop(folder, arguments.repeats)
        for part in arguments.only:
            file = folder / f"measured {part}.json"
            if not file.exists():
                file.write_text(json.dumps(PARTS[part](workshop), indent=1), encoding="utf-8")
        files = {part: folder / f"measured {part}.json" for part in PARTS}
        found = {part: json.loads(file.read_text(encoding="utf-8")) for part, file in files.items() if file.exists()}
    rates = fit_rates(found, json.loads(RATES.read_text(encoding="utf-8")))
    stamp = {"date": datetime.now(UTC).date().isoformat(), "machine": processor_name(), "note": NOTE}
    print(json.dumps({**stamp, **rates}, indent=2))
    if arguments.write:
        RATES.write_text(json.dumps({**stamp, **rates}, indent=2) + "\n", encoding="utf-8")


def processor_name() -> str:
    """What the system calls the processor."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    return next((line.split(": ", 1)[1] for line in lines if line.startswith("model name")), platform.processor())


if __name__ == "__main__":
    main()
