"""Languages and templates from which sentences are drawn at random."""

from dataclasses import replace
from pathlib import Path

from fuzzing.target import Target
from gardenpath.io.toml_file import read_toml
from gardenpath.suites.grammar.check_lexicon import check_language
from gardenpath.suites.grammar.draw_suite import draw_suite
from gardenpath.suites.grammar.drawn_template import load_language, read_drawn_template
from gardenpath.suites.grammar.lexicon_file import load_lexicon
from gardenpath.suites.templates.template import ItemSample
from small_language import FILES

TEMPLATE = """language = "toy"
phenomenon = "agreement"
method = "one-prefix"

[slots]
verb = "verb & transitive"
subject = "NP(fits(verb.subject) & inflects)"
object = "NP(fits(verb.object))"

[conditions]
good = ["{subject}", "{verb:present.subject}", "{object}."]
bad = ["{subject}", "{verb:present.!subject}", "{object}."]

[levels]
length = "count({subject} {verb})"
"""


def write_language(folder: Path) -> None:
    (folder / "toy").mkdir()
    for name, text in FILES.items():
        (folder / "toy" / name).write_text(text, encoding="utf-8")
    (folder / "agreement.toml").write_text(TEMPLATE, encoding="utf-8")


def draw(folder: Path) -> object:
    """Check the language and draw some sentences; both are read anew."""
    load_language.cache_clear()
    load_lexicon.cache_clear()
    check_language(folder / "toy")
    template = read_drawn_template(read_toml(folder / "agreement.toml"))
    return draw_suite(replace(template, sample=ItemSample(3, 0))).hash()


LANGUAGE_TARGETS = (Target("suite: language and drawn template", write_language, draw, share=75),)
