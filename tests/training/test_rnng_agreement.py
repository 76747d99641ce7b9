"""From templates to a model that knows more than word order: agreement across relative clauses, by the commands."""

import json
from pathlib import Path

import pytest

from test_cli import gardenpath_command

NOUNS = ("author", "pilot", "surgeon", "farmer", "manager", "customer", "officer", "teacher")
VERBS = ("laugh", "swim", "smile", "write", "wait", "sing", "run", "sleep")
WORDS = """
items = "pairs.tsv"
{regions}
[lists.noun]
forms = ["sing", "plur"]
words = [{nouns}]
[slots]
{slots}
[factors]
number = ["sing", "plur"]
{factors}
[conditions]
grammatical   = {grammatical}
ungrammatical = {ungrammatical}
[predictions]
agreement = "(verb;%grammatical%) < (verb;%ungrammatical%)"
[trees]
grammatical = "{tree}"
"""
ATTRACTOR = 'attractor = ["sing", "plur"]'
RELATIVE = '{ forms = ["sing", "plur"], words = ["likes/like", "sees/see", "knows/know"] }'
SUBJECT = "(NP (NP (DT the) (NN {subject:number})) (SBAR (WHNP (WDT that)) "


def template(clause: str, clause_tree: str, *, slots: str, factors: str = ATTRACTOR) -> str:
    """A sentence whose verb is the last word, with something between it and its subject."""
    before = [f'"the {{subject:number}}", "{clause}"'] if clause else ['"the {subject:number}"']
    regions = ["subject", "clause", "verb"] if clause else ["subject", "verb"]
    whole = f"{SUBJECT}{clause_tree}))" if clause else "(NP (DT the) (NN {subject:number}))"
    return WORDS.format(
        regions=f"regions = {json.dumps(regions)}",
        nouns=", ".join(f'"{noun}/{noun}s"' for noun in NOUNS),
        slots=slots,
        factors=factors,
        grammatical=f'[{", ".join(before)}, "{{verb:number}}"]',
        ungrammatical=f'[{", ".join(before)}, "{{verb:!number}}"]',
        tree=f"(S {whole} (VP (VB {{verb:number}})))",
    )


SIMPLE = template("", "", slots="", factors="")
# Four words or more stand between subject and verb, so that no 5-gram holds both: nor the verb of the clause, which
# agrees with the subject, and the last verb.
SUBJECT_RELATIVE = template(
    "that {relative:number} the {object:attractor} near the {place}",
    "(S (VP (VB {relative:number}) (NP (NP (DT the) (NN {object:attractor})) "
    "(PP (IN near) (NP (DT the) (NN {place}))))))",
    slots=f'relative = {RELATIVE}\nobject = "noun"\nplace = ["door", "windows"]',
)
OBJECT_RELATIVE = template(
    "that the {object:attractor} {relative:attractor}",
    "(S (NP (DT the) (NN {object:attractor})) (VP (VB {relative:attractor})))",
    slots=f'object = "noun"\nrelative = {RELATIVE}',
)


def write_templates(folder: Path, pairs: list[tuple[str, str]], **templates: str) -> None:
    """Templates for some pairs of subject and verb."""
    folder.mkdir()
    rows = [f"{noun}\t{noun}s\t{verb}s\t{verb}\n" for noun, verb in pairs]
    (folder / "pairs.tsv").write_text("subject:sing\tsubject:plur\tverb:sing\tverb:plur\n" + "".join(rows))
    for name, text in templates.items():
        (folder / f"{name}.toml").write_text(text)


def command(*arguments: object) -> str:
    done = gardenpath_command(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_agreement_across_relative_clauses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    pairs = [(noun, verb) for noun in NOUNS for verb in VERBS]
    # No subject is ever seen with these verbs, with or without a clause between them.
    unseen = [pair for place, pair in enumerate(pairs) if (place // len(VERBS) + place) % 4 == 0]
    seen = [pair for pair in pairs if pair not in unseen]
    across = {"subject-relative": SUBJECT_RELATIVE, "object-relative": OBJECT_RELATIVE}
    write_templates(Path("seen"), seen, simple=SIMPLE, **across)
    write_templates(Path("unseen"), unseen, **across)
    treebank = ""
    for name in ("simple", *across):
        command("corpus", "templates", f"seen/{name}.toml", "--out", f"{name}.mrg", *(() if name == "simple" else ("--n", 1500)))
        treebank += Path(f"{name}.mrg").read_text()
    Path("train.mrg").write_text(treebank)
    command("corpus", "templates", "unseen/subject-relative.toml", "--n", 100, "--out", "valid.mrg")
    command("corpus", "trees", "train.mrg", "--text", "train.txt")
    command("train", "ngram", "--corpus", "train.txt", "--min-count", 1, "--out", "5gram")
    command(
        "train", "rnng", "--preset", "small", "--treebank", "train.mrg", "--valid", "valid.mrg", "--budget", "6epochs",
        "--out", "rnng",
    )  # fmt: skip
    suites = [option for name in across for option in ("--suite", f"unseen/{name}.toml")]
    command("run", "--model", "rnng", "--model", "5gram", *suites, "--out", "results", "--beam", "50/5")
