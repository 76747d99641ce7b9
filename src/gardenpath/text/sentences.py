"""Where sentences end in running text: rules, not a trained model.

A sentence ends at `.`, `!`, `?` or an ellipsis, with the quotes and brackets that close after it, if spaces and then
a capital or a digit follow; and at every empty line. A full stop does not end one after a title (`Mr.`), after an
initial (`J. Smith`), after an abbreviation before a number (`p. 12`); after one that may end a sentence
(`Inc.`, `U.S.`, `p.m.`) only if a word follows that often begins one (`The`). The rules are for English. A decision
looks at the two words before and the word after, so that a text may be cut at any sentence end.
"""

import re
from collections.abc import Iterator
from itertools import pairwise


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


NEVER = word_set(
    "Mr Mrs Ms Messrs Mme Mlle Dr Prof Rev Hon Gen Col Maj Capt Cmdr Lt Sgt Cpl Adm Gov Sen Rep Pres Sec Supt Det Insp "
    "Fr Ste Mt Ft e.g i.e viz cf vs v"
)
"""A full stop after one of these never ends a sentence."""
BEFORE_NUMBERS = word_set(
    "No Nos no nos p pp P vol Vol vols ch Ch chap Chap sec sect Fig Figs fig figs Art art Eq eq c ca circa approx b d "
    "fl r op Op Ps Psalm l ll n para Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"
)
"""A full stop after one of these does not end a sentence if a number follows."""
SOMETIMES = word_set(
    "St Inc Co Corp Ltd Bros Jr Sr Esq etc al Ave Blvd Rd Dept Univ Assn est ed eds trans Mass Calif Conn Penn Ill Tex "
    "Va Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun"
)
"""A full stop after one of these ends a sentence only if a word follows that often begins one."""
STARTERS = word_set(
    "The A An This That These Those It Its He She They We You I His Her Their Our My Your There Here In On At By For "
    "From With Without Of To As If When While Where Although Though Because Since After Before During Until Unless "
    "But And Or Nor So Yet However Thus Therefore Then Also Both Each Every All Some Many Most Several Such Other "
    "Another One Two Three What Who Why How Which Not No Once Later Today According Despite Between Among Under"
)
"""Words with a capital that often begin a sentence."""
SENTENCE_END = re.compile(
    r"""(?P<mark>[.!?…]+) (?P<close>["'”’»)\]}]*)
        (?: (?P<paragraph>[^\S\n]*\n[^\S\n]*\n\s*) | \s+ (?= ["'“‘«(\[{]* (?P<next>\w[\w'’]*) ) )
      | (?<=\n) [^\S\n]*\n\s*""",
    re.VERBOSE,
)
BEFORE = re.compile(r"(?:(?P<earlier>\S+)(?:[^\S\n]+\n?|\n)[^\S\n]*)?[\"'“‘«(\[{]*(?P<word>\S*)\Z")
DOTTED = re.compile(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,3}")
"""Abbreviations with full stops inside: U.S, p.m, Ph.D."""
LOOK_BACK = 80
"""Characters before a full stop that hold the two words before it."""


def boundaries(text: str) -> Iterator[int]:
    """The positions where a sentence begins after another."""
    for match in SENTENCE_END.finditer(text):
        if match["mark"] is None or match["paragraph"] is not None or ends_sentence(text, match):
            yield match.end()


def ends_sentence(text: str, match: re.Match[str]) -> bool:
    """Whether punctuation ends a sentence, given the words around it."""
    following = match["next"]
    if following[0].islower() or following[0] == "_":
        return False
    if match["mark"] != "." or match["close"]:
        return True
    return full_stop_ends(text[max(0, match.start() - LOOK_BACK) : match.start()], following)


def full_stop_ends(before: str, following: str) -> bool:
    """Whether a full stop ends a sentence, or belongs to an abbreviation or an initial."""
    found = BEFORE.search(before)
    word, earlier = (found["word"], found["earlier"] or "") if found else ("", "")
    if word in NEVER or (word in BEFORE_NUMBERS and following[0].isdigit()):
        return False
    if word == "I" and earlier.isalpha() and earlier.islower():
        return True
    initial = len(word) == 1 and word.isupper()
    if initial or word in SOMETIMES or DOTTED.fullmatch(word):
        return following in STARTERS
    return True


def split_sentences(text: str) -> list[str]:
    """The sentences of running text, each with single spaces between words."""
    edges = [0, *boundaries(text), len(text)]
    sentences = (" ".join(text[start:end].split()) for start, end in pairwise(edges))
    return [sentence for sentence in sentences if sentence]
