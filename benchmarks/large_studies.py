"""What three studies would take that are too large for one machine: the tables of docs/scale.md.

python benchmarks/large_plan.py --study pythia|languages|papers

Operations are counted from the shapes of the models and the distinct prefixes of the sentences; rates of one core are
those of src/gardenpath/experiments/rates.json.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from gardenpath.experiments.estimates import estimate_run, estimate_trained_run, estimate_training
from gardenpath.experiments.experiment import Experiment
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.rates import read_rates
from gardenpath.experiments.totals import summarise

GPU, SMALL_ON_GPU = 100e12, 10e12
"""Operations a second of a GPU, a third of the 312e12 of an A100 in bfloat16; and of a training of a small model there.
Not measured: there is none here, as for the next two."""
DISK, NETWORK = 1e9, 125e6
"""Bytes a second from a local disk, and of a download at 1 Gbit/s."""
JOB = 3.0
"""Seconds with which Snakemake begins every job on a cluster (2 to 4 were measured)."""


@dataclass(frozen=True, slots=True)
class Size:
    """One size of a model family."""

    name: str
    inside: int
    """Weights without embedding and projection."""
    vocabulary: int
    width: int

    @property
    def weights(self) -> int:
        """All weights: embedding and projection are two matrices."""
        return self.inside + 2 * self.vocabulary * self.width

    @property
    def operations(self) -> int:
        """Of one token: two for every weight but those of the embedding, which is looked up."""
        return 2 * (self.inside + self.vocabulary * self.width)


PYTHIA_STEPS = (0, *(2**power for power in range(10)), *range(1000, 144_000, 1000))
"""At which the models were saved in their training."""
CHECKPOINTS = len(PYTHIA_STEPS)
PYTHIA = (
    Size("70M", 18_915_328, 50_304, 512),
    Size("160M", 85_056_000, 50_304, 768),
    Size("410M", 302_311_424, 50_304, 1024),
    Size("1B", 805_736_448, 50_304, 2048),
    Size("1.4B", 1_208_602_624, 50_304, 2048),
    Size("2.8B", 2_517_652_480, 50_304, 2560),
    Size("6.9B", 6_444_163_072, 50_432, 4096),
    Size("12B", 11_327_027_200, 50_688, 5120),
)
"""From the model cards of EleutherAI/pythia-*."""
BLIMP_SENTENCES, BLIMP_TOKENS, BLIMP_PREFIXES = 133_949, 1_298_608, 837_383
"""Counted by `count_blimp`."""
MODELS, LANGUAGES, PAIRS, TOKENS, WEIGHTS = 1_000, 100, 1_000, 16, 500e6
"""Of the second study; agreement pairs of 101 languages are 1,270 a language in MultiBLiMP (Jumelet et al. 2025)."""
FILES_OF_A_RUN = 9
"""step.json, attempts.json, done.json, log.txt, .lock; of the result manifest.json, timing.json and two tables."""


def count_blimp() -> dict[str, int]:
    """Sentences, tokens and distinct prefixes of all of BLiMP, with the tokenizer of the embedded model."""
    from gardenpath.models.load import load_model
    from gardenpath.suites.load import load_suites

    texts = {
        sentence.text for suite in load_suites("blimp") for item in suite.items for sentence in item.sentences.values()
    }
    encoded = load_model("smollm2").tokenizer.encode(sorted(texts))
    prefixes = set()
    for start, end in pairwise(encoded.offsets.tolist()):
        read = 0
        for token in encoded.ids[start:end].tolist():
            read = hash((read, token))
            prefixes.add(read)
    return {"sentences": len(texts), "tokens": len(encoded.ids), "prefixes": len(prefixes)}


def table(heading: str, rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of a table; its heading has the columns between bars."""
    columns = heading.count("|") + 1
    yield f"| {heading} |"
    yield "|---" + "|---:" * (columns - 1) + "|"
    yield from (f"| {' | '.join(map(cell, row))} |" for row in rows)


def cell(value: object) -> str:
    """A number with two digits or more, or a text."""
    if not isinstance(value, int | float):
        return str(value)
    return f"{value:,.0f}" if value >= 10 or value == round(value) else f"{value:.2g}"


