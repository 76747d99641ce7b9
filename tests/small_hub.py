"""A local cache of the Hugging Face hub with tiny models, in the layout that the library writes."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from small_models import save_tiny, tiny_llama

PYTHIA_NAMES = ("step0", "step1", "step1000", "step143000")


def cache_revision(cache: Path, repository: str, revision: str, files: Path | None) -> str:
    """Put the files of a model under a revision, as blobs with links to them; without files, only its name."""
    folder = cache / "--".join(("models", *repository.split("/")))
    commit = hashlib.sha1(revision.encode(), usedforsecurity=False).hexdigest()
    reference = folder / "refs" / revision
    reference.parent.mkdir(parents=True, exist_ok=True)
    reference.write_text(commit, encoding="utf-8")
    if files is None:
        return commit
    snapshot, blobs = folder / "snapshots" / commit, folder / "blobs"
    for part in (snapshot, blobs):
        part.mkdir(parents=True, exist_ok=True)
    for path in sorted(files.iterdir()):
        blob = blobs / hashlib.sha256(path.read_bytes()).hexdigest()
        blob.write_bytes(path.read_bytes())
        (snapshot / path.name).symlink_to(os.path.relpath(blob, snapshot))
    return commit


def write_hub(folder: Path, repository: str, names: Iterable[str] = PYTHIA_NAMES, **changes: Any) -> Path:
    """A cache with a tiny Llama under every name, each with weights of its own; return its folder."""
    import torch

    for seed, name in enumerate(names):
        model = tiny_llama(**changes)
        torch.manual_seed(seed)
        with torch.no_grad():
            model.lm_head.weight.normal_(std=0.3)
        cache_revision(folder, repository, name, save_tiny(folder.parent / f"plain-{name}", model))
    return folder


def offline(cache: Path) -> Mapping[str, str]:
    """The environment in which a process finds this cache and no hub."""
    own = {"HF_HOME": str(cache.parent), "HF_HUB_CACHE": str(cache), "HF_HUB_OFFLINE": "1"}
    return {name: value for name, value in os.environ.items() if not name.startswith("HF_")} | own
