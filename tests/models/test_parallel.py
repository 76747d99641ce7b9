"""A model shared among two processes, which torchrun starts, against the same model in one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.models.load import load_model
from gardenpath.runs.run import run
from small_models import TRAINING_TEXT, save_tiny, tiny_gpt2, tiny_llama

SCRIPT = """
import sys
import numpy as np
import torch
import gardenpath as gp
from gardenpath.models.load import load_model

torch.set_num_threads(1)
folder, *texts = sys.argv[1:]
shared, alone = (load_model(f"hf:{folder}", device=device) for device in ("parallel", "cpu"))
assert type(shared.reader).__name__ == "LibraryReader"
weight = shared.reader.decoder.layers[0].mlp.up_proj.weight
assert weight.to_local().shape[0] * 2 == weight.shape[0]
assert shared.card.fingerprint == alone.card.fingerprint
found, expected = (gp.score(model, texts).arrays.bits for model in (shared, alone))
assert np.abs(found - expected).max() < 1e-4
print("the same bits")
"""


@pytest.mark.slow
def test_a_model_shared_among_processes_has_the_same_bits(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path / "model", tiny_llama())
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    start = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = subprocess.run(
        [*start, str(script), str(folder), *TRAINING_TEXT], env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.stdout.count("the same bits") == 2, done.stderr


def test_refusals(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path, tiny_gpt2())
    with pytest.raises(InputError, match="shares a model among processes, and this is the only one"):
        load_model(f"hf:{folder}", device="parallel")
    with pytest.raises(InputError, match="all processes would write the results"):
        run(models=f"hf:{folder}", suites="agreement", sample=1, device="parallel")
