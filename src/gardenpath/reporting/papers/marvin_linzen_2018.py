"""Marvin & Linzen (2018), Targeted Syntactic Evaluation of Language Models."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.figures import surprisal_figures
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.papers.beside_published import OURS, beside_published, caveats
from gardenpath.reporting.papers.examples import example_of_keys
from gardenpath.reporting.papers.paper import Paper, PaperInputs, PaperPart
from gardenpath.reporting.papers.printed import PERPLEXITIES, PRONOUNS, SENTENCES, VERBS
from gardenpath.reporting.papers.word_accuracy import WordTable, accuracy_by_word
from gardenpath.suites.published import PublishedAccuracy, published_accuracies

CITATION = "Marvin & Linzen 2018"
COLLECTION = "marvin-linzen"
TABLE_1, TABLE_2, TABLE_A2 = (f"{CITATION}, {part}" for part in ("Table 1", "Table 2", "A.2"))
CONSTRUCTIONS = {
    "simple_agrmt": ("subject-verb agreement", "simple"),
    "sent_comp": ("subject-verb agreement", "in a sentential complement"),
    "vp_coord": ("subject-verb agreement", "short VP coordination"),
    "long_vp_coord": ("subject-verb agreement", "long VP coordination"),
    "prep": ("subject-verb agreement", "across a prepositional phrase"),
    "subj_rel": ("subject-verb agreement", "across a subject relative clause"),
    "obj_rel_across": ("subject-verb agreement", "across an object relative clause"),
    "obj_rel_no_comp_across": ("subject-verb agreement", "across an object relative (no that)"),
    "obj_rel_within": ("subject-verb agreement", "in an object relative clause"),
    "obj_rel_no_comp_within": ("subject-verb agreement", "in an object relative (no that)"),
    "simple_reflexives": ("reflexive anaphora", "simple"),
    "reflexive_sent_comp": ("reflexive anaphora", "in a sentential complement"),
    "reflexives_across": ("reflexive anaphora", "across a relative clause"),
    "simple_npi": ("negative polarity items", "simple"),
    "npi_across": ("negative polarity items", "across a relative clause"),
}
"""The rows of Table 1 by the name of their suites without animacy."""
WORD_TABLES = {
    "verbs": WordTable(
        "Simple agreement by verb", "verb", "simple_agrmt", r"^\S+ \S+ (\S+)", model="single-task LSTM", printed=VERBS
    ),
    "pronouns": WordTable(
        "Simple reflexives by pronoun", "pronoun", "simple_reflexives", r"\b(himself|herself|themselves)\b",
        model="multi-task LSTM", printed=PRONOUNS,
    ),
}  # fmt: skip
WORD_FIGURES = {"figure-a1": "simple_npi_anim", "figure-a2": "obj_rel_across_anim", "figure-a3": "obj_rel_within_anim"}

NOT_SHOWN = ("suite", "key", "prediction", "tie_rule", "n", "chance")
"""Columns of `beside_published` that the tables do not have: they say the same in other words, or in the caption."""


def figures_of(source: str) -> list[PublishedAccuracy]:
    """The published accuracies of one table."""
    return [figure for figure in published_accuracies(COLLECTION) if figure.source == source]


def construction_of(suites: str) -> str:
    """The name of one or two pooled suites without collection and animacy."""
    return suites.split(" ")[0].rpartition("/")[2].removesuffix("_anim").removesuffix("_inanim")


def with_construction(table: polars.DataFrame) -> polars.DataFrame:
    """Replace the suites of rows by phenomenon and construction, in the order of Table 1."""
    names = [construction_of(suites) for suites in table["suite"]]
    ranks = [list(CONSTRUCTIONS).index(name) for name in names]
    return (
        table.with_columns(
            polars.Series("phenomenon", [CONSTRUCTIONS[name][0] for name in names], polars.String),
            polars.Series("construction", [CONSTRUCTIONS[name][1] for name in names], polars.String),
            polars.Series("_rank", ranks, polars.Int64),
        )
        .sort("_rank", maintain_order=True)
        .drop("_rank")
    )


def missing_note(figures: Sequence[PublishedAccuracy], table: polars.DataFrame) -> str:
    """A sentence on the rows of a table of the paper whose suites were not run."""
    rows = dict.fromkeys(" ".join(figure.suites) for figure in figures)
    absent = [CONSTRUCTIONS[construction_of(suites)] for suites in rows if suites not in set(table["suite"])]
    listed = "; ".join(f"{construction} ({phenomenon})" for phenomenon, construction in absent)
    return f" Not run: {listed}." if absent else ""


STRICT = "Ties count as wrong, as in the paper."
PEOPLE_OF_PAPER = "People: 84 participants, about ten for each pair; their choices were not released."


def overall_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Overall accuracies by construction, with people (Table 1)."""
    figures = figures_of(TABLE_1)
    table = beside_published(inputs.runs, figures)
    theirs = [SENTENCES[construction_of(suites)] for suites in table["suite"]]
    counted = table.with_columns(
        polars.Series("sentences_published", theirs, polars.Int64),
        sentences=polars.col("n") * sentences_per_item(inputs, table["suite"]),
    )
    shown = with_construction(counted).drop(*NOT_SHOWN)
    about = ["phenomenon", "construction"]
    caption = (
        f"Suites with animate and inanimate subjects pooled; chance is 50 %. {STRICT} {PEOPLE_OF_PAPER}"
        f"{caveats(figures, table)}{missing_note(figures, table)}"
    )
    last = ["sentences", "sentences_published"]
    ordered = shown.select(*about, polars.exclude(*about, *last), *last)
    yield Analysis("overall", "Overall accuracies, with people", caption, ordered)


