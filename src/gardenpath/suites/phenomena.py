"""One spelling of a phenomenon, whichever collection or format its name comes from."""

import re

SPELLINGS = {
    "Anaphor agreement": ("anaphor agreement",),
    "Argument structure": ("argument structure",),
    "Binding": ("binding",),
    "Center embedding": ("center embedding", "centre embedding"),
    "Control/raising": ("control raising", "control and raising", "control/raising"),
    "Determiner-noun agreement": ("determiner noun agreement",),
    "Ellipsis": ("ellipsis",),
    "Filler-gap dependencies": ("filler gap dependencies", "filler gap dependency", "filler gap"),
    "Irregular forms": ("irregular forms",),
    "Island effects": ("island effects", "island effect"),
    "NPI licensing": (
        "npi licensing", "negative polarity licensing", "negative polarity item licensing", "licensing of npis",
    ),
    "Quantifiers": ("quantifiers",),
    "Reflexive anaphora": ("reflexive anaphora", "reflexive anaphors"),
    "Subject-verb agreement": ("subject verb agreement", "subject verb number agreement"),
}  # fmt: skip
"""The spelling of phenomena that several collections have, and the words of their other spellings."""
HEADS = {
    tuple(words.split()): spelling
    for spelling, others in SPELLINGS.items()
    for words in sorted(others, key=len, reverse=True)
}
"""Spellings by words, longer ones first."""


def phenomenon_name(name: str) -> str:
    """Spell a phenomenon as all tables and figures do; files keep the spelling of their authors.

    What follows the words of a known phenomenon stays as it is. Of other names, underscores are spaces, and the first
    letter is a capital.

    >>> [phenomenon_name(name) for name in ("filler_gap_dependency", "Filler-Gap", "filler gap dependencies")]
    ['Filler-gap dependencies', 'Filler-gap dependencies', 'Filler-gap dependencies']
    >>> phenomenon_name("negative polarity licensing of any over a relative clause")
    'NPI licensing of any over a relative clause'
    >>> phenomenon_name("noun/verb_ambiguity")
    'Noun/verb ambiguity'
    """
    plain = " ".join(name.replace("_", " ").split())
    words = [(found.start(), found.group().lower()) for found in re.finditer(r"[^\s_-]+", plain)]
    for head, spelling in HEADS.items():
        if tuple(word for _, word in words[: len(head)]) == head:
            rest = plain[words[len(head)][0] :] if len(words) > len(head) else ""
            return f"{spelling} {rest}".strip()
    return re.sub(r"\bnpi\b", "NPI", plain[:1].upper() + plain[1:], flags=re.IGNORECASE)
