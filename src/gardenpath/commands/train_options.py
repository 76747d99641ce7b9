"""Options that commands which train neural models share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

TrainingTexts = Annotated[
    list[Path], typer.Option("--corpus", help="The text to learn from; may be repeated: one behind the other.")
]
HeldOutText = Annotated[Path, typer.Option("--valid", help="The held-out text that chooses the best weights.")]
Folder = Annotated[Path, typer.Option("--out", "-o", help="The checkpoint directory; a training there goes on.")]
BudgetText = Annotated[
    str | None,
    typer.Option("--budget", help="When to stop at the latest: 5epochs, 2Mtokens, 30minutes. Default: the preset's."),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Of everything random.")]
Device = Annotated[str, typer.Option("--device", help="auto, cpu, cuda, cuda:1 …")]

Sizes = Annotated[
    str | None,
    typer.Option("--sizes", help="Train a series on nested samples of so many words: 125k,250k,1M."),
]
Samples = Annotated[int, typer.Option("--samples", min=1, help="How many samples of every size; with --sizes.")]

TextLayout = Annotated[
    Literal["lines", "running", "trees"],
    typer.Option(
        "--layout",
        help="`lines`: one sentence per line. `running`: sentences are found by rules. `trees`: the words of a "
        "treebank in brackets, as for the twin of an RNNG; `--split` is then for the texts the model is asked about.",
    ),
]

LstmPreset = Annotated[
    Literal["hu", "marvin-linzen", "small"],
    typer.Option(
        "--preset",
        help="`hu`: 2x256 of Hu et al. 2020. `marvin-linzen`: 2x650, 50,000 words, of Marvin & Linzen 2018. `small`: "
        "1x64, for first steps. Options below change it.",
    ),
]
Width = Annotated[int | None, typer.Option("--width", min=1, help="Units per layer, and of the embedding.")]
Layers = Annotated[int | None, typer.Option("--layers", min=1, help="One above the other.")]
Dropout = Annotated[
    float | None, typer.Option("--dropout", min=0.0, help="Share of units that are left out in an update.")
]
Tied = Annotated[bool | None, typer.Option("--tied/--untied", help="Whether the embedding is also the projection.")]

BatchRows = Annotated[
    int | None,
    typer.Option(
        "--batch", min=1, help="Texts side by side; with `--reading sentences` a batch has at most batch x steps words."
    ),
]
Steps = Annotated[int | None, typer.Option("--steps", min=1, help="Words through which gradients go back.")]
ReadingOrder = Annotated[
    Literal["stream", "sentences"] | None,
    typer.Option(
        "--reading",
        help="`stream`: one text without end. `sentences`: each sentence from a fresh start, as suites are.",
    ),
]

Sampled = Annotated[
    int | None,
    typer.Option(
        "--sampled",
        min=1,
        help="Predict every word against about so many drawn for the update, not against the whole vocabulary: several "
        "times faster where that is large. The model is validated and asked with all words.",
    ),
]

Optimizer = Annotated[
    Literal["sgd", "adam", "adamw"] | None, typer.Option("--optimizer", help="How weights follow the gradient.")
]
LearningRate = Annotated[float | None, typer.Option("--learning-rate", help="The highest one.")]
Schedule = Annotated[
    Literal["plateau", "constant", "cosine", "inverse-sqrt"] | None,
    typer.Option(
        "--schedule",
        help="Of the learning rate. `plateau`: divided by 4 after a validation that is not the best. `cosine`: falls "
        "to 0 over the budget. `inverse-sqrt`: falls from the end of the warm-up on.",
    ),
]
Warmup = Annotated[int | None, typer.Option("--warmup", help="Updates until the highest learning rate.")]
Clip = Annotated[float | None, typer.Option("--clip", help="Largest norm of the gradient.")]
Patience = Annotated[
    int | None, typer.Option("--patience", min=1, help="Stop after so many validations without a new best.")
]
Validations = Annotated[
    int | None, typer.Option("--validations", min=1, help="How often per epoch the held-out text is asked.")
]
CheckpointEvery = Annotated[
    float | None,
    typer.Option("--checkpoint-every", help="Seconds between saved states; a killed training loses at most these."),
]
