"""Every error of a template names file, line, value and remedy."""

import re

import pytest
from suite_files import Write

from gardenpath.errors import InputError
from gardenpath.suites.templates.generate import fill_template
from gardenpath.suites.templates.template_file import read_templates

TEMPLATE = """\
regions = ["subject", "verb"]
key = "{n}"
require = ["subject != other"]
sample = { n = 2, seed = 1 }

[lists]
noun = { forms = ["sing", "plur"], words = [
  "dog/dogs",
  { word = "cat/cats", kind = "pet" },
] }
verb = { forms = ["sing", "plur"], words = ["runs/run"] }
adverb = ["soon", "often"]

[slots]
subject = "noun"
other = "noun"
verb = "verb"
adverb = "adverb"

[factors]
n = ["sing", "plur"]
m = ["sing", "plur", "dual"]

[variants]
order = { a = { first = "subject" }, b = { first = "other" } }

[conditions]
good = ["the {first:n} and the {other:sing} {adverb}", "{verb:n} {m}"]
bad = ["the {first:n} and the {other:sing} {adverb}", "{verb:!n} {m}"]

[predictions]
p = "(verb;%good_*%) < (verb;%bad_a%) + (verb;%bad_b%)"

[trees]
good = "(S (NP (D the) (N {first:n}) (C and) (D the) (N {other:sing}) (A {adverb})) (V {verb:n}) (M {m}))"

[suites]
dogs = { n = "sing" }
"""


def line_of(text: str) -> int:
    """The line of the template in which a text first stands."""
    return TEMPLATE[: TEMPLATE.index(text)].count("\n") + 1


def test_the_template_itself_is_in_order(write: Write) -> None:
    (template,) = read_templates(write("t.toml", TEMPLATE))
    assert len(fill_template(template).items) == 2 * 3


