"""Whether a model of transformers is in reach: a folder, in the local cache, or on a hub that answers."""

import os
import re
import time
from functools import lru_cache
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import first_line
from gardenpath.io.near_paths import expand_home, is_path, suggest_path
from gardenpath.models.pretrained.hub_listing import cache_of
from gardenpath.models.pretrained.revisions import name_cached, split_revision

REPOSITORY = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?", re.ASCII)
"""Names that a model of the hub may have."""
PATIENCE = 4.0
"""Seconds that the hub has to answer, unless the user sets them. The library takes half a minute to give up."""
PATIENCE_VARIABLE = "HF_HUB_ETAG_TIMEOUT"
"""The library's own variable for how many seconds the hub has to answer about a file."""
REMEMBERED_SECONDS = 60
"""For so long, what is known of the hub holds: a model is read in several steps."""


def require_model(name: str, kind: str) -> None:
    """Refuse a path that does not exist, and a model of the hub that is neither in the local cache nor in reach.

    `kind`: that of the spec, such as `hf`. Nothing is downloaded; the hub is asked only about what is not in the cache.
    """
    if expand_home(name).exists():
        return
    repository, revision = split_revision(name)
    if is_path(name) or not REPOSITORY.fullmatch(repository):
        raise InputError(
            f"{name} is not a folder{suggest_path(name)}; name a folder written by save_pretrained, or a model of the "
            f"hub, such as {kind}:org/name"
        )
    if is_cached(repository, revision):
        return
    if why := why_unreachable():
        if "/" in name and expand_home(repository).parent.is_dir():
            raise InputError(
                f"there is no folder {name}{suggest_path(name)}; as a model of the hub, {kind}:{name} is not in the "
                f"local cache, and the hub cannot be reached ({why})"
            )
        raise InputError(
            f"{kind}:{name}: the hub cannot be reached ({why}), there is no folder {name}, and the model is not in "
            f"the local cache ({cache_of(repository)}){name_cached(name)}{suggest_path(name)}; name a folder "
            f"({kind}:./DIR), use the embedded model (smollm2), {remedy()}"
        )


def locate(name: str, kind: str) -> str:
    """Return the folder that a name means, or the name itself if it is that of a model of the hub in reach."""
    folder = expand_home(name)
    if folder.is_dir():
        if not (folder / "config.json").exists():
            raise InputError(f"{name}: there is no config.json in it; name a folder written by save_pretrained")
        return str(folder)
    if folder.exists():
        raise InputError(f"{name} is not a folder; name a folder written by save_pretrained, or a model of the hub")
    require_model(name, kind)
    return name


def remedy() -> str:
    """Say how to get a model of the hub that is not in the local cache."""
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return "or unset HF_HUB_OFFLINE to load the model from the hub (HF_HOME names the folder of the cache)"
    return (
        "or load the model once with a network connection: it stays in the cache (HF_HOME), which HF_HUB_OFFLINE=1 "
        f"reads without asking the hub; on a slow network, {PATIENCE_VARIABLE}=30 waits for 30 seconds"
    )


def reads_cache_only(name: str) -> bool:
    """Whether a model of the hub has to be read from the local cache, since the hub cannot be reached."""
    repository, revision = split_revision(name)
    if Path(name).exists() or not is_cached(repository, revision):
        return False
    return bool(why_unreachable())


def is_cached(repository: str, revision: str | None) -> bool:
    """Whether the local cache has the configuration of a model."""
    from huggingface_hub import try_to_load_from_cache

    return isinstance(try_to_load_from_cache(repository, "config.json", revision=revision), str)


def why_unreachable() -> str:
    """Say why the hub cannot be reached; empty if it answers."""
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return "HF_HUB_OFFLINE is set"
    return ask_hub(int(time.monotonic() / REMEMBERED_SECONDS))


def note_cache_only(name: str) -> str:
    """Say that only the local cache was read, for the message that a model cannot be loaded; empty if it was not."""
    if not reads_cache_only(name):
        return ""
    return f" (only the local cache was read, since the hub cannot be reached: {why_unreachable()})"


def patience() -> float:
    """Return the seconds that the hub has to answer."""
    from huggingface_hub import constants

    return constants.HF_HUB_ETAG_TIMEOUT if PATIENCE_VARIABLE in os.environ else PATIENCE


@lru_cache(maxsize=1)
def ask_hub(_now: int) -> str:
    """Send one request to the hub; the reason why there is no answer, or nothing."""
    from huggingface_hub import constants, get_session

    try:
        get_session().head(constants.ENDPOINT, timeout=patience())
    except Exception as error:  # noqa: BLE001 - HTTP clients of different versions share no class of errors
        return first_line(error).rstrip(".")
    return ""
