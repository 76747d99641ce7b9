"""`gardenpath corpus generate`: text and trees of a language that has the words of suites."""

from dataclasses import asdict

from gardenpath.commands.options import AsJson
from gardenpath.commands.progress import progress_bar
from gardenpath.commands.terminal import out, print_json, print_line, print_notes
from gardenpath.training.specs.generated import GeneratedCorpusSpec

SHOWN = 20
"""Words of a list that are printed."""


def generate(spec: GeneratedCorpusSpec, *, as_json: AsJson = False) -> None:
    """Generate a corpus: trees, and the same sentences as text, from a small grammar of English.

    It uses the words of the named suites, so that models trained on it know them, but never their sentences. Subjects
    and verbs agree, also across relative clauses, reflexives agree with their antecedents, and any and ever need a
    licensor. The same options write the same files.

    Examples:

        gardenpath corpus generate --words 60k --suite syntactic-generalization/number_src --out c.mrg --text c.txt

        gardenpath corpus generate --words 100k --suite marvin-linzen --out c.mrg --text c.txt --supertags c.tags
    """
    from gardenpath.training.corpora.generated.corpus import generate_corpus

    with progress_bar() as bar:
        task = bar.add_task("Generating", total=spec.words)
        made = generate_corpus(spec, progress=lambda words: bar.advance(task, words))
    if as_json:
        print_json(asdict(made))
        return
    found = made.coverage
    print_line(f"{spec.out}: {made.sentences:,} sentences, {made.words:,} words; {made.dropped:,} dropped", to=out)
    tokens = f"{found.known_tokens:,} of {found.tokens:,} words ({found.token_share:.1%})"
    types = f"{found.known_types:,} of {found.types:,} different words ({found.type_share:.1%})"
    print_line(f"occur in it twice or more: {tokens} of the suites, {types}", to=out)
    for what, words in (("missing", found.missing), ("of no known class", made.unclassified)):
        if words:
            print_notes([f"{what}: {' '.join(words[:SHOWN])}{' …' if len(words) > SHOWN else ''}"])
