"""Templates and the suites they make."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from suite_files import Write

from documentation.pages import blocks, page_text
from gardenpath.errors import InputError
from gardenpath.suites.catalog import find_templates
from gardenpath.suites.suite import Join, Suite, join_regions
from gardenpath.suites.templates import generate
from gardenpath.suites.templates.generate import fill_template
from gardenpath.suites.templates.template_file import read_templates

AGREEMENT = """
phenomenon = "agreement"
circuit = "Agreement"
source = "made up"
regions = ["subject", "verb"]
key = "{n}_{a}"

[lists]
noun = { forms = ["sing", "plur"], words = ["author/authors", "pilot/pilots"] }
verb = { forms = ["sing", "plur"], words = ["laughs/laugh", "is tall/are tall"] }

[slots]
subject = "noun"
object = "noun"
verb = "verb"

[factors]
n = ["sing", "plur"]
a = ["sing", "plur"]

[conditions]
good = ["the {subject:n} near the {object:a}", "{verb:n}"]
bad  = ["the {subject:n} near the {object:a}", "{verb:!n}"]

[predictions]
whole = "(*;%good%) < (*;%bad%)"
verb = { formula = "(verb;%good%) < (verb;%bad%)", chance = 0.5 }

[metadata]
author = "nobody"
year = 2018
"""


def suite_of(write: Write, text: str, join: Join = "natural") -> Suite:
    (template,) = read_templates(write("t.toml", text))
    return fill_template(template, join)


def texts(suite: Suite, condition: str) -> list[str]:
    return [item.sentences[condition].text for item in suite.items]


def test_factors_are_crossed_outside_the_slots_the_last_slot_fastest(write: Write) -> None:
    suite = suite_of(write, AGREEMENT)
    assert texts(suite, "good")[:10] == [
        "the author near the author laughs",
        "the author near the author is tall",
        "the author near the pilot laughs",
        "the author near the pilot is tall",
        "the pilot near the author laughs",
        "the pilot near the author is tall",
        "the pilot near the pilot laughs",
        "the pilot near the pilot is tall",
        "the author near the authors laughs",
        "the author near the authors is tall",
    ]
    assert texts(suite, "bad")[-1] == "the pilots near the pilots is tall"
    assert len(suite.items) == 2 * 2 * 2 * 2 * 2
    last = suite.items[-1]
    assert last.id == "plur_plur-8"
    assert last.fillers == {"subject": "pilot", "object": "pilot", "verb": "is tall"}
    assert last.levels == {"n": "plur", "a": "plur", "key": "plur_plur"}
    assert [item.id for item in suite.items[7:9]] == ["sing_sing-8", "sing_plur-1"]


def test_metadata_and_regions_of_a_suite(write: Write) -> None:
    suite = suite_of(write, AGREEMENT)
    assert (suite.name, suite.phenomenon, suite.circuit, suite.source) == ("t", "agreement", "Agreement", "made up")
    assert suite.metadata == {"author": "nobody", "year": "2018"}
    assert [(p.name, p.formula.text, p.chance) for p in suite.predictions] == [
        ("whole", "(*;%good%) < (*;%bad%)", None),
        ("verb", "(verb;%good%) < (verb;%bad%)", 0.5),
    ]
    assert [condition.name for condition in suite.conditions] == ["good", "bad"]
    sentence = suite.items[1].sentences["bad"]
    contents = {region.name: sentence.content(region.name) for region in sentence.regions}
    assert contents == {"subject": "the author near the author", "verb": "are tall"}


def test_capital_and_period(write: Write) -> None:
    suite = suite_of(write, 'capitalise = true\nperiod = "."\n' + AGREEMENT)
    sentence = suite.items[0].sentences["good"]
    assert sentence.text == "The author near the author laughs."
    assert [region.name for region in sentence.regions] == ["subject", "verb", "period"]
    assert sentence.content("period") == "."
    spaced = suite_of(write, 'period = "."\n' + AGREEMENT, join="space")
    assert spaced.items[0].sentences["good"].text == "the author near the author laughs ."


def test_templates_can_be_rendered_as_sentences(write: Write) -> None:
    (template,) = find_templates(str(write("t.toml", AGREEMENT)))
    plain, sentence = fill_template(template), fill_template(template.as_sentences())
    assert texts(plain, "bad")[0] == "the author near the author laugh"
    assert texts(sentence, "bad")[0] == "The author near the author laugh."
    assert [item.id for item in plain.items] == [item.id for item in sentence.items]


SMALL = """
regions = ["s"]
{head}

