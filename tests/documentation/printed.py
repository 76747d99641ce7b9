"""What pages do not show of what their blocks print: kept in files."""

import json
import re
from itertools import count
from pathlib import Path

from documentation.compare import difference
from documentation.pages import ROOT

FOLDER = ROOT / "tests" / "data" / "documentation"
LINES = 12
"""How many lines are kept; what follows is not compared."""
VARYING = re.compile(
    r"(?<=sentences, )(?:all cached|[\d,]+ computed now)"
    r"|[\d,]+ (?=tokens/s)|(?<=tokens_per_second=)[\d.]+"
    r"|\d[\d.,]* (?:s|ms|seconds?|minutes?|hours?|[kMG]B)\b"
    r"|\d+:\d\d:\d\d|\d{8}-\d{6}|0x[0-9a-f]+"
)
"""What is remembered, times, sizes in memory, addresses."""


class Printed:
    """What the blocks of a page print, compared or, with `record`, kept."""

    def __init__(self, page: str, *, record: bool) -> None:
        self.path = FOLDER / f"{page.removesuffix('.md').replace('/', '-')}.json"
        self.record = record
        self.kept: dict[str, list[str]] = json.loads(self.path.read_text("utf-8")) if self.path.exists() else {}
        self.seen: dict[str, list[str]] = {}

    def check_shown(self, shown: str, printed: str, where: str) -> None:
        """Compare what was printed with what the page shows."""
        different = difference(shown, printed)
        assert different is None, f"{where}: the page shows something else\n{different}"

    def check_kept(self, source: str, printed: str, where: str) -> None:
        """Compare what was printed with what was kept."""
        key = next(key for key in (f"{source} ({n})" if n else source for n in count()) if key not in self.seen)
        self.seen[key] = shortened(printed)
        if self.record:
            return
        assert key in self.kept, f"{where}: nothing is kept of {key!r}; run with --record and look at the difference"
        different = difference("\n".join(self.kept[key]), printed)
        assert different is None, f"{where}: {key} prints something else; if it should, run with --record\n{different}"

    def finish(self, *, complete: bool) -> None:
        """Write what is to be kept; nothing else may be kept of a page all of whose blocks were run."""
        if self.record:
            merged = self.seen if complete else {**self.kept, **self.seen}
            if merged:
                FOLDER.mkdir(parents=True, exist_ok=True)
                self.path.write_text(json.dumps(merged, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            elif self.path.exists():
                self.path.unlink()
        elif complete:
            assert set(self.kept) == set(self.seen), "run with --record: the page no longer has all that is kept"


def shortened(printed: str) -> list[str]:
    """The first lines, without what is never the same twice."""
    folder = str(Path.cwd())
    lines = [VARYING.sub("…", line.replace(folder, "…")).rstrip() for line in printed.rstrip().splitlines()]
    return lines if len(lines) <= LINES else [*lines[:LINES], "…"]
