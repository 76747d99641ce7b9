"""The pickles of Marvin and Linzen (2018): a dictionary of lists of pairs or triples of sentences, and nothing else."""

import io
import pickle
import pickletools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from gardenpath.errors import InputError
from gardenpath.io.messages import show_value, spell_value
from gardenpath.io.tables import require_text, warn_of_spaces
from gardenpath.io.text_files import read_bytes
from gardenpath.suites.formats.whole_sentence import GRAMMATICAL_PAIR, TRIPLE, build_whole_sentence_suite
from gardenpath.suites.suite import Item, Sentence, Suite

HARMLESS_OPCODE = re.compile(
    r"PROTO|FRAME|STOP|POP|DUP|MEMOIZE|(POP_)?MARK|(LONG_)?(BIN)?(PUT|GET)"
    r"|(BIN)?INT[12]?|NONE|NEWTRUE|NEWFALSE|(EMPTY_)?(DICT|LIST|TUPLE)|TUPLE[123]|SETITEMS?|APPENDS?|(SHORT_)?(BIN)?(UNICODE|STRING)8?"
)
"""The opcodes that build containers, strings and small numbers."""
OPCODE_NAMES = {ord(opcode.code): opcode.name for opcode in pickletools.opcodes}


class ContainersOnly(pickle._Unpickler):
    """Builds containers, strings and small numbers; refuses every other instruction: nothing is imported or called.

    The reader written in Python: that in C reserves memory for any number that a damaged file names.
    """

    dispatch: ClassVar[dict[int, Any]] = {
        code: build
        for code, build in pickle._Unpickler.dispatch.items()
        if HARMLESS_OPCODE.fullmatch(OPCODE_NAMES[code]) or OPCODE_NAMES[code] in ("GLOBAL", "STACK_GLOBAL")
    }

    def find_class(self, module: str, name: str) -> NoReturn:
        """Refuse the only way in which a pickle reaches code."""
        raise pickle.UnpicklingError(f"it imports {module}.{name}")


def read_syneval(path: Path) -> Suite:
    """Read a test case of LM_syneval; the key of the dictionary becomes the level `key`."""
    tuples = list(check_tuples(unpickle(path), path))
    conditions = GRAMMATICAL_PAIR if len(tuples[0][2]) == 2 else TRIPLE
    warn_of_spaces(path, (text for _, _, texts in tuples for text in texts))
    items = [build_tuple_item(key, number, texts, conditions, path) for key, number, texts in tuples]
    return build_whole_sentence_suite(path.stem, conditions, items, path, published_phenomenon(path.stem))


def unpickle(path: Path) -> Any:
    """Return the content of a pickle that holds only containers and strings."""
    content = read_bytes(path)
    if not content:
        raise InputError(f"{path}: the file is empty")
    try:
        return ContainersOnly(io.BytesIO(content)).load()
    except Exception as error:  # a broken pickle can end in nearly any exception
        cause = "an instruction is unknown" if isinstance(error, KeyError) else str(error) or type(error).__name__
        raise InputError(
            f"{path}: this pickle is refused: {cause}{foreign_opcode(content)}; "
            "only dictionaries, lists, tuples and strings are allowed, since a pickle that loads code can do anything"
        ) from error


def foreign_opcode(content: bytes) -> str:
    """Name the first opcode that is not harmless, for a message; empty if there is none."""
    try:
        for opcode, _, position in pickletools.genops(content):
            if HARMLESS_OPCODE.fullmatch(opcode.name) is None:
                return f" (opcode {opcode.name} at byte {position})"
    except Exception:  # noqa: BLE001 - as above
        pass  # not even a sequence of opcodes: the unpickler has already raised
    return ""


def check_tuples(data: Any, path: Path) -> Iterator[tuple[str, int, tuple[Any, ...]]]:
    """Yield every tuple with its key and its number under the key, all of one size."""
    if not isinstance(data, dict) or not data:
        raise InputError(f"{path}: expected a dictionary of lists of sentences, not {show_value(data)}")
    size = None
    for key, members in data.items():
        if not isinstance(key, str) or not isinstance(members, list):
            raise InputError(f"{path}, key {spell_value(key)}: expected a list of tuples, not {show_value(members)}")
    if len({id(members) for members in data.values()}) < len(data):
        raise InputError(f"{path}: two keys have one and the same list; give each key a list of its own")
    for key, members in data.items():
        for number, member in enumerate(members, 1):
            where = f"{path}, key {key!r}, tuple {number}"
            if not isinstance(member, tuple) or len(member) not in (2, 3):
                raise InputError(f"{where}: expected two or three sentences, not {show_value(member)}")
            size = size or len(member)
            if len(member) != size:
                raise InputError(f"{where}: {len(member)} sentences, but the first tuple has {size}")
            yield key, number, member
    if size is None:
        raise InputError(f"{path}: there is no tuple under any key")


def build_tuple_item(key: str, number: int, texts: tuple[Any, ...], conditions: tuple[str, ...], path: Path) -> Item:
    """Return the item of one pair or triple, named after its key and its number under the key."""
    where = f"{path}, key {key!r}, tuple {number}"
    sentences = {name: Sentence(require_text(text, where)) for name, text in zip(conditions, texts, strict=True)}
    return Item(f"{key}-{number}", sentences, levels={"key": key})


def published_phenomenon(case: str) -> str:
    """Return the phenomenon of a test case of Marvin and Linzen."""
    if "npi" in case:
        return "npi_licensing"
    return "reflexive_anaphora" if "reflexive" in case else "subject_verb_agreement"
