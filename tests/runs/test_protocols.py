"""Protocols of papers against their scoring, computed literally from weights and ARPA files."""

import json
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import kenlm
import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import gardenpath as gp
from gardenpath.commands.app import app
from gardenpath.errors import InputError, InputWarning
from gardenpath.evaluation.evaluate import evaluate
from gardenpath.evaluation.region_bits import measured_regions
from gardenpath.io.choices import Ties
from gardenpath.models.load import load_model
from gardenpath.models.ngram.tables import BITS_PER_LOG10
from gardenpath.runs.compared_values import counts_end
from gardenpath.runs.manifest import read_manifest
from gardenpath.runs.protocols import PROTOCOLS
from gardenpath.runs.run import run
from gardenpath.runs.spec import RunSpec
from gardenpath.suites.rendering import render_suite
from gardenpath.suites.suite import Condition, Item, Region, Sentence, Suite
from refusals import refused
from small_bigram import Bigram
from small_training import write_texts

Literal = Callable[[Sequence[str]], list[float]]
"""Bits of the words of a sentence as a paper has them; the end, where it is scored, is the last."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An n-gram model and an LSTM of the small language."""
    folder = tmp_path_factory.mktemp("models")
    write_texts(folder)
    corpus, valid = folder / "train.txt", folder / "valid.txt"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        gp.train(
            "ngram", corpus=corpus, out=folder / "ngram", order=3, tokenize=False, min_count=1, smoothing="back-off"
        )
        gp.train(
            "lstm", corpus=corpus, valid=valid, out=folder / "lstm", preset="small", width=8, split="blanks",
            min_count=1, unknown="single", budget="1 epoch",
        )  # fmt: skip
    return folder


def ngram_bits(folder: Path) -> Literal:
    """SRILM's and KenLM's reading: <s> before, </s> scored."""
    model = kenlm.Model(str(folder / "ngram" / "model.arpa"))
    return lambda words: [-x[0] * BITS_PER_LOG10 for x in model.full_scores(" ".join(words), bos=True, eos=True)]


def lstm_bits(folder: Path, *, primed: bool) -> Literal:
    """Every word and the end from a zero state that has read the end if `primed`; else the first word has 0 bits."""
    module: Any = load_model(folder / "lstm").module  # type: ignore[union-attr]  # an LSTM, which has one
    ids = json.loads((folder / "lstm" / "vocabulary.json").read_text(encoding="utf-8"))["words"]
    number = {word: index for index, word in enumerate(ids)}

    def score(words: Sequence[str]) -> list[float]:
        symbols = [*(["</s>"] if primed else []), *words, "</s>"]
        tokens = torch.tensor([number.get(word, number.get("<unk>", -1)) for word in symbols])
        with torch.inference_mode():
            hidden, _ = module.rnn(module.encoder(tokens[:-1])[:, None])
            logarithms = module.decoder(hidden[:, 0]).double().log_softmax(-1)
        bits = [-float(row[token]) / np.log(2) for row, token in zip(logarithms, tokens[1:], strict=True)]
        return bits if primed else [0.0, *bits]

    return score


def gpt2_bits(folder: Path, text: str, *, primed: bool) -> list[float]:
    """Every token after <|endoftext|> if `primed`; else the first has 0 bits."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    tokens = [*([tokenizer.bos_token_id] if primed else []), *tokenizer(text, add_special_tokens=False)["input_ids"]]
    with torch.inference_mode():
        logarithms = model(torch.tensor([tokens])).logits[0].double().log_softmax(-1)
    bits = [-float(row[token]) / np.log(2) for row, token in zip(logarithms, tokens[1:], strict=False)]
    return bits if primed else [0.0, *bits]


SUITE = "marvin-linzen/simple_agrmt"
TIES: tuple[Ties, ...] = ("share", "wrong", "all")


def as_published(text: str) -> list[str]:
    """`the author laughs .`, as Marvin & Linzen's code writes it."""
    return [*text.removesuffix(".").lower().split(), "."]


