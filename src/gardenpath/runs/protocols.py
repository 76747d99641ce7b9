"""The scoring of papers as one choice each: rendering, start, end, ties and normalisation together.

Which sentence of which paper is behind each value is in docs/protocols.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

ProtocolName = Literal["marvin-linzen-2018", "blimp-2020", "hu-2020", "hu-chen-levy-2020"]


@dataclass(frozen=True, slots=True)
class Protocol:
    """The values of options that a paper's scoring stands for."""

    options: Mapping[str, Any]
    by_kind: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Other values for some kinds of models (`model_kind`), which the paper scored differently."""

    def values_for(self, kind: str) -> dict[str, Any]:
        """The values for models of a kind."""
        return {**self.options, **self.by_kind.get(kind, {})}


USUAL = {
    "join": "natural", "case": "as-is", "stop": "as-is", "bos": "default", "first": "missing", "end": False,
    "end_region": False, "ties": "wrong", "normalise": "none", "word_boundary": "none", "conventions": (),
}  # fmt: skip
"""Whole sentences as they are, after the model's own first symbol, in bits that are not divided; ties are wrong."""
NOTHING_BEFORE = {"bos": "none", "first": "zero"}
"""LM Zoo: nothing is read before the first token, which has 0 bits."""
END_COUNTED = {"end": True}
LM_ZOO = {"conventions": ("lm-zoo",)}

PROTOCOLS: Mapping[str, Protocol] = {
    "marvin-linzen-2018": Protocol(
        {**USUAL, "join": "space", "case": "lower", "stop": "apart"}, {"ngram": END_COUNTED}
    ),
    "blimp-2020": Protocol(USUAL),
    "hu-2020": Protocol(
        {**USUAL, "join": "space", "end_region": True},
        {
            "ngram": END_COUNTED,
            "recurrent": NOTHING_BEFORE | END_COUNTED,
            "transformer": NOTHING_BEFORE,
            "txl": NOTHING_BEFORE | LM_ZOO,
            "jrnn": END_COUNTED | LM_ZOO,
        },
    ),
    "hu-chen-levy-2020": Protocol(
        {**USUAL, "join": "space", "ties": "all", "masking": "original", "beam": "100/10"},
        {
            "recurrent": NOTHING_BEFORE,
            "transformer": NOTHING_BEFORE,
            "txl": NOTHING_BEFORE | LM_ZOO,
            "jrnn": LM_ZOO,
        },
    ),
}


def conflicting_options(protocol: str, given: Mapping[str, Any]) -> list[str]:
    """Options given beside a protocol that differ from its own, each with both values."""
    options = PROTOCOLS[protocol].options
    return [
        f"{name} is {value!r}, the protocol has {describe_value(PROTOCOLS[protocol], name)}"
        for name, value in given.items()
        if name in options and value != options[name]
    ]


def describe_value(protocol: Protocol, name: str) -> str:
    """Write the value of an option in a protocol, with those for kinds of models that have others."""
    others = [f"{kind}: {values[name]!r}" for kind, values in protocol.by_kind.items() if name in values]
    return f"{protocol.options[name]!r}" + (f" ({', '.join(others)})" if others else "")


def start_and_end(choices: Mapping[str, Any]) -> str:
    """Write the choices of a run that a protocol may make for kinds of models."""
    return ", ".join(f"{name} {choices[name]}" for name in ("bos", "first", "end", "end_region"))
