"""A model that was made elsewhere stands where a training of its size would be."""

from pathlib import Path

import polars
import pytest

import gardenpath as gp
from gardenpath.experiments.perform import perform_step
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.step import RESULT, write_steps
from gardenpath.reporting.figures.grid_figure import build_grid
from gardenpath.runs.known_training import parse_training
from small_experiments import GRID, write_experiment

ARPA = """\\data\\
ngram 1=5
ngram 2=2

\\1-grams:
-99\t<s>\t-0.3
-0.7\t</s>
-0.9\t<unk>
-0.6\tauthor\t-0.2
-0.7\tlaughs\t-0.2

\\2-grams:
-0.2\tauthor laughs
-0.3\tlaughs </s>

\\end\\
"""
LARGE = (
    GRID.replace("seeds = [1, 2]", "seeds = [1]")
    + """
[inputs.large]
about = "a 2-gram of all stories"
[models.ngram-160]
models = "ngram:$large"
architecture = "2-gram"
words = 160
corpus = "stories"
"""
)


def write_large(folder: Path, text: str = LARGE) -> gp.Experiment:
    (folder / "large.arpa").write_text(ARPA)
    return gp.Experiment.read(write_experiment(folder, text), inputs={"large": folder / "large.arpa"})


def perform(plan: Plan, *kinds: str) -> Path:
    """Do the steps of some kinds here, and return the result of the last."""
    steps = list(write_steps(plan.root, [step for step in plan.steps.values() if step.kind in kinds]))
    for step in steps:
        perform_step(plan.root / step.name, on_wait=lambda: None, say=lambda line: None)
    return plan.root / steps[-1].name / RESULT


@pytest.mark.filterwarnings("ignore:the discounts of")  # a text of 80 words
def test_an_arpa_file_stands_in_the_grid_where_a_training_would(tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    gathered = perform(write_large(tmp_path).plan(tmp_path / "out"), "corpus", "train", "run", "gather")
    scores = polars.read_parquet(gathered / "scores.parquet")
    given = scores.filter(polars.col("model") == "ngram-160").row(0, named=True)
    assert (given["architecture"], given["words"], given["corpus"]) == ("2-gram", 160, "stories")
    grid = build_grid(scores.filter("first")).overall
    assert dict(grid.select("words", "row").iter_rows()) == {40: "2-gram", 80: "2-gram", 160: "2-gram"}


def test_the_contents_of_its_file_count_and_not_its_path(tmp_path: Path) -> None:
    plans = [write_large(folder).plan("out") for folder in (tmp_path / "a", tmp_path / "b") if folder.mkdir() is None]
    assert list(plans[0].steps) == list(plans[1].steps)
    (tmp_path / "b" / "large.arpa").write_text(ARPA.replace("-0.2\tauthor laughs", "-0.1\tauthor laughs"))
    other = gp.Experiment.read(tmp_path / "b" / "grid.toml", inputs={"large": tmp_path / "b" / "large.arpa"}).plan(
        "out"
    )
    runs = [{step.name for step in plan.steps.values() if step.kind == "run"} for plan in (plans[0], other)]
    assert len(runs[0] & runs[1]) == 2  # those of the trainings


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("words = 160\n", "", "`architecture` and `words` belong together"),
        ('"ngram:$large"', '["ngram:$large", "smollm2"]', "`words` is of one model, and `models` has 2"),
    ],
)
def test_half_of_a_training_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(gp.InputError, match=message):
        write_large(tmp_path, LARGE.replace(old, new))


def test_a_run_can_be_told_how_a_model_was_trained(tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    (tmp_path / "large.arpa").write_text(ARPA)
    run = gp.run(
        models=[f"large=ngram:{tmp_path / 'large.arpa'}"], suites=["agreement"], sample=2, trained=("large=2-gram,1k",)
    )
    (model,) = run.manifest.models
    assert model.training is not None
    assert (model.training.architecture, model.training.words) == ("2-gram", 1000)
    assert parse_training("ngram:kn5.arpa=5-gram,42M,bllip")[0] == "ngram:kn5.arpa"
    with pytest.raises(gp.InputError, match=r"no model is called 'larg'; the models are smollm2"):
        gp.RunSpec(models=["smollm2"], trained=("larg=2-gram,1k",))
    with pytest.raises(gp.InputError, match="write MODEL=ARCHITECTURE,WORDS"):
        gp.RunSpec(models=["smollm2"], trained=("smollm2=2-gram",))