def pythia() -> Iterator[str]:
    """Eight sizes, 154 checkpoints each, all of BLiMP."""
    rates, runs = read_rates(), len(PYTHIA) * CHECKPOINTS
    core = rates["scoring"]["pretrained"]["operation"]
    work = {size.name: size.operations * BLIMP_PREFIXES for size in PYTHIA}
    stored = {size.name: 2 * size.weights for size in PYTHIA}  # 16 bits
    yield from table(
        "size | weights, M | TFLOP | one core, h | GPU, s | loading, s | download, s | memory, GB | all downloads, TB",
        (
            [name, stored[name] / 2e6, operations / 1e12, operations * core / 3600, operations / GPU,
             stored[name] / DISK, stored[name] / NETWORK, stored[name] / 1e9, CHECKPOINTS * stored[name] / 1e12]
            for name, operations in work.items()
        ),
    )  # fmt: skip
    tables = estimate_run(sentences=BLIMP_SENTENCES, parameters=0)
    operations, size = CHECKPOINTS * sum(work.values()), CHECKPOINTS * sum(stored.values())
    yield ""
    yield from table(
        "all runs | ",
        [
            ["runs", runs],
            ["computing: hours of one core", operations * core / 3600],
            ["computing: hours of one GPU", operations / GPU / 3600],
            ["loading: hours of one disk", size / DISK / 3600],
            ["downloading: TB", size / 1e12],
            ["downloading: hours of one line", size / NETWORK / 3600],
            ["starting, evaluating, writing: hours of one core", runs * tables.seconds / 3600],
            ["files", runs * FILES_OF_A_RUN],
            ["results: GB", runs * tables.size / 1e9],
        ],
    )
    yield ""
    yield from print_totals()


def plan_pythia(folder: Path) -> Plan:
    """The plan of the study, from an experiment file as anybody would write it."""
    lines = ["[suites.blimp]", 'suites = "blimp"', "[runs.all]"]
    revisions = ",".join(f"step{step}" for step in PYTHIA_STEPS)
    for size in PYTHIA:
        lines += [f'[models."{size.name}"]', f'models = "hf:EleutherAI/pythia-{size.name.lower()}@{{{revisions}}}"']
        lines += [f"parameters = {size.weights}", 'options = { dtype = "bfloat16" }', "threads = 1"]
    path = folder / "pythia.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Experiment.read(path).plan(folder / "results")


def print_totals() -> Iterator[str]:
    """The plan's own totals of the study of Pythia."""
    with TemporaryDirectory() as folder:
        plan = plan_pythia(Path(folder))
        totals = summarise(plan)
    rows: list[Sequence[object]] = [
        [kind, total.steps, total.seconds / 3600, total.memory / 1e3, total.size / 1e9]
        for kind, total in totals.kinds.items()
    ]
    yield from table("the plan | steps | one core, h | most memory, GB | results, GB", rows)


def languages() -> Iterator[str]:
    """A thousand models, a hundred languages of a thousand agreement pairs, cut in two ways."""
    rates = read_rates()
    sentences = LANGUAGES * 2 * PAIRS
    prefixes = sentences * TOKENS * rates["distinct"]
    operations = MODELS * prefixes * 2 * WEIGHTS
    core = rates["scoring"]["pretrained"]["operation"]
    loaded, start, per_run = 2 * WEIGHTS, rates["start"]["run"] + JOB, rates["tables"]
    rows = []
    for what, each in (
        ("steps", 1),
        ("files", FILES_OF_A_RUN),
        ("loading: TB from the disk", loaded / 1e12),
        ("loading: hours", loaded / DISK / 3600),
        ("starting processes: hours of one core", start / 3600),
        ("gathering: hours of one core", rates["steps"]["gather"]["each"] / 3600),
    ):
        rows.append([what, MODELS * each, MODELS * LANGUAGES * each])
    rows += [
        [what, value, value]
        for what, value in (
            ("computing: hours of one core", operations * core / 3600),
            ("computing: hours of one GPU", operations / GPU / 3600),
            ("memory: GB", loaded / 1e9),
            ("results: GB", MODELS * sentences * per_run["bytes"] / 1e9),
        )
    ]
    yield from table(" | a step per model | a step per model and language", rows)


