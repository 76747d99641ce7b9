"""The words of the reflexive experiments in training texts: nouns by gender, verbs by reflexive use."""

import re
from collections.abc import Sequence

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.papers.paper import NamedText
from gardenpath.runs.results import Runs
from gardenpath.runs.run_tables import sentence_texts
from gardenpath.statistics.grouping import with_factors
from gardenpath.statistics.pronoun_tests import PRONOUNS
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.pattern_counts import count_in_texts

NOUN = re.compile(r"\b[Tt]he (\w+)")
"""Both nouns of a sentence follow an article."""
GENDERS = {"himself": "male", "herself": "female"}
ALL = "all"
REFLEXIVE = "|".join(PRONOUNS)
ANY_CASE = Reading(lower=True)


def noun_table(runs: Runs, corpora: Sequence[NamedText]) -> polars.DataFrame:
    """How often the nouns of either gender occur in texts: [text, gender, noun, count, per_million]; `all`: sums."""
    genders = {gender: gendered_nouns(runs, pronoun) for pronoun, gender in GENDERS.items()}
    if not all(genders.values()):
        raise InputError("needs suites of himself and of herself of experiments 2 or 3, whose nouns have a gender")
    rows = []
    wanted = [noun for nouns in genders.values() for noun in nouns]
    for text, counts in zip(corpora, count_in_texts([text.path for text in corpora], wanted, ANY_CASE), strict=True):
        for gender, nouns in genders.items():
            numbers = {noun: counts.count(noun) for noun in nouns}
            for noun, number in ({ALL: sum(numbers.values())} | numbers).items():
                rows.append((text.name, gender, noun, number, 1e6 * number / counts.tokens))
    return polars.DataFrame(rows, schema=["text", "gender", "noun", "count", "per_million"], orient="row")


def gendered_nouns(runs: Runs, pronoun: str) -> list[str]:
    """The nouns in the sentences with a pronoun, singular and plural, of the experiments with lexical gender."""
    suites = [suite for suite in runs.suites["suite"].unique() if re.search(rf"/[23][ab]?-.*-{pronoun}$", suite)]
    texts = sentence_texts(runs.scan_tokens(), suites)["text"]
    return sorted({noun.lower() for text in texts for noun in NOUN.findall(text)})


def verb_table(runs: Runs, corpora: Sequence[NamedText]) -> polars.DataFrame:
    """How often verbs occur, and how often before a reflexive: [text, verb, count, reflexive, share]."""
    try:
        own = runs.outcomes().filter(polars.col("suite").str.contains(f"-(?:{REFLEXIVE})$"))
        verbs = with_factors(own, ["filler:verb"])["filler:verb"].drop_nulls().unique().sort().to_list()
    except InputError as error:
        raise InputError("needs suites whose items record their verb, such as those of reflexives") from error
    patterns = [pattern for verb in verbs for pattern in (verb, f"{verb} {REFLEXIVE}")]
    rows = [
        (text.name, verb, number, reflexive, reflexive / number if number else None)
        for text, counts in zip(
            corpora, count_in_texts([text.path for text in corpora], patterns, ANY_CASE), strict=True
        )
        for verb in verbs
        for number, reflexive in [(counts.count(verb), counts.count(f"{verb} {REFLEXIVE}"))]
    ]
    schema = {"text": polars.String, "verb": polars.String, "count": polars.Int64, "reflexive": polars.Int64}
    table = polars.DataFrame(rows, schema=schema | {"share": polars.Float64}, orient="row")
    return table.sort("text", polars.col("share").fill_null(-1.0), descending=[False, True], maintain_order=True)