[lists]
noun = {{ forms = ["sing", "plur"], words = [
  {{ word = "actress/actresses", gender = "f", animate = true }},
  {{ word = "waiter/waiters", gender = "m", animate = true }},
  {{ word = "table/tables", animate = false, size = 2 }},
] }}
pronoun = [{{ word = "himself", gender = "m" }}, {{ word = "herself", gender = "f" }}]

[slots]
noun = "noun"
other = "noun"
pronoun = "pronoun"

[conditions]
a = ["{{noun:sing}} {{other:plur}} {{pronoun}}"]
"""


@pytest.mark.parametrize(
    ("require", "expected"),
    [
        (["noun != other"], 3 * 2 * 2),
        (["noun = other"], 3 * 2),
        (["noun.gender = pronoun.gender"], 2 * 3),
        (["noun.gender != pronoun.gender"], 4 * 3),  # a table has no gender, so not that of a pronoun
        (["noun.animate = true", "other.animate = false"], 2 * 1 * 2),
        (["noun.size = 2"], 3 * 2),
        (["noun = waiter", "pronoun != 'himself'"], 3),
    ],
)
def test_requirements(write: Write, require: list[str], expected: int) -> None:
    suite = suite_of(write, SMALL.format(head=f"require = {json.dumps(require)}"))
    assert len(suite.items) == expected
    if require == ["noun.gender = pronoun.gender"]:
        assert texts(suite, "a")[0] == "actress actresses herself"
        assert texts(suite, "a")[-1] == "waiter tables himself"


def test_requirements_can_hang_on_factors(write: Write) -> None:
    text = SMALL.format(head='require = ["noun.gender = g"]') + '\n[factors]\ng = ["f", "m"]\n'
    suite = suite_of(write, text)
    assert {item.levels["g"]: item.fillers["noun"] for item in suite.items} == {"f": "actress", "m": "waiter"}
    assert len(suite.items) == 2 * 6


def test_a_sample_is_of_every_combination_of_levels(write: Write) -> None:
    sampled = suite_of(write, "sample = { n = 3, seed = 1 }\n" + AGREEMENT)
    full = suite_of(write, AGREEMENT)
    assert [item.levels["key"] for item in sampled.items] == [
        key for key in ("sing_sing", "sing_plur", "plur_sing", "plur_plur") for _ in range(3)
    ]
    assert [item.fillers for item in sampled.items[:3]] == [item.fillers for item in sampled.items[-3:]]
    everything = texts(full, "good")
    positions = [everything.index(text) for text in texts(sampled, "good")]
    assert positions == sorted(positions)
    assert texts(suite_of(write, "sample = { n = 3, seed = 1 }\n" + AGREEMENT), "good") == texts(sampled, "good")
    assert texts(suite_of(write, "sample = { n = 3, seed = 2 }\n" + AGREEMENT), "good") != texts(sampled, "good")
    assert len(suite_of(write, "sample = { n = 99 }\n" + AGREEMENT).items) == len(full.items)


def test_a_sample_of_more_than_could_ever_be_made(write: Write) -> None:
    words = json.dumps([f"w{number}" for number in range(100)])
    slots = "\n".join(f"s{number} = {words}" for number in range(8))
    pattern = " ".join(f"{{s{number}}}" for number in range(8))
    head = 'regions = ["all"]\nrequire = ["s0 != s1"]\n'
    design = f'\n[slots]\n{slots}\n[conditions]\na = ["{pattern}"]\n'
    suite = suite_of(write, f"{head}sample = {{ n = 20, seed = 7 }}{design}")
    assert len(set(texts(suite, "a"))) == 20
    with pytest.raises(InputError, match=r"would make 10,000,000,000,000,000 items .* `sample = { n = 1000"):
        suite_of(write, head + design)


def test_forms_of_several_parts(write: Write) -> None:
    text = """
    regions = ["s"]
    [slots]
    noun = { forms = ["m.sing", "m.plur", "f.sing", "f.plur"], words = ["boy/boys/girl/girls", "man/men/woman/women"] }
    [factors]
    gender = ["m", "f"]
    number = ["sing", "plur"]
    [conditions]
    a = ["{noun:gender.number} {noun:gender.!number} {noun:f.plur}"]
    """
    suite = suite_of(write, text)
    assert texts(suite, "a")[2] == "boys boy girls"
    assert texts(suite, "a")[-1] == "women woman women"
    assert suite.items[0].fillers == {"noun": "boy/girl"}


def test_a_level_can_stand_in_the_sentence(write: Write) -> None:
    text = 'regions = ["s"]\n[factors]\nverb = ["runs", "sleeps"]\n[conditions]\na = ["he {verb}"]\n'
    suite = suite_of(write, text)
    assert [(item.id, item.sentences["a"].text) for item in suite.items] == [("1", "he runs"), ("2", "he sleeps")]


VARIANTS = """
regions = ["start", "pronoun"]
period = "."