def margins(result: Any, prediction: str = "full-sentence") -> list[float]:
    return [float(x) for x in result.outcomes().filter(prediction=prediction)["margin"]]


def literal_margins(score: Callable[[str], float]) -> list[float]:
    items = gp.load_suites(SUITE, sample=5)[0].items
    return [score(item.sentences["ungrammatical"].text) - score(item.sentences["grammatical"].text) for item in items]


def test_marvin_linzen(folder: Path, gpt2_folder: Path) -> None:
    models = [str(folder / "ngram"), str(folder / "lstm"), f"hf:{gpt2_folder}"]
    ngram, lstm = ngram_bits(folder), lstm_bits(folder, primed=True)
    literal = [
        literal_margins(lambda text: sum(ngram(as_published(text)))),
        literal_margins(lambda text: sum(lstm(as_published(text))[:-1])),
        literal_margins(lambda text: sum(gpt2_bits(gpt2_folder, " ".join(as_published(text)), primed=True))),
    ]
    result = run(models=models, suites=SUITE, sample=5, protocol="marvin-linzen-2018")
    for model, expected in zip(models, literal, strict=True):
        rows = result.outcomes().filter(model=model)
        assert rows["margin"].to_list() == pytest.approx(expected, abs=2e-3)
        # Strictly more probable: a sum that is equal, here of two unknown verbs, is wrong.
        assert rows["credit"].to_list() == [float(margin > 1e-9) for margin in rows["margin"]]
    assert any(abs(margin) < 1e-9 for margin in literal[0])
    usual = run(models=models, suites=SUITE, sample=5)
    assert margins(usual) != pytest.approx(margins(result), abs=0.1)


def test_marvin_linzen_of_sentences_as_the_paper_prints_them(gpt2_folder: Path) -> None:
    pair = ("The author laughs.", "The author laugh.")
    suite = Suite.from_pairs([pair], name="pairs")
    good, bad = (sum(gpt2_bits(gpt2_folder, " ".join(as_published(text)), primed=True)) for text in pair)
    found = margins(run(models=[f"hf:{gpt2_folder}"], suites=[suite], protocol="marvin-linzen-2018"))
    assert found == pytest.approx([bad - good], abs=2e-3)


def test_blimp(gpt2_folder: Path) -> None:
    pairs = [("The keys to the cabinet are lost.", "The keys to the cabinet is lost."), ("The key is lost.",) * 2]
    suite = Suite.from_pairs(pairs, name="pairs")
    result = run(models=[f"hf:{gpt2_folder}"], suites=[suite], protocol="blimp-2020")
    good, bad = (sum(gpt2_bits(gpt2_folder, text, primed=True)) for text in pairs[0])
    assert margins(result) == pytest.approx([bad - good, 0.0], abs=2e-3)
    assert result.outcomes()["credit"].to_list() == [float(good < bad), 0.0]


REGIONS = Suite.from_table(
    {
        "item": [1, 1, 2, 2], "condition": ["match", "mismatch"] * 2, "noun": ["the keys"] * 2 + ["the key"] * 2,
        "verb": ["laugh", "laughs", "laughs", "laugh"], "rest": [". Then", ". Then", ".", "."], "none": [""] * 4,
    },
    {"rest": "(rest, match) < (rest, mismatch)", "last": "(none, match) < (none, mismatch)",
     "start": "(noun, match) < (verb, mismatch)", "whole": "(*, match) < (*, mismatch)"},
    name="regions", join="space",
)  # fmt: skip


def region_margins(score: Literal) -> dict[str, list[float]]:
    """Margins of `REGIONS`, the end of the sentence in its last region, as SyntaxGym has it."""
    found: dict[str, list[float]] = {"rest": [], "last": [], "start": [], "whole": []}
    for item in REGIONS.items:
        bits = {name: score(sentence.text.split()) for name, sentence in item.sentences.items()}
        n = len(item.sentences["match"].text.split())
        rest, last = ({name: sum(each[slice(*span)]) for name, each in bits.items()} for span in ((3, n), (n, n + 1)))
        found["rest"].append(rest["mismatch"] - rest["match"])
        found["last"].append(last["mismatch"] - last["match"])
        found["start"].append(bits["mismatch"][2] - sum(bits["match"][:2]))
        found["whole"].append(sum(bits["mismatch"]) - sum(bits["match"]))
    return found


