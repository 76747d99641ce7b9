"""Differences, duplicates, power, and whole audits: of toys, and of suites whose faults are known."""

import io
import json
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars
import pytest
from scipy.stats import binom, binomtest

from gardenpath.auditing.audit import audit, run_checks
from gardenpath.auditing.differences import DifferingSpans, compare_sentences, contrasts_to_check, difference_finding
from gardenpath.auditing.duplicates import count_different, duplicate_finding
from gardenpath.auditing.finding import Audit, AuditFinding, worst
from gardenpath.auditing.power import power_finding, power_of
from gardenpath.auditing.shared_words import fewest_items
from gardenpath.auditing.word_frequencies import count_frequencies_in_file, english
from gardenpath.auditing.words import split_suite
from gardenpath.commands.app import main
from gardenpath.models.load import load_model
from gardenpath.reporting.audits import audit_markdown
from gardenpath.statistics.effective_items import effective_items
from gardenpath.suites.formula_parser import parse_formula
from gardenpath.suites.load import load_suite, sample_items
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Condition, Item, Sentence, Suite, join_regions

FILES = Path(__file__).parent.parent / "data"


def pairs(*texts: tuple[str, str], name: str = "toy", **metadata: str) -> Suite:
    items = tuple(Item(str(n), {"good": Sentence(good), "bad": Sentence(bad)}) for n, (good, bad) in enumerate(texts))
    prediction = Prediction.parse("full", "(*;%good%) < (*;%bad%)")
    return Suite(name, (Condition("good"), Condition("bad")), items, (prediction,), metadata=metadata)


def regions(*items: tuple[str, str], formula: str = "(3;%a%) < (3;%b%)") -> Suite:
    made = [Item(str(n), dict(zip("ab", map(numbered_regions, item), strict=True))) for n, item in enumerate(items)]
    return Suite("toy", (Condition("a"), Condition("b")), tuple(made), (Prediction.parse("claim", formula),))


def numbered_regions(text: str) -> Sentence:
    return join_regions([(str(index), part) for index, part in enumerate(text.split("|"), 1)])


def finding_of(audit: Audit, check: str) -> AuditFinding:
    return next(finding for finding in audit.findings if finding.check == check)


def test_stretches_by_hand() -> None:
    assert compare_sentences("the dog barks .", "the dog bark .") == DifferingSpans(1, 1, order_only=False)
    assert compare_sentences("the dog barks", "the dogs bark") == DifferingSpans(1, 2, order_only=False)
    assert compare_sentences("no dog has ever", "the dog has often") == DifferingSpans(2, 2, order_only=False)
    assert compare_sentences("a b c", "a c b").order_only
    assert compare_sentences("a b", "a b") == DifferingSpans(0, 0, order_only=False)


USUAL, THE_BOYS = ("the|boys|see|it", "the|boy|see|it"), "the|boys|see|it"


@pytest.mark.parametrize(
    ("suite", "severity", "items", "message"),
    [
        (pairs(("a b c", "a x c"), ("a b c", "y b c")), "ok", (), "100 % differ in one span of words"),
        (
            pairs(("a b c", "x b y"), ("a b c", "a x c")),
            "look",
            ("0",),
            "50 % differ in one span of words, 50 % differ in several spans",
        ),
        (pairs(("a b c", "a b c"), ("a b", "a c")), "problem", ("0",), "the same sentence"),
        (regions(USUAL, ("the|dogs|see|it", "the|dog|see|all")), "ok", (), "differ in 2 in all items"),
        (regions((THE_BOYS, "the|boys|sees|it")), "ok", (), "differ in [3] in all items"),
        (regions((THE_BOYS, "the|boy|sees|it")), "look", (), "2 + [3]"),
        # Differences after the comparison do not count.
        (regions((THE_BOYS, "the|boys|see|all")), "problem", ("0",), "the same up to the regions compared"),
        (regions(USUAL, USUAL, USUAL, (THE_BOYS, "a|boys|see|it")), "look", ("3",), "but in 1 in 1 other"),
    ],
)
def test_differences_of_conditions(suite: Suite, severity: str, items: tuple[str, ...], message: str) -> None:
    found = difference_finding(split_suite(suite))
    assert (found.severity, found.items) == (severity, items)
    assert message in found.message


