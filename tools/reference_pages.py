"""For the site: docstrings and annotations as they read well on a page."""

import re
from typing import Any

import griffe

PAGE = re.compile(r"`?docs/(\w+)\.md`?")
EXAMPLES = re.compile(r"(?:^>>> .*\n?(?:^.+\n?)*)+", re.MULTILINE)


class ReadableObjects(griffe.Extension):
    """Puts fences around the examples of docstrings, links pages, and leaves out what only the command line reads."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object once it is read."""
        if obj.docstring is not None:
            obj.docstring.value = PAGE.sub(linked, EXAMPLES.sub(fenced, obj.docstring.value))

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Change the type of an attribute: that of `Annotated[str, Flag("--out")]` is `str`."""
        attr.annotation = without_metadata(attr.annotation)


def fenced(examples: re.Match[str]) -> str:
    """A block of a Python prompt, which Markdown would take for a quotation."""
    return f"\n```pycon\n{examples[0].rstrip()}\n```\n"


def linked(page: re.Match[str]) -> str:
    """A link to a page that a docstring names by its file."""
    return f"[{page[1].replace('_', ' ')}](../{page[1]}.md)"


def without_metadata(annotation: str | griffe.Expr | None) -> str | griffe.Expr | None:
    """The type that is annotated, also where it is one of several."""
    if isinstance(annotation, griffe.ExprSubscript) and str(annotation.left) == "Annotated":
        return without_metadata(annotation.slice.elements[0])
    if isinstance(annotation, griffe.ExprBinOp):
        annotation.left = without_metadata(annotation.left)
        annotation.right = without_metadata(annotation.right)
    return annotation