[suites]
himself = { pronoun = "himself", gender = "m" }
themselves = { pronoun = "themselves" }

[slots]
noun = { forms = ["m", "f"], words = ["boy/girl", "man/woman"] }
cook = { forms = ["m", "f"], words = ["cook/cook"] }
pronoun = ["himself", "themselves"]

[variants]
gender = ["m", "f"]
order = { a = { first = "cook", second = "noun" }, b = { first = "noun", second = "cook" } }

[conditions]
base = ["The {first:gender} saw", "{pronoun}"]
bad = ["The {second:gender} saw", "{pronoun}"]

[predictions]
p = "(pronoun;%bad_*%) > (pronoun;%base_*%)"
first = "(pronoun;%bad_*_a%) > (pronoun;%base_*_a%)"

[metadata]
ungrammatical = "bad_*"
comment = "a * b"
"""


def test_variants_are_conditions(write: Write) -> None:
    text = VARIANTS.replace("_*_a", "_*a")
    himself, themselves = (fill_template(template) for template in read_templates(write("t.toml", text)))
    assert [suite.name for suite in (himself, themselves)] == ["t-himself", "t-themselves"]
    assert [condition.name for condition in himself.conditions] == ["base_a", "base_b", "bad_a", "bad_b"]
    names = [condition.name for condition in themselves.conditions]
    assert names[:4] == ["base_m_a", "base_m_b", "base_f_a", "base_f_b"]
    assert themselves.conditions[-1].levels == {"kind": "bad", "gender": "f", "order": "b"}
    nouns = ("cook", "man", "man", "cook")
    assert [s.text for s in himself.items[1].sentences.values()] == [f"The {noun} saw himself." for noun in nouns]
    assert themselves.items[1].sentences["base_f_b"].text == "The woman saw themselves."
    assert himself.metadata == {"ungrammatical": "bad_a bad_b", "comment": "a * b", "pronoun": "himself", "gender": "m"}


def test_a_formula_can_sum_over_variants(write: Write) -> None:
    himself, themselves = read_templates(write("t.toml", VARIANTS.replace("_*_a", "_*a")))
    assert [prediction.formula.text for prediction in himself.predictions] == [
        "[(pronoun;%bad_a%) + (pronoun;%bad_b%)] > [(pronoun;%base_a%) + (pronoun;%base_b%)]",
        "[(pronoun;%bad_a%)] > [(pronoun;%base_a%)]",
    ]
    assert themselves.predictions[1].formula.text == (
        "[(pronoun;%bad_m_a%) + (pronoun;%bad_f_a%)] > [(pronoun;%base_m_a%) + (pronoun;%base_f_a%)]"
    )


TABLE = 'regions = ["subject", "verb", "end"]\nitems = "items.tsv"\n'
ROWS = "item\tnoun:sing\tnoun:plur\tverb\tend\n7\tdog\tdogs\tran\t,  off\n9\tman\tmen\tleft\t\n"


def test_items_can_come_from_a_table(write: Write) -> None:
    write("items.tsv", ROWS)
    suite = suite_of(write, TABLE + '[conditions]\na = ["The {noun:sing}", "{verb}", "{end} ."]\n')
    assert [item.id for item in suite.items] == ["7", "9"]
    assert texts(suite, "a") == ["The dog ran, off.", "The man left."]
    assert suite.items[1].fillers == {"noun": "man", "verb": "left", "end": ""}
    assert suite.items[1].sentences["a"].content("end") == "."


def test_a_table_is_crossed_with_slots_and_factors(write: Write) -> None:
    write("items.tsv", ROWS)
    design = '[slots]\nadverb = ["soon", "then"]\n[factors]\nn = ["sing", "plur"]\n[conditions]\n'
    suite = suite_of(write, TABLE + design + 'a = ["The {noun:n}", "{adverb} {verb}", "{end}"]\n')
    assert [(item.id, item.sentences["a"].text) for item in suite.items] == [
        ("7-1", "The dog soon ran, off"),
        ("7-2", "The dog then ran, off"),
        ("9-1", "The man soon left"),
        ("9-2", "The man then left"),
        ("7-3", "The dogs soon ran, off"),
        ("7-4", "The dogs then ran, off"),
        ("9-3", "The men soon left"),
        ("9-4", "The men then left"),
    ]


def test_rows_without_ids_are_numbered(write: Write) -> None:
    write("items.tsv", "verb\nran\nleft\n")
    suite = suite_of(write, 'regions = ["s"]\nitems = "items.tsv"\n[conditions]\na = ["He {verb}"]\n')
    assert [item.id for item in suite.items] == ["1", "2"]


def test_a_lexicon_is_shared_and_has_editions(write: Write) -> None:
    lists = '[lists]\nnoun = ["dog", "cat"]\nverb = ["ran"]\n[editions.new]\nnoun = ["fox"]\n'
    write("lexicon.toml", f'edition = "old"\n{lists}')
    design = '[slots]\nnoun = "noun"\nverb = "verb"\n[conditions]\na = ["the {noun} {verb}"]\n'
    path = write("t.toml", f'lexicon = "lexicon.toml"\nregions = ["s"]\n{design}')
    (old,), (new,) = read_templates(path), read_templates(path, "new")
    assert texts(fill_template(old), "a") == ["the dog ran", "the cat ran"]
    assert texts(fill_template(new), "a") == ["the fox ran"]
    assert (old.metadata["edition"], new.metadata["edition"]) == ("old", "new")


def test_lists_of_the_template_stand_in_for_those_of_the_lexicon(write: Write) -> None:
    write("lexicon.toml", '[lists]\nnoun = ["dog", "cat"]\n')
    head = 'lexicon = "lexicon.toml"\nregions = ["s"]\n[lists]\nnoun = ["fox"]\n'
    suite = suite_of(write, head + '[slots]\nnoun = "noun"\n[conditions]\na = ["the {noun}"]\n')
    assert texts(suite, "a") == ["the fox"]


def test_only_the_first_items_on_request(write: Write) -> None:
    (template,) = read_templates(write("t.toml", AGREEMENT))
    ids = [item.id for item in fill_template(template, most=1).items]
    assert ids == ["sing_sing-1", "sing_plur-1", "plur_sing-1", "plur_plur-1"]


def test_the_numbers_of_a_sample_are_those_of_the_product() -> None:
    sizes = (3, 2, 4)
    every = list(product(*map(range, sizes)))
    assert [generate.unravel(number, sizes) for number in range(24)] == every


CONTENT = st.lists(st.sampled_from(["a", ",", ".", "'s", "{x}", "{y:n}", "{y:!n}", "{z:sing}", "n't"]), max_size=4)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(CONTENT, CONTENT, CONTENT), min_size=1, max_size=2),
    words=st.lists(st.sampled_from(["b", "", "c d", ", e", "f."]), min_size=1, max_size=3),
    join=st.sampled_from(["natural", "space"]),
    capitalise=st.booleans(),
    period=st.sampled_from(["", ".", "!"]),
)
def test_generation_is_filling_every_pattern_one_by_one(
    tmp_path: Path, rows: Any, words: list[str], join: Join, capitalise: bool, period: str
) -> None:
    pairs = [f"{word}/{word}{word}" for word in words]
    patterns = {f"c{number}": [" ".join(cell) for cell in row] for number, row in enumerate(rows)}
    used = "".join(" ".join(row) for row in patterns.values())
    slots = {
        "x": words,
        "y": {"forms": ["sing", "plur"], "words": pairs},
        "z": {"forms": ["sing", "plur"], "words": pairs},
    }
    slots = {name: value for name, value in slots.items() if f"{{{name}" in used}
    factors = {"n": ["sing", "plur"]} if "y" in slots else {}
    path = tmp_path / "t.toml"
    path.write_text(
        f"regions = ['r', 's', 't']\ncapitalise = {str(capitalise).lower()}\nperiod = {json.dumps(period)}\n"
        + "".join(
            f"[slots.{name}]\nforms = {value['forms']}\nwords = {value['words']}\n"
            if isinstance(value, dict)
            else f"[slots.{name}]\nwords = {value}\n"
            for name, value in slots.items()
        )
        + "".join(f"[factors]\n{name} = {levels}\n" for name, levels in factors.items())
        + "[conditions]\n"
        + "".join(f"{name} = {json.dumps(row)}\n" for name, row in patterns.items()),
        encoding="utf-8",
    )
    (template,) = read_templates(path)
    expected = []
    for n in (0, 1) if factors else (0,):
        for chosen in product(words, repeat=len(slots)):
            word = dict(zip(slots, chosen, strict=True))
            fill = {
                "{x}": word.get("x", ""),
                "{y:n}": word.get("y", "") * (n + 1),
                "{y:!n}": word.get("y", "") * (2 - n),
                "{z:sing}": word.get("z", ""),
            }
            for row in rows:
                contents = [" ".join(fill.get(piece, piece) for piece in cell) for cell in row]
                named = list(zip(["r", "s", "t", "period"], [*contents, period][: 4 if period else 3], strict=False))
                sentence = join_regions(named, join)
                text = sentence.text[:1].upper() + sentence.text[1:] if capitalise else sentence.text
                expected.append((text, sentence.regions))
    if not all(text.strip() for text, _ in expected):
        with pytest.raises(InputError, match="the sentence is empty"):
            fill_template(template, join)
        return
    suite = fill_template(template, join)
    assert [(sentence.text, sentence.regions) for _, sentence in suite.trials()] == expected


def test_the_example_of_the_documentation(write: Write) -> None:
    page = page_text("docs/templates.md")
    parts = [block.code for block in blocks(page) if block.language == "toml"]
    example = parts[0]
    suite = suite_of(write, example)
    assert len(suite.items) == 4 * 3 * 2 * 3 * 2
    assert suite.items[0].id == "sing_sing-1"
    assert [sentence.text for sentence in suite.items[0].sentences.values()] == [
        "The author near the author laughs.",
        "The author near the author laugh.",
    ]
    (tree,) = (part for part in parts if part.startswith("[trees]"))
    structures = 'tree = "(NN {})/(NNS {})", words'
    with_trees = example.replace('], words = ["author', f'], {structures} = ["author') + tree
    assert len(suite_of(write, 'require = ["subject != object"]\n' + with_trees).items) == 4 * 3 * 2 * 2 * 2
    line_number = example.split("\n").index(next(line for line in example.split("\n") if line.startswith("match"))) + 1
    with pytest.raises(InputError) as caught:
        suite_of(write, example.replace("{subject:number}", "{subject:numbr}", 1))
    assert f"agreement-across-pp.toml, line {line_number}: {str(caught.value).partition(': ')[2]}" in page