def test_hu_2020(folder: Path) -> None:
    models = {str(folder / "ngram"): ngram_bits(folder), str(folder / "lstm"): lstm_bits(folder, primed=False)}
    result = run(models=list(models), suites=[REGIONS], protocol="hu-2020")
    for model, score in models.items():
        for prediction, expected in region_margins(score).items():
            rows = result.outcomes().filter(model=model, prediction=prediction)
            assert rows["margin"].to_list() == pytest.approx(expected, abs=1e-3), (model, prediction)


def test_hu_2020_of_a_transformer(gpt2_folder: Path) -> None:
    suite = Suite.from_pairs([("The keys are lost.", "A key are lost.")], name="pairs")
    with pytest.warns(InputWarning, match=r"reads no first symbol, and this model has one, '<\|endoftext\|>'"):
        result = run(models=[f"hf:{gpt2_folder}"], suites=[suite], protocol="hu-2020")
    good, bad = (sum(gpt2_bits(gpt2_folder, text, primed=False)) for text in ("The keys are lost.", "A key are lost."))
    # Neither the first token, which has 0 bits, nor the end counts: the model has seen nothing, and adds no symbol.
    assert margins(result) == pytest.approx([bad - good], abs=2e-3)
    with pytest.warns(InputWarning, match="no beginning-of-sentence"):
        missing = run(models=[f"hf:{gpt2_folder}"], suites=[suite], bos="none")
    assert np.isnan(margins(missing)).all()


def test_hu_chen_levy(folder: Path) -> None:
    models = {str(folder / "ngram"): ngram_bits(folder), str(folder / "lstm"): lstm_bits(folder, primed=False)}
    with pytest.warns(InputWarning, match="one side of a comparison is empty in 2 of 2 items"):
        result = run(models=list(models), suites=[REGIONS], protocol="hu-chen-levy-2020")
    for model, score in models.items():
        # The end has bits of its own, which are never compared; n-grams read <s>, others nothing.
        expected = region_margins(lambda words, score=score: [*score(words)[:-1], 0.0])  # type: ignore[misc]  # default
        for prediction, margins in expected.items():
            rows = result.outcomes().filter(model=model, prediction=prediction)
            assert rows["margin"].to_list() == pytest.approx(margins, abs=1e-3), (model, prediction)
            assert all(row["credit"] == 0.5 for row in rows.to_dicts() if row["margin"] == 0)


def test_hu_chen_levy_share_the_credit_only_if_all_is_equal() -> None:
    table = {
        "item": [1, 1, 1, 2, 2, 2, 3, 3, 3], "condition": ["base", "distract", "bad"] * 3, "pronoun": ["himself"] * 9,
    }  # fmt: skip
    suite = Suite.from_table(table, "(pronoun, bad) > (pronoun, base) & (pronoun, bad) > (pronoun, distract)")
    references = suite.predictions[0].formula.references
    values = {"base": [5.0, 5.0, 4.0], "distract": [5.0, 4.0, 4.0], "bad": [5.0, 5.0, 5.0]}
    regions = measured_regions({each: np.array(values[each.condition]) for each in references})
    credit = {ties: evaluate(suite, regions, noise=0, ties=ties)[0].credit.tolist() for ties in TIES}
    # compute_accuracy.py: more than both, or by a third where both differences are zero.
    assert credit["all"] == pytest.approx([1 / 3, 0, 1])
    assert credit["share"] == pytest.approx([1 / 3, 1 / 2, 1])
    assert credit["wrong"] == [0, 0, 1]
    for ties in TIES:  # a tie is one, whatever its credit
        (outcomes,) = evaluate(suite, regions, noise=0, ties=ties)
        assert [outcome.status for outcome in outcomes] == ["tie", "tie", "correct"]
    assert PROTOCOLS["hu-chen-levy-2020"].options["ties"] == "all"