FAULTS = [
    # the head
    ('key = "{n}"', 'kee = "{n}"', "'kee' is unknown here; the keys are 'phenomenon'"),
    ('key = "{n}"', 'capitalize = true', "'suites'; did you mean 'capitalise'?"),
    ('key = "{n}"', 'key = "{subject}"', "{subject}: a key consists of factors, which are 'n', 'm'"),
    ('key = "{n}"', 'key = "{n"', "'{n' is not a hole; write {slot} or {slot:form}"),
    ('key = "{n}"', "key = 3", "'key' must be a text in quotation marks, not int 3"),
    ('key = "{n}"', "key = n", "this is not TOML (Invalid value); put texts in quotation marks"),
    ('["subject", "verb"]', "[]", "'regions' is an empty list; give at least one"),
    ('["subject", "verb"]', '["verb", "verb"]', "'verb' cannot be a region: names must be unique"),
    ('["subject", "verb"]', '["subject", "verb;"]', "'verb;' cannot be a region"),
    ("{ n = 2, seed = 1 }", "{ n = 0 }", "'sample' must be like { n = 500, seed = 1 }, not {'n': 0}"),
    ("{ n = 2, seed = 1 }", "{ of = 2 }", "'of' is unknown here; the keys are 'n', 'seed'"),
    # requirements
    ("subject != other", "subject ~ other", "'subject ~ other' is not a requirement; write one like 'verb1 != verb2'"),
    ("subject != other", "subjec != other", "there is no slot or factor 'subjec'; known names: 'subject', 'other'"),
    ("subject != other", "subject = dgo", "'subject' is never dgo; its values are 'dog', 'cat'"),
    ("subject != other", "subject.gender = f", "no word of 'noun' has the feature 'gender'"),
    ("subject != other", "n = dual", "'n' is never dual; its values are 'sing', 'plur'"),
    # word lists
    ('"dog/dogs"', '"dog"', "'dog' has 1 forms, but the list 'noun' has 2 ('sing', 'plur')"),
    ('"dog/dogs"', "3", "a word of 'noun' must be a text, or a table with 'word', not int 3"),
    ('kind = "pet"', 'kind = ["pet"]', "'cat/cats' has kind = list ['pet']; a feature must be a text, a number, true"),
    ('["soon", "often"]', "[]", "the list 'adverb' is empty; add at least one word"),
    ('["soon", "often"]', '["soon/often"]', "'soon/often' has 2 forms, but 'adverb' names none; write { forms = "),
    ('["soon", "often"]', "{ forms = ['a'] }", "the list 'adverb' has no 'words'"),
    ('["soon", "often"]', "{ word = ['a'] }", "'word' is unknown here; the keys are 'forms', 'words', 'tree'"),
    ('verb = { forms = ["sing", "plur"]', 'verb = { forms = ["sing", "sing"]', "a form is named twice"),
    # slots, factors, variants, suites
    ('adverb = "adverb"', 'adverb = "adverbs"', "no word list 'adverbs'; word lists: 'noun', 'verb', 'adverb'"),
    ('adverb = "adverb"', "adverb = []", "the list 'adverb' is empty; add at least one word"),
    ('m = ["sing", "plur", "dual"]', "m = []", "'m' is an empty list; give at least one"),
    ('m = ["sing"', 'key = ["sing"', "the name 'key' is taken (by gardenpath); choose another"),
    ('m = ["sing"', 'other = ["sing"', "the name 'other' is taken (slots); choose another"),
    ("order = {", "order = { a = { n = 'subject' } }\nold = {", "the name 'n' is taken (factors); choose another"),
    ('first = "other"', 'first = "another"', "'first' stands for the slot 'another', which does not exist"),
    ('first = "other"', 'last = "other"', "all levels of 'order' need the same aliases, not 'last' in 'b'"),
    ("dogs = { n =", "dogs = { nn =", "no slot, factor or variant 'nn' to fix; known names: 'subject', 'other'"),
    ('dogs = { n = "sing"', 'dogs = { n = "dual"', "'n' has no level 'dual'; it has 'sing', 'plur'"),
    ('dogs = { n = "sing"', 'dogs = { adverb = "never"', "'never' is not a word of 'adverb': 'soon', 'often'"),
    # conditions
    ("{first:n} and the {other:sing} {adverb}", "{last:n}", "{last:n}: there is no slot 'last'; known names: 'subj"),
    ("{verb:n} {m}", "{verb:x} {m}", "{verb:x}: 'x' is neither a form nor a factor; the forms of 'verb' are 'sing'"),
    ("{verb:n} {m}", "{verb:m} {m}", "{verb:m}: 'dual' is neither a form nor a factor"),
    ("{verb:n} {m}", "{verb:!m} {m}", "{verb:!m}: '!' needs a factor with two levels, but 'm' has 'sing', 'plur'"),
    ("{verb:n} {m}", "{verb} {m}", "{verb}: the form is missing; 'verb' has 'sing', 'plur'"),
    ("{verb:n} {m}", "{adverb:n} {m}", "{adverb:n}: the words of 'adverb' have only one form; write {adverb}"),
    ("{verb:n} {m}", "{m:n}", "{m:n}: 'm' is a factor, which has levels, not forms; write {m}"),
    ("{verb:n} {m}", "{verb:n m}", "is not a hole; write {slot} or {slot:form}"),
    (', "{verb:n} {m}"', "", "'good' has 1 patterns, but there are 2 regions ('subject', 'verb'); write \"\""),
    ('"{verb:n} {m}"', "3", "'good' must be a text in quotation marks, not int 3"),
    ("bad = [", '"b d" = [', "the name 'b d' cannot be used in a formula; use letters, digits, _ and -"),
    # predictions
    ("(verb;%good_*%)", "(verbs;%good_*%)", "(verbs;%good_a%) names the region 'verbs', which does not exist"),
    ("(verb;%good_*%)", "(3;%good_a%)", "(3;%good_a%) names the region '3', which does not exist"),
    ("(verb;%good_*%)", "(verb;%good_c%)", "(verb;%good_c%) names the condition 'good_c', which does not exist"),
    ("(verb;%good_*%)", "(verb;%good%)", "which does not exist; write %good_*% for all its variants"),
    ("(verb;%good_*%)", "(verb;%fine_*%)", "no condition matches 'fine_*'; conditions: 'good_a', 'good_b'"),
    ("(verb;%good_*%) <", "(verb;%good_*%) +", "formula cannot be parsed: this is a number of bits, not a claim"),
    ('p = "(verb', 'p = { chance = 2, formula = "(verb', "this is not TOML"),
    # trees
    ("good = \"(S", "fine = \"(S", "a tree for 'fine', but the conditions are 'good', 'bad'"),
    ("(A {adverb})", "(A {adverb} now)", "the tree spells 'the dog and the cat soon now runs sing', but the"),
    ("(A {adverb})", "(A {adverb}", "is not a tree: brackets must close, and hold a label and what is under it"),
    ("(A {adverb})", "(A {adverbs})", "{adverbs}: there is no slot 'adverbs'"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), FAULTS, ids=[new for _, new, _ in FAULTS])
