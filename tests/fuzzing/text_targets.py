"""Texts that people write: a damaged one is refused, or is another valid text that survives writing and reading."""

import gzip
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzzing.target import Target
from gardenpath.auditing.word_frequencies import count_frequencies_in_file
from gardenpath.errors import InputError
from gardenpath.evaluation.chance import chance_of
from gardenpath.io.text_files import read_lines
from gardenpath.models.precomputed.model import load_precomputed
from gardenpath.runs.model_metadata import read_model_metadata
from gardenpath.runs.spec import RunSpec
from gardenpath.suites.catalog import find_suites
from gardenpath.suites.check import check_suite
from gardenpath.suites.formats.region_values import read_region_values
from gardenpath.suites.formats.syntaxgym_writing import write_syntaxgym
from gardenpath.suites.formula_parser import parse_formula
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Suite
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import read_vocabulary
from gardenpath.training.corpora.supertag_files import read_supertags
from gardenpath.training.corpora.treebank import survey
from gardenpath.training.corpora.word_counts import count_words
from gardenpath.training.specs.architectures import SPECS
from gardenpath.trees.brackets import parse_tree, read_placed_trees
from gardenpath.trees.tree import bracketed
from small_training import VOCABULARY_OF_ALL

PAIRS = [("The keys are here.", "The keys is here."), ("The key is “lost”, too.", "The key are “lost”, too.")]
REGIONS = [
    {"item_number": number, "conditions": [
        {"condition_name": name, "regions": [
            {"region_number": 1, "content": f"The {noun}", "metric_value": {"sum": 4.5}},
            {"region_number": 2, "content": verb, "metric_value": {"sum": 2.0 + (name == "bad")}},
            {"region_number": 3, "content": "here.", "metric_value": {"sum": 1.25}},
        ]}
        for name, verb in (("good", "are"), ("bad", "is"))
    ]}
    for number, noun in ((1, "keys"), (2, "dogs"))
]  # fmt: skip
SYNTAXGYM = {
    "meta": {"name": "keys", "metric": "sum", "author": "someone"},
    "region_meta": {"1": "noun", "2": "verb", "3": "rest"},
    "predictions": [
        {"type": "formula", "formula": "(2;%good%) < (2;%bad%)"},
        {"type": "formula", "formula": "[(2;%good%) + 1 <= (*;%bad%)] & [(1;%good%) = (1;%bad%)]"},
    ],
    "items": REGIONS,
}
HUB = [
    {"suite_name": "hub", "item_number": number, "predictions": ["(2;%good%) < (2;%bad%)"], "conditions": {
        "condition_name": ["good", "bad"],
        "regions": [{"region_number": [1, 2], "content": ["The keys", verb]} for verb in ("are", "is")],
    }}
    for number in (1, 2)
]  # fmt: skip
BLIMP = [
    {"sentence_good": good, "sentence_bad": bad, "field": "syntax", "linguistics_term": "agreement", "UID": "keys",
     "simple_LM_method": True, "one_prefix_method": True, "two_prefix_method": False, "lexically_identical": False,
     "pairID": str(number), "one_prefix_prefix": good[:8].strip(), "one_prefix_word_good": good.split()[2],
     "one_prefix_word_bad": bad.split()[2]}
    for number, (good, bad) in enumerate(PAIRS)
]  # fmt: skip
REFLEXIVES = ["item,mismatch_position,counterbalance,pronoun,sentence,sentence_no_eos"] + [
    f"{item},{position},{variant},himself,The {noun} he liked saw himself . <eos>,The {noun} he liked saw himself ."
    for item in (1, 2)
    for position, noun in (("none", "boy"), ("matrix_subj", "boys"), ("rc_subj", "man"))
    for variant in "ab"
]
VARIANTS = ["suite\tpronoun\titem\tcondition\tvariant\tsentence"] + [
    f"r\thimself\t{item}\t{kind}\ta\tThe {kind} boy saw himself."
    for item in (1, 2)
    for kind in ("baseline", "distractor", "ungrammatical")
]
REGION_TABLE = ["item_number\tcondition_name\tregion_number\tregion_name\tcontent"] + [
    f"{item['item_number']}\t{condition['condition_name']}\t{region['region_number']}\tr{region['region_number']}\t{region['content']}"
    for item in REGIONS
    for condition in item["conditions"]  # type: ignore[attr-defined]
    for region in condition["regions"]
]
TABLES = {
    "pairs.csv": "good,bad,id,suite,phenomenon\n" + "".join(f'"{a}","{b}",{n},s,p\n' for n, (a, b) in enumerate(PAIRS)),
    "pairs.tsv": "grammatical\tungrammatical\n" + "".join(f"{a}\t{b}\n" for a, b in PAIRS),
    "written.tsv": "suite\tkey\titem\tgood\tbad\n"
    + "".join(f"s\tk\t{n}\t{a}\t{b}\n" for n, (a, b) in enumerate(PAIRS)),
    "regions.tsv": "\n".join(REGION_TABLE) + "\n",
    "exp1/himself.csv": "\n".join(REFLEXIVES) + "\n",
    "variants.tsv": "\n".join(VARIANTS) + "\n",
    "clams.txt": "".join(f"True\t{a}\nFalse\t{b}\n" for a, b in PAIRS),
    "agreement-zorro.txt": "the keys is here .\nthe keys are here .\nthe dogs is there ?\nthe dogs are there ?\n",
    "climp.csv": "1,good,猫 在 这里 。,x\n1,bad,猫 这里 在 。,x\n",
}
TEMPLATE = """phenomenon = "agreement"
regions = ["subject", "verb"]
key = "{n}"

[lists]
noun = { forms = ["sing", "plur"], words = ["author/authors", { word = "table/tables", animate = false }] }
verb = { forms = ["sing", "plur"], words = ["laughs/laugh", "is tall/are tall"] }

[slots]
subject = "noun"
object = "noun"
verb = "verb"

[factors]
n = ["sing", "plur"]

[conditions]
good = ["the {subject:n} near the {object:sing}", "{verb:n}"]
bad  = ["the {subject:n} near the {object:sing}", "{verb:!n}"]

[predictions]
whole = "(*;%good%) < (*;%bad%)"
verb = { formula = "(verb;%good%) < (verb;%bad%)", chance = 0.5 }

[metadata]
year = 2018
"""
FORMULA = "[(2;%good%) + 1.5 - (1;%bad%) < (*;%bad%)] & [(verb, a) >= -(verb, b) | (1;%x%) = (2;%y%)]"
TREES = """(S (NP (DT The) (NNS keys)) (VP (VBP are) (ADVP (RB here))) (. .))
( (S (NP-SBJ (-NONE- *T*) (NN Rain))
  (VP (VBD fell))))
"""
DERIVATION = """ID=a.1 PARSER=GOLD NUMPARSE=1
(<T S[dcl] 0 2> (<L NP NNS NNS Keys NP>) (<L S[dcl]\\NP VBP VBP vanish S[dcl]\\NP_1>) )
ID=a.2 PARSER=GOLD NUMPARSE=0
"""
TEXT = "The keys are here. The “key” is lost!\nDr. Smith (that man) doesn't know 3.5 dogs…\n\nAnother paragraph ends.\n"
OURS = """sentence token text start end bits known
1 0 The 0 3 2.5 true
1 1 keys 4 8 10.25 true
1 2 are 9 12 3.5 false
2 0 The 0 3 2.5 true
2 1 key 4 7 9.0 true
""".replace(" ", "\t")
LM_ZOO = """sentence_id token_id token surprisal
1 1 The 2.5
1 2 Ġkeys 10.25
1 3 Ġare 3.5
2 1 The 2.5
2 2 <unk> 9.0
""".replace(" ", "\t")
METADATA = "model,architecture,corpus,words,seed,perplexity\nsmall,LSTM,wiki,1000,1,99.5\nother,GPT-2,wiki,2000,2,50\n"


