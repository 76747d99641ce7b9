"""Steps that train models."""

from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.experiments.work.training import train_model
from gardenpath.runs.perplexity import measure_models
from gardenpath.runs.spec import RunSpec

pytestmark = pytest.mark.usefixtures("one_thread")


def test_an_rnng_gets_the_perplexity_of_its_words_after_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number is that of `gardenpath perplexity` on the same sentences; it is measured once for the same weights."""
    monkeypatch.chdir(tmp_path)
    trees = ["(S (NP (DT the) (NN key)) (VP (VB laughs)) (. .))", "(S (NP (DT the) (NNS keys)) (VP (VB laugh)) (. .))"]
    Path("train.mrg").write_text("\n".join(trees * 20) + "\n", encoding="utf-8")
    Path("valid.mrg").write_text("\n".join(trees * 2) + "\n", encoding="utf-8")
    Path("valid.txt").write_text("the key laughs .\nthe keys laugh .\n" * 2, encoding="utf-8")
    fields = {
        "treebank": "train.mrg", "valid": "valid.mrg", "preset": "small", "width": 8, "batch": 40, "budget": "1epoch"
    }  # fmt: skip
    work = {"architecture": "rnng", "fields": fields, "about": {}}
    folder, lines = tmp_path / "model", list[str]()
    train_model(work, folder, lines.append)
    assert gp.TrainedModel(folder).perplexity is None
    measured = {**work, "perplexity_words": 1000, "perplexity_text": "valid.txt"}
    train_model(measured, folder, lines.append)
    sentences = Path("valid.txt").read_text().splitlines()
    (again,) = measure_models(RunSpec.from_fields({"models": [str(folder)], "end": True}), sentences)
    assert gp.TrainedModel(folder).perplexity == pytest.approx(again.measured.perplexity_per_word, rel=1e-9)
    assert sum("measuring the perplexity" in line for line in lines) == 1
    train_model(measured, folder, lines.append)
    assert sum("measuring the perplexity" in line for line in lines) == 1
    # More training makes other weights; what was measured of the old ones is gone.
    train_model({**work, "fields": {**fields, "budget": "8epochs"}}, folder, lines.append)
    assert gp.TrainedModel(folder).perplexity is None
