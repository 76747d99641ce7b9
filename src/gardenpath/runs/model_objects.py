"""Models of a run that are objects, for which options that are read while a model is loaded come too late."""

from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.models.load import SPEC_FORMS
from gardenpath.models.protocol import ModelCard
from gardenpath.models.trained.checkpoint_record import RECORD
from gardenpath.runs.events import OnRunEvent, RunNote
from gardenpath.runs.protocols import PROTOCOLS, start_and_end
from gardenpath.runs.spec import RunSpec


def require_as_made(name: str, card: ModelCard, spec: RunSpec, *, bos: str) -> None:
    """Refuse options that an object was made without. bos: the first symbol that is asked for.

    >>> require_as_made("mine", ModelCard("mine", "1", bos="<s>"), RunSpec(), bos="none")
    Traceback (most recent call last):
    gardenpath.errors.InputError: model 'mine' is an object that reads '<s>' first, where bos='none' is asked for: \
load it with bos='none', or name it instead
    """
    who = f"model {name!r} is an object"
    if bos not in ("default", card.bos or "none"):
        own = repr(card.bos) if card.bos else "no symbol"
        asked = f"the protocol {spec.protocol!r} reads nothing" if spec.protocol else f"bos={bos!r} is asked for"
        raise InputError(f"{who} that reads {own} first, where {asked}: load it with bos={bos!r}, or name it instead")
    defaults = RunSpec.model_fields
    for option in ("masking", "dtype", "beam"):
        made, asked = card.decisions.get(option), getattr(spec, option)
        if made is not None and asked not in (defaults[option].default, made):
            raise InputError(
                f"{who} whose {option} is {made!r}, where {option}={asked!r} is asked for: load it with "
                f"{option}={asked!r} and leave {option} out here, or name it instead"
            )
    if spec.conventions and not spec.protocol:
        raise InputError(
            f"{who}: load it with conventions={spec.conventions!r} and leave them out here, or name it instead"
        )


def note_unknown_kind(name: str, spec: RunSpec, notify: OnRunEvent) -> None:
    """Say what was taken for an object whose name does not tell its kind, where a protocol tells kinds apart."""
    others = PROTOCOLS[spec.protocol].by_kind if spec.protocol else {}
    is_known = (Path(name) / RECORD).is_file() or name.partition(":")[0] in {
        form.partition(":")[0] for form in SPEC_FORMS
    }
    if others and not is_known:
        notify(
            RunNote(
                f"model {name!r} is an object of unknown kind: the protocol {spec.protocol!r} is taken as for models "
                f"other than {', '.join(others)}: {start_and_end(vars(spec))}"
            )
        )