def text_writer(files: dict[str, str]) -> Callable[[Path], None]:
    """A function that writes files."""

    def write(folder: Path) -> None:
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")

    return write


def essence(suite: Suite) -> tuple[Any, ...]:
    """All of a suite that must survive writing and reading."""
    return (
        suite.name,
        [condition.name for condition in suite.conditions],
        [(item.id, dict(item.sentences), dict(item.levels)) for item in suite.items],
        [(prediction.name, prediction.formula, prediction.chance) for prediction in suite.predictions],
    )


def read_suite_file(folder: Path) -> object:
    """Read the suites of the one file, check them, and write and read them again."""
    (path,) = (file for file in folder.rglob("*") if file.is_file())
    suites = find_suites(str(path))
    for suite in suites:
        check_suite(suite)
        for prediction in suite.predictions:
            chance_of(prediction)
        again = folder / ".again.json"
        try:
            write_syntaxgym(suite, again)
        except InputError:
            continue  # spaces between regions that no file can hold
        try:
            assert any(
                [essence(read) for read in find_suites(str(again), join)] == [essence(suite)]
                for join in ("natural", "space")  # a warning says where the second is needed
            ), "other after writing"
        finally:
            again.unlink()
    return [suite.hash() for suite in suites]


def read_values(folder: Path) -> object:
    measured = read_region_values(folder / "scored.json")
    return {str(reference): bits.tolist() for reference, bits in measured.bits().items()}


def read_formula(folder: Path) -> object:
    text = (folder / "formula.txt").read_bytes().decode(errors="replace")
    formula = parse_formula(text)
    assert parse_formula(formula.text) == formula, "another formula after writing"
    chance_of(Prediction("p", formula))
    return str(formula)


