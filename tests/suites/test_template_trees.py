"""Trees of generated sentences: the leaves are the sentence."""

import pytest
from suite_files import Write

from gardenpath.errors import InputError
from gardenpath.suites.catalog import find_templates
from gardenpath.suites.templates.generate import fill_template
from gardenpath.suites.templates.sentence_trees import generate_trees, spell_sentence
from gardenpath.suites.templates.template_file import read_templates

TEMPLATE = """
regions = ["subject", "verb"]

[lists.noun]
forms = ["sing", "plur"]
tree = "(NN {})/(NNS {})"
words = ["dog/dogs", { word = "taxi driver/taxi drivers", tree = "(NN taxi) (NN driver)/(NN taxi) (NNS drivers)" }]

[slots]
noun = "noun"
verb = ["ran"]

[conditions]
one = ["the {noun:sing}", "{verb}"]
many = ["the {noun:plur}", "{verb}"]

[trees]
many = "(S (NP (DT the) {noun:plur}) (VP (VBD {verb})))"
"""


def test_words_bring_their_structure(write: Write) -> None:
    (template,) = read_templates(write("t.toml", TEMPLATE))
    assert list(generate_trees(template)) == [
        ("1", "many", "(S (NP (DT the) (NNS dogs)) (VP (VBD ran)))"),
        ("2", "many", "(S (NP (DT the) (NN taxi) (NNS drivers)) (VP (VBD ran)))"),
    ]
    assert list(generate_trees(template, most=1)) == list(generate_trees(template))[:1]


def test_capital_and_period_stand_in_the_tree_too(write: Write) -> None:
    (template,) = read_templates(write("t.toml", 'capitalise = true\nperiod = "."\n' + TEMPLATE))
    first, _ = generate_trees(template)
    assert first[2] == "(S (NP (DT The) (NNS dogs)) (VP (VBD ran)) (. .))"
    assert spell_sentence(first[2]) == "The dogs ran."


def test_leaves() -> None:
    assert spell_sentence("(S (NP dogs) (VP (V bark) (. .)))") == "dogs bark."
    for wrong in ("(S (NP dogs)", "(S dogs))", "(S ())", "dogs)", "", "(S)"):
        with pytest.raises(InputError, match="is not a tree"):
            spell_sentence(wrong)


AGREEMENT = [
    "simple_agrmt", "sent_comp", "vp_coord", "long_vp_coord", "prep_anim", "prep_inanim", "subj_rel",
    "obj_rel_across_anim", "obj_rel_across_inanim", "obj_rel_within_anim", "obj_rel_within_inanim",
    "obj_rel_no_comp_across_anim", "obj_rel_no_comp_across_inanim", "obj_rel_no_comp_within_anim",
    "obj_rel_no_comp_within_inanim",
]  # fmt: skip


@pytest.mark.parametrize("name", AGREEMENT)
def test_every_tree_of_marvin_and_linzen_spells_its_sentence(name: str) -> None:
    (template,) = find_templates(f"marvin-linzen/{name}")
    texts = {item.id: item.sentences["grammatical"].text for item in fill_template(template).items}
    spellings = {
        item: spell_sentence(tree) for item, condition, tree in generate_trees(template) if condition == "grammatical"
    }
    assert spellings == texts
    item, _, tree = next(generate_trees(template.as_sentences(), most=1))
    assert spell_sentence(tree) == f"{texts[item][0].upper()}{texts[item][1:]}."


def test_a_tree_of_marvin_and_linzen() -> None:
    (template,) = find_templates("marvin-linzen/subj_rel")
    _, _, tree = next(generate_trees(template))
    assert tree == (
        "(S (NP (NP (DT the) (NN author)) (SBAR (WHNP (WDT that)) (S (VP (VBZ likes) "
        "(NP (DT the) (NN security) (NN guard)))))) (VP (VBZ laughs)))"
    )