def test_rendering_keeps_regions() -> None:
    regions = (Region("noun", 0, 7), Region("verb", 8, 13), Region("stop", 13, 14), Region("none", 14, 14))
    rendered = render_suite(suite_of(Sentence("The dog barks.", regions)), case="lower", stop="apart")
    sentence = rendered.items[0].sentences["a"]
    assert sentence.text == "the dog barks ."
    assert [sentence.content(region.name) for region in regions] == ["the dog", "barks", ".", ""]
    question = render_suite(suite_of(Sentence("Does İt bark?")), case="lower", stop="apart").items[0].sentences["a"]
    assert question.text == "does İt bark ?"
    apart = suite_of(Sentence("Does it bark ?"))
    assert render_suite(apart, stop="apart") == apart
    assert (
        render_suite(suite_of(Sentence("no dogs bark")), stop="apart").items[0].sentences["a"].text == "no dogs bark ."
    )


def test_full_stops_are_in_a_region() -> None:
    noun = Region("noun", 0, 7)
    regions = noun, Region("verb", 8, 13), Region("none", 13, 13)
    for text, verb in [
        ("The dog barks", "barks ."), ("The dog barks  ", "barks ."), ("The dog barks .", "barks"),
        ('The dog "It."', '"It ."'), ("The dog is...", "is ..."), ("The dog did?!", "did ?!"),
    ]:  # fmt: skip
        (item,) = render_suite(suite_of(Sentence(text, regions)), stop="apart").items
        sentence = item.sentences["a"]
        assert [sentence.content(region.name) for region in regions] == ["The dog", verb, ""], text
        assert sentence.text == ("The dog barks ." if text.startswith("The dog barks") else f"The dog {verb}")
    (item,) = render_suite(suite_of(Sentence("The dog barks", (noun,))), stop="apart").items
    assert item.sentences["a"] == Sentence("The dog barks .", (noun,))
    before = Region("verb", 8, 13), Region("none", 13, 13), Region("stop", 13, 14)
    (item,) = render_suite(suite_of(Sentence("The dog barks.", before)), stop="apart").items
    assert [item.sentences["a"].content(region.name) for region in before] == ["barks", "", "."]


def suite_of(sentence: Sentence) -> Suite:
    return Suite("one", (Condition("a"),), (Item("1", {"a": sentence}),), ())