def sentences_per_item(inputs: PaperInputs, suites: polars.Series) -> polars.Series:
    """The number of sentences of an item in the first of the suites of each row."""
    counts = {suite.name: len(suite.conditions) for manifest in inputs.runs.manifests for suite in manifest.suites}
    numbers = [counts.get(names.split(" ")[0]) for names in suites]
    return polars.Series("sentences", numbers, polars.Int64)


def relative_clause_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Accuracy within and across an object relative clause by number, with people (Table 2)."""
    figures = figures_of(TABLE_2)
    table = beside_published(inputs.runs, figures)
    across = polars.col("suite").str.contains("across")
    first, second = (polars.col("key").str.extract(pattern) for pattern in (r"^(sing|plur)", r"_(sing|plur)_"))
    shown = table.with_columns(
        polars.when(across).then(polars.lit("across")).otherwise(polars.lit("within")).alias("relative_clause"),
        polars.when(across).then(first).otherwise(second).alias("main_subject"),
        polars.when(across).then(second).otherwise(first).alias("embedded_subject"),
    ).join(example_of_keys(inputs.runs, "ungrammatical"), on=["suite", "key"], how="left", maintain_order="left")
    order = ["relative_clause", "main_subject", "embedded_subject"]
    shown = shown.sort(order, descending=[False, True, True]).drop(*NOT_SHOWN)
    caption = (
        "Animate main subjects, with the relativizer. Across: the verb agrees with the main subject; within: with the "
        f"embedded one. The example is ungrammatical. {STRICT} {PEOPLE_OF_PAPER} The paper prints no values of its "
        f"5-gram here.{caveats(figures, table, describe=describe_key)}"
    )
    yield Analysis("relatives", "Object relative clauses by number, with people", caption,
                   shown.select(*order, polars.exclude(order)))  # fmt: skip


def condition_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Accuracy by construction and number (A.2)."""
    figures = figures_of(TABLE_A2)
    found = beside_published(inputs.runs, figures)
    table = with_construction(found)
    about = ["phenomenon", "construction", "condition"]
    table = table.with_columns(polars.Series("condition", [describe_key(key) for key in table["key"]], polars.String))
    caption = (
        f"By the number of the noun that the verb or pronoun agrees with / of the other noun, or by tense. {STRICT} "
        "The paper prints no values of people and of its 5-gram by number; those of people in object relatives are in "
        "Table 2."
        f"{caveats(figures, found, describe=describe_key)}"
    )
    shown = table.select(*about, "n", polars.exclude(*about, *NOT_SHOWN))
    yield Analysis("conditions", "Accuracy by number configuration", caption, shown)