def test_variants_are_compared_with_the_same_variant() -> None:
    conditions = tuple(
        Condition(f"{kind}_{variant}", {"kind": kind, "variant": variant}) for kind in "gu" for variant in "xy"
    )
    sentences = {one.name: join_regions([("1", one.name[0]), ("2", "it")]) for one in conditions}
    formula = parse_formula("[(2;%u_x%) + (2;%u_y%)] > [(2;%g_x%) + (2;%g_y%)]")
    suite = Suite("toy", conditions, (Item("1", sentences),), (Prediction("claim", formula),))
    assert [contrast.conditions for contrast in contrasts_to_check(suite)] == [("u_x", "g_x"), ("u_y", "g_y")]


def test_conditions_far_apart_are_compared_if_nothing_is_nearer() -> None:
    conditions = (Condition("a", dict.fromkeys("xyz", "1")), Condition("b", dict.fromkeys("xyz", "2")))
    item = Item("1", {"a": Sentence("good"), "b": Sentence("bad")})
    suite = Suite("toy", conditions, (item,), (Prediction.parse("claim", "(*;%a%) < (*;%b%)"),))
    assert len(contrasts_to_check(suite)) == 1


def test_different_items_by_hand() -> None:
    # "the" is in all. Of their other words the first two share two of three: 2 * 2 / 6 > 0.6. The rest share none.
    sentences = [("the", *"abc"), ("the", *"abd"), ("the", *"efg"), ("the", *"hij"), ("the", *"klm")]
    assert count_different(sentences) == pytest.approx(5 / ((2 + 2 + 1 + 1 + 1) / 5))
    assert count_different([("the", "dog")] * 4) == 1
    assert count_different([("a", "b"), ("c", "d"), ("e", "f")]) == 3


@pytest.mark.parametrize(
    ("suite", "severity", "items"),
    [
        (pairs(("a b c", "a b d"), ("a b c", "a b d"), ("x y z", "x y w")), "problem", ("1",)),
        (pairs(*[(f"a b {n % 29}", f"b a {n % 29}") for n in range(30)]), "look", ("29",)),
        (pairs(("a b c", "a b d"), ("a b c", "a b e"), ("x y z", "x y w")), "look", ("0", "1")),
        (pairs(("a b c", "a b d"), ("a b c", "a b e"), repeats="as the design has it"), "ok", ()),
        (pairs(("a b c", "a b c"), ("x y z", "x y w")), "look", ("0",)),
    ],
)
def test_items_that_repeat_others_are_named(suite: Suite, severity: str, items: tuple[str, ...]) -> None:
    found = duplicate_finding(suite)
    assert (found.severity, found.items) == (severity, items)


def test_items_of_few_words_are_independent_only_if_their_words_are_known() -> None:
    frames = [("dog", "barks"), ("cat", "sleeps"), ("cow", "eats"), ("hen", "sings"), ("fox", "runs")]
    places = ("here", "there", "again", "now", "today", "often")
    texts = [(f"the {noun} {verb} {place}", f"a {noun} {verb} {place}") for noun, verb in frames for place in places]
    found = duplicate_finding(pairs(*texts))
    assert found.severity == "look"
    assert "30 items share so many words that only about 5 are different" in found.message
    filled = pairs(*texts)
    nouns = [noun for noun, _ in frames for _ in places]
    items = tuple(replace(item, fillers={"noun": noun}) for item, noun in zip(filled.items, nouns, strict=True))
    found = duplicate_finding(replace(filled, items=items))
    assert found.severity == "ok"
    assert "which intervals over items and the words they share take into account" in found.message
    assert (found.items, found.remedy) == ((), "")
    few = duplicate_finding(replace(filled, items=items[:24]))  # four nouns, which intervals take as chosen
    assert few.severity == "look"
    assert few.message.endswith("but intervals do not count slots of fewer than 5 words as shared words")


def test_power_states_what_shared_words_may_cost() -> None:
    filled = pairs(*[(f"the dog {n} runs", f"the dog {n} run") for n in range(60)])
    alone = power_finding(filled).message
    for words, message in ((4, alone), (5, "5 words"), (20, "20 words")):
        items = tuple(replace(item, fillers={"verb": str(n % words)}) for n, item in enumerate(filled.items))
        assert message in power_finding(replace(filled, items=items)).message
    fewest = fewest_items(items)
    assert fewest is not None
    # Results that depend on the verb alone: what a run then counts.
    rows = polars.DataFrame({"fillers": [json.dumps(dict(item.fillers)) for item in items]})
    credit = polars.Series("credit", [float(int(item.fillers["verb"]) % 2) for item in items])
    worth = effective_items(rows.with_columns(credit, suite=0), "credit", ["suite"])
    assert fewest.items == int(worth["effective_n"][0])
    assert 15 < fewest.items < 20
    assert fewest_items(filled.items) is None