def read_specs(folder: Path) -> object:
    """Read a specification, and read again what it writes."""
    for name, spec in (("run.toml", RunSpec), *((f"{kind}.toml", spec) for kind, spec in SPECS.items())):
        if (folder / name).exists():
            found = spec.from_toml(folder / name, {})
            (folder / ".again.toml").write_text(found.to_toml(), encoding="utf-8")
            assert spec.from_toml(folder / ".again.toml", {}) == found, "another specification after writing"
            (folder / ".again.toml").unlink()
            return found.digest()
    raise AssertionError


def write_spec(name: str, spec: Any, **fields: Any) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(spec.from_fields(fields).to_toml(), encoding="utf-8")


def read_trees(folder: Path) -> object:
    trees = [placed.tree for placed in read_placed_trees(folder / "trees.mrg")]
    assert [parse_tree(bracketed(tree)) for tree in trees] == trees, "other trees after writing"
    return survey(folder / "trees.mrg").record()


def read_corpus(folder: Path) -> object:
    path = folder / "corpus.txt"
    found = [count_words(path, Reading(layout), workers=1).totals() for layout in ("lines", "running")]
    return found, read_lines(path), count_frequencies_in_file(path).unseen


def read_words(folder: Path) -> object:
    vocabulary = read_vocabulary(folder / "vocabulary.json")
    (folder / ".again.json").write_text(vocabulary.to_json(), encoding="utf-8")
    assert read_vocabulary(folder / ".again.json") == vocabulary, "another vocabulary after writing"
    return vocabulary.id_of("keys", first=False), vocabulary.symbols


def read_tagged(folder: Path) -> object:
    return list(read_supertags(folder / "t.txt"))


def read_derivations(folder: Path) -> object:
    return list(read_supertags(folder / "t.auto"))


def read_compressed(folder: Path) -> object:
    return read_lines(folder / "t.txt.gz")


def write_compressed(folder: Path) -> object:
    return (folder / "t.txt.gz").write_bytes(gzip.compress(TEXT.encode(), mtime=0))


def read_models(folder: Path) -> object:
    return read_model_metadata(folder / "m.csv").rows()


def read_precomputed(folder: Path) -> object:
    model = load_precomputed(folder / "bits.tsv")
    for text in ("The keys are", "The key"):
        try:
            encoded, bits = model.score([text])
        except InputError:
            continue
        assert not (bits < -1e-6).any(), "negative bits"
        assert (encoded.starts >= 0).all(), "negative offsets"
        assert (encoded.ends <= len(text)).all(), "offsets beyond the text"
    return model.card.bos


TEXT_TARGETS = (
    Target(
        "suite: SyntaxGym JSON", text_writer({"keys.json": json.dumps(SYNTAXGYM, indent=1)}), read_suite_file, share=100
    ),
    Target("suite: SyntaxGym hub", text_writer({"hub.jsonl": "\n".join(map(json.dumps, HUB))}), read_suite_file),
    Target("suite: BLiMP", text_writer({"keys.jsonl": "\n".join(map(json.dumps, BLIMP))}), read_suite_file, share=100),
    *(Target(f"suite: {name}", text_writer({name: text}), read_suite_file, share=60) for name, text in TABLES.items()),
    Target(
        "suite: Marvin & Linzen pickle",
        lambda folder: (folder / "simple.pickle").write_bytes(pickle.dumps({"sing": PAIRS, "plur": PAIRS[:1]})),
        read_suite_file,
        share=100,
    ),
    Target("suite: template TOML", text_writer({"keys.toml": TEMPLATE}), read_suite_file, share=75),
    Target("scored SyntaxGym JSON", text_writer({"scored.json": json.dumps(SYNTAXGYM)}), read_values),
    Target("formula", text_writer({"formula.txt": FORMULA}), read_formula, share=150),
    Target("spec: run", write_spec("run.toml", RunSpec, models=["a"], suites=["agreement"], seed=3), read_specs),
    *(
        Target(f"spec: train {kind}", write_spec(f"{kind}.toml", SPECS[kind], **fields), read_specs, share=25)
        for kind, fields in {
            "ngram": {"corpus": "a.txt", "out": "m"},
            "lstm": {"corpus": "a.txt", "valid": "b.txt", "out": "m"},
        }.items()
    ),
    Target("treebank", text_writer({"trees.mrg": TREES}), read_trees, share=100),
    Target("corpus", text_writer({"corpus.txt": TEXT}), read_corpus),
    Target("supertags", text_writer({"t.txt": "The|D keys|N are|V-aN here|A .|.\n"}), read_tagged),
    Target("derivations", text_writer({"t.auto": DERIVATION}), read_derivations),
    Target("compressed text", write_compressed, read_compressed),
    Target("vocabulary", text_writer({"vocabulary.json": VOCABULARY_OF_ALL.to_json()}), read_words),
    Target("precomputed: ours", text_writer({"bits.tsv": OURS}), read_precomputed, share=100),
    Target("precomputed: lm-zoo", text_writer({"bits.tsv": LM_ZOO}), read_precomputed, share=100),
    Target("table of models", text_writer({"m.csv": METADATA}), read_models),
)