def test_by_command_toml_and_python(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "by-command"
    fields = ["--suite", SUITE, "--sample", "2", "--store", str(tmp_path / "store")]
    arguments = ["run", "--model", str(folder / "ngram"), *fields, "--protocol", "marvin-linzen-2018"]
    printed = CliRunner().invoke(app, [*arguments, "--out", str(out)], catch_exceptions=False)
    assert printed.exit_code == 0, printed.output
    spec = CliRunner().invoke(app, [*arguments, "--print-spec"], catch_exceptions=False).output
    assert 'case = "lower"' in spec
    (tmp_path / "spec.toml").write_text(spec, encoding="utf-8")
    by_file = RunSpec.from_toml(tmp_path / "spec.toml", {"out": tmp_path / "by-file"})
    assert run(by_file).manifest.record() == gp.read_run(out).manifest.record()
    by_python = run(
        models=folder / "ngram", suites=SUITE, sample=2, store=tmp_path / "store", protocol="marvin-linzen-2018"
    )
    assert by_python.manifest.record() == gp.read_run(out).manifest.record()
    recorded = read_manifest(out)
    assert recorded.spec["protocol"] == "marvin-linzen-2018"
    assert (recorded.spec["case"], recorded.spec["ties"]) == ("lower", "wrong")
    assert recorded.models[0].decisions["protocol"] == (
        "marvin-linzen-2018: bos default, first missing, end True, end_region False"
    )
    assert recorded.run_spec().protocol == "marvin-linzen-2018"
    assert counts_end(recorded, recorded.models[0])
    apart = run(models=folder / "ngram", suites=SUITE, sample=2, store=tmp_path / "store").manifest
    assert not counts_end(apart, apart.models[0])


def test_conflicts_are_one_message() -> None:
    both = "case is 'as-is', the protocol has 'lower'; join is 'natural', the protocol has 'space'"
    refused(both, RunSpec, protocol="marvin-linzen-2018", case="as-is", join="natural", sample=3)
    refused(r"end is True, the protocol has False \(ngram: True\)", RunSpec, protocol="marvin-linzen-2018", end=True)
    assert RunSpec(protocol="marvin-linzen-2018", case="lower").join == "space"
    with pytest.raises(InputError, match="protocol is 'marvin'; it must be"):
        RunSpec(protocol="marvin")  # type: ignore[arg-type]  # what a user may write
    spec = RunSpec(protocol="marvin-linzen-2018")
    assert RunSpec.from_fields(spec.model_dump(exclude_unset=True) | {"protocol": "blimp-2020"}).case == "as-is"


def test_an_object_that_begins_otherwise_is_refused(folder: Path) -> None:
    other = "reads '</s>' first, where the protocol 'hu-2020' reads nothing"
    refused(other, run, models=[load_model(folder / "lstm")], suites=[REGIONS], protocol="hu-2020")
    done = run(models=[load_model(folder / "lstm", bos="none")], suites=[REGIONS], protocol="hu-2020")
    assert done.manifest.models[0].decisions["bos"] == "none: the first token has 0 bits"
    named = run(models=[folder / "lstm"], suites=[REGIONS], protocol="hu-2020")
    assert done.outcomes()["margin"].to_list() == named.outcomes()["margin"].to_list()


def test_an_object_of_unknown_kind_is_scored_as_other_models() -> None:
    taken = "unknown kind.*other than ngram, recurrent, transformer, txl, jrnn: bos default, first missing, end False"
    with pytest.warns(InputWarning, match=taken):
        run(models=[Bigram()], suites=[REGIONS], protocol="hu-2020")


def test_the_end_counts_in_a_region_only_if_it_is_scored(folder: Path, tmp_path: Path) -> None:
    refused("--end-region counts the end of a sentence, which is not scored", RunSpec, end_region=True)
    run(models=[folder / "ngram"], suites=[REGIONS], protocol="hu-2020", out=tmp_path / "run")
    spec = read_manifest(tmp_path / "run").run_spec()
    assert (spec.protocol, spec.end, spec.end_region) == ("hu-2020", False, True)


def test_every_protocol_sets_the_same_choices() -> None:
    shared = {"join", "case", "stop", "bos", "first", "end", "end_region", "ties", "normalise", "word_boundary"}
    for name, protocol in PROTOCOLS.items():
        assert shared <= set(protocol.options) <= set(RunSpec.model_fields), name
        assert all(set(values) <= set(protocol.options) for values in protocol.by_kind.values())
        assert RunSpec(protocol=name).protocol == name  # type: ignore[arg-type]  # one of the names
        assert name in (Path(__file__).parents[2] / "docs" / "protocols.md").read_text(encoding="utf-8")


def test_runs_of_one_model_with_other_ties_stay_apart(tmp_path: Path) -> None:
    suite = Suite.from_pairs([("the dog barks", "the dog bark"), ("a dog", "a dog")], name="pairs")
    model = Bigram()  # one, since each has a fingerprint of its own
    for ties in TIES:
        run(models=[model], suites=[suite], ties=ties, out=tmp_path / ties)
    found = gp.read_runs([tmp_path / ties for ties in TIES])
    credits = found.outcomes().filter(item="2").select("model", "credit").rows()
    assert credits == [("bigram (share)", 0.5), ("bigram (wrong)", 0.0), ("bigram (all)", 0.5)]
    assert found.accuracy()["ties"].to_list() == [1, 1, 1]


def test_score_counts_the_first_token_as_zero(gpt2_folder: Path) -> None:
    text = "The keys are lost."
    scores = gp.score(f"hf:{gpt2_folder}", text, bos="none", first="zero")
    assert scores.tokens()["bits"].to_list() == pytest.approx(gpt2_bits(gpt2_folder, text, primed=False), abs=2e-3)
