"""Which revisions a model of the hub has: asked of the hub, or as far as the local cache has them."""

from dataclasses import dataclass
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import first_line

WEIGHTS = ("*.safetensors", "*.bin")
"""Files of weights, by the ends of their names."""


@dataclass(frozen=True, slots=True)
class RevisionList:
    """The revisions of a model."""

    names: tuple[str, ...]
    incomplete: tuple[str, ...] = ()
    """Those that cannot be loaded: the hub cannot be reached, and not all of their files are in the local cache."""
    why_local: str = ""
    """Why only the local cache was looked at; empty if the hub answered."""


def list_revisions(repository: str) -> RevisionList:
    """List the revisions of a model on the hub; if it cannot be reached, those in the local cache."""
    from huggingface_hub import HfApi, constants

    if constants.HF_HUB_OFFLINE:
        return list_cached(repository, "HF_HUB_OFFLINE is set")
    try:
        found = HfApi().list_repo_refs(repository)
    except Exception as error:  # noqa: BLE001 - the library and its HTTP client share no class of errors
        return list_cached(repository, first_line(error).rstrip("."))
    return RevisionList(tuple(dict.fromkeys(one.name for one in (*found.branches, *found.tags))))


def list_cached(repository: str, why: str) -> RevisionList:
    """List the revisions in the local cache; refuse a model of which it has none."""
    commits = cached_commits(repository)
    if not commits:
        raise InputError(
            f"{repository}: its revisions cannot be listed ({why}), and none is in the local cache "
            f"({cache_of(repository)}); connect to the hub once, or set HF_HOME to the folder of another cache"
        )
    complete = complete_revisions(repository)
    return RevisionList(tuple(commits), tuple(name for name in commits if name not in complete), why)


def complete_revisions(repository: str) -> list[str]:
    """List the revisions that the local cache has with their files."""
    folder = cache_of(repository) / "snapshots"
    return [name for name, commit in cached_commits(repository).items() if is_complete(folder / commit)]


def cached_commits(repository: str) -> dict[str, str]:
    """Return the commits of the revisions that the local cache knows, by their names."""
    folder = cache_of(repository) / "refs"
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    named = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8").strip() for path in files}
    return {name: commit for name, commit in named.items() if not name.startswith("refs/")}  # pull requests


def cache_of(repository: str) -> Path:
    """Return the folder of a model in the local cache, which need not exist."""
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE) / "--".join(("models", *repository.split("/")))


def is_complete(snapshot: Path) -> bool:
    """Whether a folder of the cache has a configuration and weights."""
    return (snapshot / "config.json").is_file() and any(any(snapshot.glob(ending)) for ending in WEIGHTS)