def test_power_equals_the_exact_test() -> None:
    for n in (6, 10, 20, 24, 75):
        power = power_of(n, 0.5)
        assert power.smallest is not None
        assert power.reliable is not None
        needed = round(power.smallest * n)
        assert binomtest(needed, n).pvalue < 0.05 <= binomtest(needed - 1, n).pvalue
        assert binom.sf(needed - 1, n, power.reliable) == pytest.approx(0.8, abs=0.001)


def test_five_items_cannot_show_anything() -> None:
    # 2 · 0.5^5 = 0.0625: all five right are not significant; of six they are (0.03125).
    assert power_of(5, 0.5).smallest is None
    assert power_of(6, 0.5).smallest == 1.0
    for items, severity in ((5, "problem"), (12, "look"), (100, "ok")):
        assert power_finding(pairs(*[(f"a {n}", f"b {n}") for n in range(items)])).severity == severity


@pytest.mark.parametrize("chance", [0.5, 0.25, 5 / 24, 7 / 24, 1 / 3, 0.9])
def test_power_is_that_of_the_test_against_chance(chance: float) -> None:
    for n in (6, 11, 24, 28, 40):
        enough = [k for k in range(n + 1) if k > n * chance and binomtest(k, n, chance).pvalue <= 0.05]
        assert power_of(n, chance).smallest == (enough[0] / n if enough else None)


def test_power_tells_observed_from_true_accuracy() -> None:
    assert power_finding(pairs(*[(f"a {n}", f"b {n}") for n in range(8)])).message == (
        "at least 8 of 8 items (100 %) must be right to be significantly above chance (50 %); a model whose true "
        "accuracy is 97.3 % gets there four times in five"
    )


def test_numbers_of_items_in_words() -> None:
    message = power_finding(pairs(("a", "b"))).message
    assert message == "1 item cannot be distinguished from chance (50 %), even if it is right"


def test_the_worst_finding_is_the_verdict_and_unchecked_is_none() -> None:
    findings = (AuditFinding("a", "ok", ""), AuditFinding("b", "unchecked", ""), AuditFinding("c", "look", "because"))
    assert Audit("s", 1, 1, findings).verdict == "look"
    assert Audit("s", 1, 1, findings).reasons == findings[2:]
    assert Audit("s", 1, 1, findings[:2]).verdict == "ok"
    essential = AuditFinding("frequency", "unchecked", "another language")
    assert Audit("s", 1, 1, (findings[0], essential)).verdict == "unchecked"
    assert Audit("s", 1, 1, (findings[0], essential)).reasons == (essential,)
    assert Audit("s", 1, 1, (findings[2], essential)).verdict == "look"
    assert worst([]) == "ok"


def test_pronouns_of_marvin_and_linzen_differ_in_frequency() -> None:
    """What Hu, Chen & Levy found fault with, and what they did instead."""
    found = finding_of(audit("marvin-linzen/simple_reflexives"), "frequency")
    assert "it differs from word to word" in found.message
    pairs_compared = {(row["expected"], row["unexpected"]) for row in found.evidence["predictions"][0]["most common"]}
    assert ("herself", "themselves") in pairs_compared
    remedy = audit("reflexives/2a-relative-clause-herself")
    assert remedy.verdict == "ok"
    assert finding_of(remedy, "counterbalancing").evidence["tables"][0]["cramers v"] == 0.0


def test_a_noun_that_was_released_twice_is_found() -> None:
    found = audit("reflexives/released/2a-relative-clause-herself")
    assert found.verdict == "problem"
    duplicates = finding_of(found, "duplicates")
    assert duplicates.evidence["items repeated"] == 15
    assert duplicates.items == tuple(str(n) for n in range(61, 76))


def test_a_sample_of_a_large_suite_says_so() -> None:
    suite = pairs(*[(f"dog {n}", f"cat {n}") for n in range(30)])
    found = audit(suite, sample=10)
    assert (found.items, found.audited) == (30, 10)
    assert "10 of 30 items" in found.note
    assert found == run_checks(sample_items(suite, 10), english(), whole=suite)


def test_one_item_is_no_reason_to_stop() -> None:
    found = audit(pairs(("the dog barks", "the dog bark")))
    assert finding_of(found, "power").severity == "problem"
    json.dumps(found.as_dict(), allow_nan=False)