def test_errors_have_a_line(write: Write, old: str, new: str, message: str) -> None:
    assert old in TEMPLATE
    path = write("t.toml", TEMPLATE.replace(old, new, 1))
    with pytest.raises(InputError) as caught:
        read_templates(path)
    assert str(caught.value).startswith(f"{path}, line {line_of(old)}: ")
    assert message in str(caught.value)


IDLE = [
    ('adverb = "adverb"', "other {adverb}", "no sentence uses the slot 'adverb'; use it or remove it"),
    ("m = [", "{m}", "nothing depends on the factor 'm'; use it or remove it"),
]


@pytest.mark.parametrize(("table", "removed", "message"), IDLE)
def test_slots_and_factors_without_effect_are_refused(write: Write, table: str, removed: str, message: str) -> None:
    hole = re.search(r"\{.*\}", removed)
    assert hole is not None
    path = write("t.toml", TEMPLATE.replace(hole[0], ""))
    with pytest.raises(InputError, match=re.escape(f"{path}, line {line_of(table)}: {message}")):
        read_templates(path)


def test_no_words_satisfy_the_requirements(write: Write) -> None:
    text = TEMPLATE.replace('["subject != other"]', '["subject != other", "subject = other"]').split("[trees]")[0]
    (template,) = read_templates(write("t.toml", text))
    with pytest.raises(InputError, match="template 't' makes no item: no words satisfy every requirement of `require`"):
        fill_template(template)


HEAD = 'regions = ["s"]\n'
DESIGN = '[conditions]\na = ["the {noun}"]\n'
ITEMS = f'{HEAD}items = "x.tsv"\n{DESIGN}'
WORDS = f'{HEAD}lexicon = "words.toml"\n[slots]\nnoun = "noun"\n{DESIGN}'
EDITIONS = '[lists]\nnoun = ["dog"]\n[editions.new]\nnoun = ["cat"]\n'


@pytest.mark.parametrize(
    ("text", "files", "edition", "message"),
    [
        (ITEMS, {}, "", r"t.toml, line 2: .*x.tsv: there is no such file"),
        (ITEMS, {"x.tsv": "item\tverb\n1\truns\n"}, "", r"t.toml, line 4: {noun}: there is no slot 'noun'; .* 'verb'"),
        (ITEMS, {"x.tsv": "item\tnoun\n1\tdog\n1\tcat\n"}, "",
         r"t.toml, line 2: .*x.tsv, line 3: the item '1' occurs twice"),
        (WORDS, {}, "", r"t.toml, line 2: .*words.toml: there is no such file"),
        (WORDS, {"words.toml": '# words\n[lists]\nnoun = ["dog",\n  "cat/cats"]\n'}, "",
         "words.toml, line 4: 'cat/cats' has 2 forms, but 'noun' names none"),
        (WORDS, {"words.toml": EDITIONS}, "newer", r"words.toml, line 1: there is no edition 'newer'; editions: 'new'"),
        (f'{HEAD}[slots]\nnoun = ["dog"]\n{DESIGN}', {}, "new",
         r"t.toml, line 1: there is no edition 'new': the file names no lexicon"),
        ('regions = ["s"]\nregions = ["t"]\n', {}, "", r"t.toml, line 2: this is not TOML"),
        ('regions = [\n"s"', {}, "", r"t.toml, line 2: this is not TOML"),
        (HEAD, {}, "", r"t.toml, line 1: there are no conditions; add at least one"),
        (TEMPLATE.replace("order = {", "size = {}\norder = {"), {}, "",
         f"line {line_of('order = {')}: the variant 'size' has no levels"),
        (TEMPLATE.replace('p = "', 'p.chance = 2\np.formula = "'), {}, "",
         "'chance' must be a number between 0 and 1, not int 2"),
        (TEMPLATE.replace('p = "', 'p.chance = "x"\np.formula = "'), {}, "",
         "'chance' must be a number between 0 and 1, not str 'x'"),
    ],
)  # fmt: skip
def test_errors_name_the_file(write: Write, text: str, files: dict[str, str], edition: str, message: str) -> None:
    for name, content in files.items():
        write(name, content)
    with pytest.raises(InputError, match=message):
        read_templates(write("t.toml", text), edition)
