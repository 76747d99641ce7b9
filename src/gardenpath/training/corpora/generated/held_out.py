"""Pairs of a noun and a verb that never occur as subject and verb, to test what a model infers about them."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from gardenpath.io.atomic import write_lines
from gardenpath.io.digest import digest_text
from gardenpath.training.corpora.generated.language import Language
from gardenpath.trees.tree import Tree

NOUNS = frozenset({"NN", "NNS"})
PRESENT = frozenset({"VBZ", "VBP"})


def is_held_out(noun: str, verb: str, *, share: float, seed: int) -> bool:
    """Whether a pair is held out: a share of all pairs, which the seed determines; the noun is in lower case."""
    return int(digest_text(f"{seed} {noun} {verb}")[:8], 16) < share * 16**8


def agreeing_pairs(tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield every noun that is the head of a subject, with each verb in the present tense that agrees with it."""
    children = [child for child in tree.children if isinstance(child, Tree)]
    labels = [child.label for child in children]
    if "VP" in labels and "NP" in labels[: labels.index("VP")]:
        predicate = children[labels.index("VP")]
        subject = children[max(index for index in range(labels.index("VP")) if labels[index] == "NP")]
        yield from ((noun, verb) for noun in head_nouns(subject) for verb in head_verbs(predicate))
    if labels == ["NP", "SBAR"]:
        for clause in (child for child in children[1].children if isinstance(child, Tree) and child.label == "S"):
            if isinstance(clause.children[0], Tree) and clause.children[0].label == "VP":
                yield from ((noun, verb) for noun in head_nouns(tree) for verb in head_verbs(clause.children[0]))
    for child in children:
        yield from agreeing_pairs(child)


def head_nouns(phrase: Tree) -> list[str]:
    """The head of a noun phrase: its last noun, or the head of the noun phrase that it begins with.

    Coordinated noun phrases have none: their number is not that of a noun.
    """
    children = [child for child in phrase.children if isinstance(child, Tree)]
    if any(child.label == "CC" for child in children):
        return []
    nouns = [str(child.children[0]).lower() for child in children if child.label in NOUNS]
    return nouns[-1:] or (head_nouns(children[0]) if children[0].label == "NP" else [])


def head_verbs(phrase: Tree) -> list[str]:
    """The verbs in the present tense that head a predicate, several where it is coordinated."""
    children = [child for child in phrase.children if isinstance(child, Tree)]
    verbs = [str(child.children[0]) for child in children if child.label in PRESENT]
    coordinated = any(child.label == "CC" for child in children)
    return verbs or [verb for child in children if coordinated and child.label == "VP" for verb in head_verbs(child)]


def write_pairs(language: Language, *, share: float, seed: int, path: Path) -> int:
    """Write minimal pairs about pairs that are held out, as a suite of pairs; return their number.

    In the first sentence of each, verb and subject agree; in the second, the verb has the other number.
    """
    rows = (f"{good}\t{bad}" for good, bad in minimal_pairs(language, share=share, seed=seed))
    return write_lines(path, chain(["good\tbad"], rows)) - 1


def minimal_pairs(language: Language, *, share: float, seed: int) -> Iterator[tuple[str, str]]:
    """Yield sentences of a subject, a transitive verb and an object, with the verb in either number."""
    verbs = {number: language.words_of(f"Vt[{number}]") for number in ("sg", "pl")}
    forms = [(one, many) for one in verbs["sg"] for many in verbs["pl"] if is_third_person(one, many)]
    for gender in ("m", "f", "e", "t"):
        for index, number in enumerate(("sg", "pl")):
            nouns = language.words_of(f"Noun[{number},{gender}]")
            for position, noun in enumerate(nouns):
                for pair in forms:
                    right, wrong = pair[index], pair[1 - index]
                    if is_held_out(noun.lower(), right, share=share, seed=seed):
                        other = nouns[(position + 1) % len(nouns)]
                        yield f"The {noun} {right} the {other}.", f"The {noun} {wrong} the {other}."


def is_third_person(one: str, many: str) -> bool:
    """Whether a verb is the third person singular of another in the regular spelling."""
    return one in (f"{many}s", f"{many}es", f"{many.removesuffix('y')}ies")