def test_a_suite_its_models_and_a_text_by_name(tmp_path: Path) -> None:
    """The same from names, files and loaded objects."""
    file = write_pairs(tmp_path / "pairs.tsv", 8)
    text = tmp_path / "text.txt"
    text.write_text("the common dog barks\n" * 20 + "rare number")
    model = f"ngram:{FILES / 'kneser_ney.arpa'}"
    found = audit(file, model, frequencies=text)
    assert found == audit(load_suite(file), [load_model(model)], frequencies=count_frequencies_in_file(text))
    assert finding_of(found, "baselines").evidence["accuracies"] != []
    assert str(found).startswith("pairs: problem\nfrequency         problem    the expected words are more frequent")


def test_names_do_no_harm_in_markdown() -> None:
    found = audit(pairs(("a <b>", "a c"), name="<script>alert(1)</script>|x"))
    page = audit_markdown([found], command="gardenpath audit x")
    assert "<script>" not in page.replace("\\<", "")
    assert "\\|x" in page


def run(*arguments: object) -> tuple[int, str, str]:
    """The command line in this process."""
    stdout, stderr = io.StringIO(), io.StringIO()
    silenced = redirect_stdout(stdout), redirect_stderr(stderr)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(), silenced[0], silenced[1]:
        patch.setattr(sys, "argv", ["gardenpath", *map(str, arguments)])
        patch.setattr(warnings, "showwarning", warnings.showwarning)
        try:
            main()
        except SystemExit as stopped:
            return int(stopped.code or 0), stdout.getvalue(), stderr.getvalue()
    raise AssertionError("the command line always ends with an exit code")


def write_pairs(path: Path, n: int) -> Path:
    lines = ["good\tbad", *(f"the common dog number {k} barks\tthe rare dog number {k} barks" for k in range(n))]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_command_counts_words_in_a_text_and_writes_a_page(tmp_path: Path) -> None:
    file = write_pairs(tmp_path / "pairs.tsv", 20)
    text = tmp_path / "text.txt"
    text.write_text("the common dog barks\n" * 20 + "rare number " + " ".join(map(str, range(20))))
    page = tmp_path / "notes" / "audit.md"
    code, stdout, _ = run("audit", file, "--frequencies", text, "--json", "--out", page)
    assert code == 0
    [record] = json.loads(stdout)
    assert record["verdict"] == "problem"
    found = {finding["check"]: finding for finding in record["findings"]}
    assert found["frequency"]["severity"] == "problem"
    assert found["frequency"]["evidence"]["frequencies"] == str(text)
    assert found["frequency"]["remedy"]
    assert page.read_text().startswith(f"# Confound audit\n\n    gardenpath audit {file} --frequencies {text}\n")
    assert "| pairs | 20 | problem |" in page.read_text()


def test_the_command_takes_an_ngram_model_as_a_baseline(tmp_path: Path) -> None:
    file = write_pairs(tmp_path / "pairs.tsv", 8)
    code, stdout, _ = run("audit", file, "--model", f"ngram:{FILES / 'kneser_ney.arpa'}", "--json", "--sample", 5)
    assert code == 0
    [record] = json.loads(stdout)
    assert record["audited"] == 5
    found = {finding["check"]: finding for finding in record["findings"]}
    assert len(found["baselines"]["evidence"]["accuracies"]) == 1
    assert found["unknown words"]["severity"] == "problem"


def test_the_command_reports_errors(tmp_path: Path) -> None:
    file = write_pairs(tmp_path / "pairs.tsv", 3)
    code, _, stderr = run("audit", file, "--frequencies", tmp_path / "none.txt")
    assert code == 2
    assert "no such file" in stderr
    assert run("audit", "no-such-suite")[0] == 2


def test_no_value_is_missing_in_json() -> None:
    for name in ("agreement", "syntactic-generalization/fgd_hierarchy"):
        record = audit(name).as_dict()
        assert np.isin(record["verdict"], ["ok", "look", "problem"])
        json.dumps(record, allow_nan=False)


def test_one_item_is_singular_and_several_are_plural() -> None:
    one, two = ("the dog runs", "the dog runs"), ("the cat runs", "the cat runs")
    for texts, message in (([one, ("a b", "a c")], "1 item has"), ([one, two, ("a b", "a c")], "2 items have")):
        suite = pairs(*texts)
        assert f"{message} the same sentence in both conditions" in difference_finding(split_suite(suite)).message
        assert f"{message} the same text in two conditions" in duplicate_finding(suite).message
