"""`import gardenpath as gp`: every public name works, is documented with an example, typed, and loaded late."""

import doctest
import pkgutil
import subprocess
import sys
import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

import gardenpath as gp
from gardenpath.errors import InputError, InputWarning
from small_bigram import WORDS, Bigram


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The names that examples use: a small model, folders of two runs; and every submodule imported.

    A submodule with the name of a public function would take its place: `gp.report` works once, then it is a module.
    """
    for module in pkgutil.walk_packages(gp.__path__, "gardenpath."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    folder = tmp_path_factory.mktemp("api")
    for name, seed in (("bigram", 0), ("unigram", 1)):
        gp.run(models=[Bigram(name, seed)], suites=["agreement"], out=folder / name)
    runs = {"saved_run": folder / "bigram", "other_run": folder / "unigram"}
    return {"gp": gp, "bigram": Bigram(), "folder": folder, **runs}


@pytest.mark.parametrize("name", gp.__all__)
def test_every_public_name_has_an_example_that_is_true(
    name: str, names: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(names["folder"])
    value = getattr(gp, name)
    found = doctest.DocTestFinder().find(value, name, globs={**vars(import_module(value.__module__)), **names})
    examples = [test for test in found if test.examples]
    assert examples, f"{name} has no example"
    for test in examples * 2:
        assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False).failed == 0
    assert getattr(gp, name) is value


def test_the_examples_of_all_other_docstrings_are_true(names: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(names["folder"])
    public = {f"{getattr(gp, name).__module__}.{name}" for name in gp.__all__}
    modules = [module for name, module in sys.modules.items() if name.startswith("gardenpath.")]
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    found = [test for module in modules for test in finder.find(module, globs={**vars(module), **names})]
    others = [test for test in found if test.examples and test.name not in public]
    assert len(others) > 50
    assert [test.name for test in others if runner.run(test).failed] == []


def test_heavy_libraries_are_loaded_late() -> None:
    heavy = ["numpy", "polars", "pydantic", "scipy", "torch", "transformers"]
    code = f"import gardenpath, sys; dir(gardenpath); print([name for name in {heavy} if name in sys.modules])"
    started = time.monotonic()
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert shown.stdout == "[]\n"
    assert time.monotonic() - started < 10  # on a busy machine; alone it is 0.05 s


def test_an_unknown_name_is_explained() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scores'; its public names are Condition"):
        _ = gp.scores  # type: ignore[attr-defined]


def test_a_run_is_read_back_as_it_was_saved(tmp_path: Path) -> None:
    suite = gp.Suite.from_pairs([("the dog barks", "the dog bark"), ("the dogs bark", "the dogs barks")], name="mine")
    run = gp.run(models=[Bigram()], suites=[suite, "agreement"])
    run.save(tmp_path / "run")
    again = gp.read_run(tmp_path / "run")
    assert again == run
    assert again != gp.run(models=[Bigram("other", 1)], suites=[suite, "agreement"])
    assert again.outcomes().equals(run.outcomes())
    assert again.tokens().equals(run.tokens())
    assert again.spec == run.spec
    assert run.spec.suites == ("mine", "agreement")
    assert repr(again) == repr(run)
    assert "mine" in repr(run)
    assert "<td>mine</td>" in run._repr_html_()


def test_scores_are_tables_of_tokens_words_and_sentences() -> None:
    scores = gp.score(Bigram(), ["the dog <b>", "the dogs"], end=False)
    assert scores.tokens().columns == ["sentence", "token", "start", "end", "bits", "known"]
    words = scores.words()
    assert words["word"].to_list() == ["the", "dog", "<b>", "the", "dogs"]
    assert words.filter(~polars.col("known"))["word"].to_list() == ["<b>"]
    totals = words.group_by("sentence", maintain_order=True).agg(polars.col("bits").sum())["bits"].to_list()
    assert scores.sentences()["bits"].to_list() == pytest.approx(totals)
    assert scores[1].total == pytest.approx(totals[1])
    assert "&lt;b&gt;" in scores._repr_html_()
    assert "<b>" not in scores._repr_html_()
    assert "Scores of 2 sentences by bigram" in repr(scores)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("wrong_option", "score has no option 'wrong_option'; its options are bos, .*, memory$"),
        ("word_boundry", "did you mean 'word_boundary'"),
        ("suites", "score has no option 'suites'"),
    ],
)
def test_options_that_score_does_not_take_are_refused_with_those_it_takes(option: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as refused:
        gp.score(Bigram(), "the dog barks", **{option: 1})
    assert "overwrite" not in str(refused.value)


def test_scores_as_a_pandas_frame() -> None:
    pandas = pytest.importorskip("pandas")
    scores = gp.score(Bigram(), "the dog barks")
    frame = scores.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["word"].tolist() == ["the", "dog", "barks"]
    assert len(scores.to_pandas("sentences")) == 1


def test_tables_of_a_run_as_pandas_frames() -> None:
    pandas = pytest.importorskip("pandas")
    run = gp.run(models=[Bigram()], suites=["agreement"], sample=2)
    frame = run.to_pandas("accuracy", by="model")
    assert isinstance(frame, pandas.DataFrame)
    assert frame["n"].tolist() == run.accuracy(by="model")["n"].to_list()
    assert list(run.to_pandas("items", limit=1)["sentences"][0][0])[:2] == ["condition", "region"]
    with pytest.raises(InputError, match=r"there is no table 'acuracy'; the tables are 'accuracy', "):
        run.to_pandas("acuracy")  # type: ignore[arg-type]


def test_notes_are_warnings_unless_events_are_wanted() -> None:
    model = Bigram()
    model.card = replace(model.card, bos=None)
    model.bits[-1] = np.nan
    with pytest.warns(InputWarning, match="reads no beginning-of-sentence symbol"):
        scores = gp.score(model, "the dog barks")
    assert scores.words()["bits"].is_nan().to_list() == [True, False, False]
    notes: list[object] = []
    gp.score(model, "the dog barks", on_event=notes.append)
    assert any("reads no beginning-of-sentence symbol" in str(note) for note in notes)


def test_warnings_name_the_line_of_the_user() -> None:
    with pytest.warns(InputWarning) as notes:
        gp.score(Bigram(), "the dog", top=3)
    assert [note.filename for note in notes] == [__file__]


def test_options_without_an_effect_are_noted() -> None:
    with pytest.warns(InputWarning, match=r"masking \(original\) has no effect: it is for a masked model"):
        gp.score(Bigram(), "the dog", masking="original")
    with pytest.warns(InputWarning, match=r"top \(3\) is the number of tokens that the detail `top` lists"):
        gp.run(models=[Bigram()], suites="agreement", sample=1, top=3)


def test_columns_of_tables_are_sentences() -> None:
    pandas = pytest.importorskip("pandas")
    expected = gp.score(Bigram(), ["the dog", "the dogs"]).words()
    column = FRAME["good"]
    for sentences in (column, tuple(column), column.to_numpy(), column.to_numpy().astype(str), pandas.Series(column)):
        assert gp.score(Bigram(), sentences).words().equals(expected)
    with pytest.raises(InputError, match="a DataFrame with the columns 'good', 'bad'; give one column"):
        gp.score(Bigram(), pandas.DataFrame({name: FRAME[name].to_list() for name in FRAME.columns}))


def test_every_sentence_may_have_its_own_prefix() -> None:
    prefixes = ["the", "", "the dogs "]
    scores = gp.score(Bigram(), ["dog barks", "dog barks", "barks"], prefix=prefixes)
    alone = [
        gp.score(Bigram(), text, prefix=prefix).words()["bits"].to_list()
        for text, prefix in zip(["dog barks", "dog barks", "barks"], prefixes, strict=True)
    ]
    assert [scores.words().filter(sentence=index)["bits"].to_list() for index in range(3)] == alone
    assert scores.words()["start"].to_list() == [0, 4, 0, 4, 0]


def test_the_end_is_shown_as_the_symbol_that_is_scored() -> None:
    model = Bigram()
    model.card = replace(model.card, end=2)
    assert gp.score(model, "the", end=True).tokens()["token"].to_list() == ["the", WORDS[2]]


FRAME = polars.DataFrame({"good": ["the dog", "the dogs"], "bad": ["dog", "dogs"]})


class Network:
    """Shows itself as networks of PyTorch do, and can be saved as those of transformers can."""

    def __repr__(self) -> str:
        return "Network(\n" + "".join(f"  ({layer}): Linear()\n" for layer in range(12)) + ")"

    def save_pretrained(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gp.score(Bigram(), []), "no sentence to score"),
        (lambda: gp.score(Bigram(), FRAME), "DataFrame with the columns 'good', 'bad'; give one column, such as df"),
        (lambda: gp.score(Bigram(), FRAME.lazy()), "LazyFrame with the columns 'good', 'bad'; give one column"),
        (lambda: gp.score(Bigram(), {"good": ["a"]}), "a dict with the keys 'good'; give the list of one key"),
        (lambda: gp.score(Bigram(), Path("a.txt")), r"the path 'a.txt'; give its lines: PATH.read_text\(\)"),
        (lambda: gp.score(Bigram(), None), "sentences is None, of type NoneType; give a string or a list of strings"),
        (lambda: gp.score(Bigram(), "dog", prefix=["a", "b"]), "prefix has 2 texts for 1 sentences; give one for each"),
        (lambda: gp.score(Bigram(), "dog", prefix=[1]), "prefix 0 is 1, of type int; prefixes are strings"),
        (lambda: gp.score("s2s:any", "dog", prefix=["a"]), "the encoder of an s2s: model reads one"),
        (lambda: gp.score(Bigram(), ["a", 1]), "sentence 1 is 1, of type int; sentences are strings"),
        (lambda: gp.score(object(), "a"), "of type object is not a model; give a name"),
        (lambda: gp.score(Network(), "a"), r"^Network\( \(0\).*… of type Network is not a model; give gardenpath"),
        (lambda: gp.run(models=[]), "^models is empty; give at least 1$"),
        (lambda: gp.run(models=[Bigram()], suites=[]), "^suites is empty; give at least one, or leave it out"),
        (lambda: gp.score(Bigram(), "a", bos=None), "^bos is None; it must be a text or a list: The symbol read"),
        (lambda: gp.score(Bigram(), "a", bos=["b", 3]), "^an entry of bos is 3; it must be a text$"),
        (lambda: gp.score(Bigram(), "a", details="entropi"), "^an entry of details is 'entropi'; it must be 'entropy'"),
        (lambda: gp.run("smollm2"), "'smollm2' is not a RunSpec; name models and suites"),
        (lambda: gp.run(models=[Bigram(), Bigram()]), "two models are called 'bigram'"),
        (lambda: gp.run(models=[Bigram()], suites=[3]), "3 of type int is not a suite"),
        (lambda: gp.run(model="smollm2"), "unknown field 'model'. Did you mean 'models'"),
        (lambda: gp.run(models=[Bigram()], normalise="slor"), "SLOR needs the frequencies of tokens"),
        (lambda: gp.run(models=[Bigram()], suites="agreement", by="colour"), "no item has the factor 'colour'"),
        (
            lambda: gp.run(models=[Bigram()], suites="agreement").effects("x"),
            "`by` is 'comparison', 'condition' or, of a run, 'contrast'",
        ),
    ],
)
def test_what_cannot_be_used_is_explained(call: Any, message: str) -> None:
    with pytest.raises(gp.InputError, match=message):
        call()


def test_a_trained_model_is_used_wherever_a_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("the the the the dog dog dog barks barks bark\n")
    trained = gp.train("ngram", corpus=tmp_path / "train.txt", order=1, min_count=1, out=tmp_path / "unigrams")
    suite = gp.Suite.from_pairs([("the dog barks", "the dog bark")], name="dogs")
    assert gp.load_model(trained).card == trained.load().card
    assert gp.audit(suite, model=trained) == gp.audit(suite, model=trained.path)


def test_runs_have_their_statistics_as_methods() -> None:
    run = gp.run(models=[Bigram(), Bigram("other", 1)], suites=["agreement"])
    assert run.compare(by="suite").equals(gp.compare(run, by="suite"))
    assert run.effects().equals(gp.effects(run))


def test_internal_methods_are_not_offered() -> None:
    assert {"counted", "listed", "with_ends", "word_rows"}.isdisjoint([*dir(gp.Run), *dir(gp.Scores)])


def test_help_lists_the_fields() -> None:
    assert "\n    sample: At most this many items per suite" in (gp.run.__doc__ or "")
    assert all(f"\n    {name}: " in (gp.run.__doc__ or "") for name in gp.RunSpec.model_fields)
    assert "\n    budget: " in (gp.train.__doc__ or "")


def test_models_of_other_names_are_suggested() -> None:
    with pytest.raises(gp.InputError, match="did you mean 'smollm2'"):
        gp.load_model("smolm2")
    with pytest.raises(gp.InputError, match="a model of transformers is 'hf:gpt2'"):
        gp.load_model("gpt2")


def test_a_prefix_is_read_before_sentences_and_is_not_part_of_them() -> None:
    whole = gp.score(Bigram(), "the dog barks")
    for prefix in ("the", "the "):
        after = gp.score(Bigram(), "dog barks", prefix=prefix)
        assert after.words()["word"].to_list() == ["dog", "barks"]
        assert after.tokens()["start"].to_list() == [0, 4]
        assert after.tokens()["bits"].to_list() == whole.tokens()["bits"].to_list()[1:]
        assert after[0].total == pytest.approx(whole[0].total - whole.tokens()["bits"][0])
    with pytest.raises(gp.InputError, match="text 1 is empty: nothing is scored after the prefix 'the'"):
        gp.score(Bigram(), ["dog", ""], prefix="the")
