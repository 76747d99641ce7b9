"""For the site: examples in docstrings become blocks of code, which Markdown would take for quotations."""

import re
from typing import Any

import griffe

EXAMPLES = re.compile(r"(?:^>>> .*\n?(?:^.+\n?)*)+", re.MULTILINE)


class DoctestBlocks(griffe.Extension):
    """Puts fences around the examples of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object once it is read."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLES.sub(fenced, obj.docstring.value)


def fenced(examples: re.Match[str]) -> str:
    """A block of a Python prompt."""
    return f"\n```pycon\n{examples[0].rstrip()}\n```\n"