Training = tuple[str, int, Mapping[str, object], int, int]
"""Architecture, seeds or samples, options, words, size of the vocabulary."""
LSTM = {"preset": "marvin-linzen"}
ON_LSTM = {"budget": "40 epochs"}
"""As for the others; its preset allows 1,000 and stops when it no longer improves."""
TRAININGS: Mapping[str, Sequence[Training]] = {
    # Sizes of vocabularies from the numbers of weights in Table 3.
    "Hu et al. 2020": [
        (architecture, seeds, options, words, types)
        for words, types in ((1_000_000, 24_000), (4_800_000, 57_000), (14_000_000, 100_000), (42_000_000, 170_000))
        for architecture, seeds, options in (
            ("ngram", 1, {}), ("lstm", 3, {}), ("on-lstm", 3, ON_LSTM), ("rnng", 3, {}), ("gpt2", 2, {"preset": "hu"}),
        )
    ],
    "BLiMP 2020": [("lstm", 5, LSTM, 125_000 * 2**doubling, 50_000) for doubling in range(10)],
    "Hu, Chen & Levy 2020": [
        ("ngram", 1, {}, 90_000_000, 50_000), ("lstm", 1, {}, 950_000, 23_000), ("rnng", 1, {}, 950_000, 23_000),
    ],
    "Marvin & Linzen 2018": [
        ("ngram", 1, {}, 90_000_000, 50_000), ("lstm", 1, LSTM, 90_000_000, 50_000),
        ("multitask", 1, LSTM, 90_000_000, 50_000),
    ],
}  # fmt: skip
"""What the papers trained; the models that they took from elsewhere are not among them."""
SENTENCES = {
    "Hu et al. 2020": 3_392, "BLiMP 2020": 134_000, "Hu, Chen & Levy 2020": 16_920, "Marvin & Linzen 2018": 326_248,
}  # fmt: skip
"""Of our suites of a paper, and of all of BLiMP and of Marvin & Linzen's templates."""


def papers() -> Iterator[str]:
    """The trainings and runs of the four papers at their size, by architecture."""
    rows: list[list[object]] = []
    for paper, trainings in TRAININGS.items():
        for architecture in dict.fromkeys(name for name, *_ in trainings):
            own = [training for training in trainings if training[0] == architecture]
            rows.append([paper, architecture, *measure_paper(own, SENTENCES[paper])])
    columns = (
        "paper | architecture | trainings | words, M | one core, days | longest, days | GPU, days | memory, GB | "
        "models, GB | runs: one core, h"
    )
    yield from table(columns, rows)


def measure_paper(trainings: Sequence[Training], sentences: int) -> list[object]:
    """What the trainings of one architecture take."""
    architecture, days = trainings[0][0], 86_400
    rate = read_rates()["updates"].get(architecture, {}).get("operation")
    found = [
        (times, estimate_training(name, options, words=words, types=types),
         estimate_trained_run(name, options, sentences=sentences, words=words, types=types))
        for name, times, options, words, types in trainings
    ]  # fmt: skip
    seconds = sum(times * training.seconds for times, training, _ in found)
    return [
        sum(times for times, *_ in found),
        millions([words for *_, words, _ in trainings]),
        seconds / days,
        max(training.seconds for _, training, _ in found) / days,
        "–" if rate is None else seconds / rate / SMALL_ON_GPU / days,
        max(training.memory for _, training, _ in found) / 1e3,
        sum(times * training.size for times, training, _ in found) / 1e9,
        sum(times * run.seconds for times, _, run in found) / 3600,
    ]


def millions(words: Sequence[int]) -> str:
    """Numbers of words, in short."""
    least, most = min(words) / 1e6, max(words) / 1e6
    return f"{least:g}" if least == most else f"{least:g}–{most:g}"


def print_study(name: str) -> None:
    """Print the tables of a study."""
    for line in {"pythia": pythia, "languages": languages, "papers": papers}[name]():
        print(line)
