"""The symbol that a model reads before every sentence, and how such symbols are read inside one."""

from collections.abc import Collection, Container
from typing import Literal

from gardenpath.io.messages import advise, quote

Special = Literal["text", "symbols"]
"""How a special symbol that is written inside a text is read: its characters, or the symbol itself."""
DOCUMENT_SEPARATOR, MESSAGE_START = "<|endoftext|>", "<|im_start|>"
"""What stands between documents in pretraining, and before each message of a chat, by the names that models share."""


def choose_bos(bos: str, own: str | None, *, special: Collection[str], vocabulary: Container[str]) -> str | None:
    """Return the symbol to read first: by default the one before a document, a named one, or none.

    `own` is what the model's files call its first symbol. Files of the same weights differ in it: those of chat models
    name the start of a message, which no document begins with, or nothing; the separator of documents is in all.
    """
    if bos == "none":
        return None
    if bos == "default":
        return DOCUMENT_SEPARATOR if own in (None, MESSAGE_START) and DOCUMENT_SEPARATOR in special else own
    if bos not in special and bos in vocabulary:
        advise(
            f"the first symbol {bos!r} (`bos`) is an ordinary token of the model, so every sentence is scored as the "
            f"continuation of that word; its special symbols are {quote(special, most=6)}"
        )
    return bos