def describe_key(key: str) -> str:
    """The numbers in the key of an item, in words; keys of tense are words already."""
    numbers = [{"sing": "singular", "plur": "plural"}[number] for number in re.findall("sing|plur", key)]
    return " / ".join(numbers) + (", inanimate subject" if "IS" in key.split("_") else "") if numbers else key


def word_figure(inputs: PaperInputs, suite: str) -> Iterator[Figure]:
    """Log probability word by word in one construction (figures of the supplement)."""
    name = f"{COLLECTION}/{suite}"
    tokens = inputs.runs.scan_tokens().filter(polars.col("suite") == name)
    lengths = surprisal_figures.items_of_one_length(tokens).collect()
    if not len(lengths):
        raise InputError(f"needs the suite {name}")
    # Only sentences of one length have the same kind of word at every position.
    words, items = lengths.group_by("words").agg("item").sort(polars.col("item").list.len(), "words").row(-1)
    note = f" Over the {len(items)} of {len(lengths)} items with {words} words, the most frequent length."
    note += " The paper draws its single-task LSTM, and prints no values."
    figure = surprisal_figures.word_figure(inputs.runs, inputs.look, name, items, note=note)
    yield replace(figure, name="words", title=f"Log probability by word: {suite}")


def perplexity_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """The perplexity of our models beside that of the published ones (section 6)."""
    known = inputs.runs.models.filter(polars.col("perplexity").is_not_null())
    if not len(known):
        raise InputError("perplexity of no model is known: models trained with gardenpath record it")
    ours = known.select("model", "words", "perplexity", source=polars.lit(OURS))
    rows = [(model, 90_000_000, perplexity, CITATION) for model, perplexity in PERPLEXITIES.items()]
    printed = polars.DataFrame(rows, schema=ours.schema, orient="row")
    caption = (
        "Per word of a held-out text: ours of its own training, the paper's of Wikipedia. Perplexities over different "
        "texts and vocabularies are not comparable, their order within a source is. Words: of the training text."
    )
    yield Analysis("perplexity", "Perplexity", caption, polars.concat([ours, printed]))


def word_table(inputs: PaperInputs, name: str) -> Iterator[Analysis]:
    """Accuracy by verb in simple agreement, or by pronoun in simple reflexives (section 6)."""
    about = WORD_TABLES[name]
    table = accuracy_by_word(inputs.runs, f"{COLLECTION}/{about.suite}", about.pattern)
    values = polars.DataFrame({"word": list(about.printed), f"{about.model} (published)": list(about.printed.values())})
    caption = (
        f"By the {about.word} of the grammatical sentence. {STRICT} The paper prints values of its {about.model} for "
        f"{', '.join(about.printed)}."
    )
    shown = table.join(values, on="word", how="left", maintain_order="left").rename({"word": about.word})
    yield Analysis(name, about.title, caption, shown)


def section_6(inputs: PaperInputs) -> Iterator[Analysis]:
    """Perplexity, and accuracy by verb and by pronoun, as far as the runs support them."""
    makers: list[Callable[[PaperInputs], Iterator[Analysis]]] = [perplexity_table]
    makers += (partial(word_table, name=name) for name in WORD_TABLES)
    reasons = []
    for make in makers:
        try:
            yield from make(inputs)
        except InputError as error:
            reasons.append(str(error))
    if len(reasons) == len(makers):
        raise InputError("; ".join(reasons))


PAPER = Paper(
    "marvin-linzen-2018",
    CITATION,
    (COLLECTION,),
    (
        PaperPart("table-1", "accuracy by construction, with people", "suites of marvin-linzen", overall_table),
        PaperPart("table-2", "object relatives by number, with people", "obj_rel_across_anim, obj_rel_within_anim",
                  relative_clause_table),
        PaperPart("section-6", "perplexity; accuracy by verb and by pronoun", "simple_agrmt, simple_reflexives",
                  section_6, several=True),
        PaperPart("table-a2", "accuracy by number configuration", "suites of marvin-linzen", condition_table),
        *(
            PaperPart(name, f"log probability by word: {suite}", f"the suite {suite}",
                      partial(word_figure, suite=suite))
            for name, suite in WORD_FIGURES.items()
        ),
    ),
)  # fmt: skip
