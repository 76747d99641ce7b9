"""What is wrong where a formula cannot be divided into its pieces."""

import re
import unicodedata

NAME = r"[^,;%()\[\]<>=&|]+"
UNCLOSED = re.compile(rf"(?P<bracket>[(\[])\s*{NAME},\s*(?P<condition>{NAME})(?=[<>=&|(\[]|\Z)")
"""A reference without its closing bracket."""
UNOPENED = re.compile(rf"(?P<region>{NAME}),\s*{NAME}[)\]]")
BEFORE_SIGN = re.compile(r"[^<>=&|]*")
WRITTEN = ("(", ")", "[", "]", ",", ";", "%", "<", ">", "<=", ">=", "=", "&", "|", "+", "-", "*")
WORD = re.compile(r"(and|or|not)\b", re.IGNORECASE)
SIGNS = {"≤": "<=", "≥": ">=", "≦": "<=", "≧": ">=", "−": "-", "–": "-", "∧": "&", "∨": "|", "、": ","}
"""Signs that look like those of formulas."""
WORDS = {"and": "write & for 'and'", "or": "write | for 'or'", "not": "there is no 'not'; turn the comparison round"}
QUOTES = "\"'`“”„‟‘’‚‛«»‹›「」『』"
REFERENCE = "a region is written (REGION, CONDITION), or (REGION;%CONDITION%) if a name contains a comma"


def describe_fault(text: str, start: int) -> tuple[int, str]:
    """Return the position of a fault, and what is wrong, in a formula that cannot be divided further at `start`.

    >>> describe_fault("(verb, match < (verb, mismatch)", 1)
    (12, "')' is missing after 'match'")
    """
    character = text[start]
    if word := WORD.match(text, start):
        return start, WORDS[word[0].lower()]
    if character in QUOTES:
        return start, f"{character!r} is a quotation mark; formulas and the names in them have none"
    end = BEFORE_SIGN.match(text, start + 1)
    for position in range(start, end.end() if end else start + 1):
        sign = SIGNS.get(text[position]) or unicodedata.normalize("NFKC", text[position])
        if sign != text[position] and sign in WRITTEN:
            name = unicodedata.name(text[position], "unnamed").lower()
            return position, f"{text[position]!r} ({name}) is not a symbol of formulas; write {sign!r}"
    bracket = max(text.rfind("(", 0, start), text.rfind("[", 0, start), 0)
    if (unclosed := UNCLOSED.match(text, bracket)) and unclosed.end() > start:
        closing, condition = ")" if unclosed["bracket"] == "(" else "]", unclosed["condition"].rstrip()
        return unclosed.start("condition") + len(condition), f"{closing!r} is missing after {condition!r}"
    if text[:start].rstrip()[-1:] not in ("(", "[") and (opened := UNOPENED.match(text, start)):
        return start, f"'(' is missing before {opened['region'].strip()!r}"
    return start, f"{character!r} cannot be parsed here; {REFERENCE}"
