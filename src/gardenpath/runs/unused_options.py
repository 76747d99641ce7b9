"""Options that change nothing in a run or scoring, because no model has a use for them."""

from collections.abc import Iterable

from gardenpath.models.protocol import ModelCard
from gardenpath.runs.spec import RunSpec

KINDS = {"masking": "a masked model (mlm:, mntp:)", "beam": "an RNNG"}
"""The models that an option is for, by its name, under which their cards record it."""


def describe_unused(spec: RunSpec, cards: Iterable[ModelCard]) -> list[str]:
    """Return a note for every option that was changed and that no model reads.

    >>> describe_unused(RunSpec(top=10), [])
    ['top (10) is the number of tokens that the detail `top` lists, which is not among the details; add it, or leave \
top out']
    """
    used = {name for card in cards for name in card.decisions}
    defaults = RunSpec.model_fields
    own = () if spec.protocol else KINDS  # a protocol sets these for all models, whatever their kinds
    notes = [
        f"{name} ({getattr(spec, name)}) has no effect: it is for {KINDS[name]}, and there is none; leave it out"
        for name in own
        if getattr(spec, name) != defaults[name].default and name not in used
    ]
    if spec.top != defaults["top"].default and "top" not in spec.details:
        notes.append(
            f"top ({spec.top}) is the number of tokens that the detail `top` lists, which is not among the details; "
            "add it, or leave top out"
        )
    return notes
