"""The processes that read large texts do not outlive the one that started them."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = """
import sys, time
from pathlib import Path
from gardenpath.text.corpus_reader import map_in_order, text_blocks

if __name__ == "__main__":
    blocks = text_blocks(Path(sys.argv[1]), "lines", size=20)
    results = map_in_order(blocks, str, 2)
    next(results)
    print("started", flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes the way Linux tells them")
def test_processes_end_with_their_parent(tmp_path: Path) -> None:
    script, text = tmp_path / "read.py", tmp_path / "text.txt"
    script.write_text(SCRIPT, encoding="utf-8")
    text.write_text("A dog barked at it.\n" * 50, encoding="utf-8")
    with subprocess.Popen([sys.executable, script, text], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "started\n"
        children = [int(pid) for pid in Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()]
        parent.send_signal(signal.SIGKILL)
    assert len(children) >= 2
    for _ in range(300):
        if not any(alive(child) for child in children):
            return
        time.sleep(0.1)
    pytest.fail("processes of the pool are still there half a minute after their parent was killed")


def alive(pid: int) -> bool:
    """Whether a process is still running."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
