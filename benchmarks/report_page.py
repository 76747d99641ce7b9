"""The report of a large run: how long it takes to build, how large it is, how quickly it opens, sorts and searches.

python benchmarks/report_page.py RUN…

RUN is a folder of `gardenpath run`, for example all of BLiMP with an n-gram model (67,000 items):
`gardenpath run --model models/5gram --suite blimp --out runs/blimp`. Opening is timed until the summary is drawn,
sorting and searching until the rows in view are there again, in headless Chromium.
"""

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from quiet import wait_for_quiet

SORT = """(label) => {
  const heading = [...document.querySelectorAll("#view thead button")].find((one) => one.textContent.startsWith(label));
  const start = performance.now();
  heading.click();
  document.body.offsetHeight;
  return performance.now() - start;
}"""
SEARCH = """(text) => {
  const field = document.querySelector("#view input[type=search]");
  field.value = text;
  const start = performance.now();
  field.dispatchEvent(new Event("input"));
  document.body.offsetHeight;
  return performance.now() - start;
}"""


def build(runs: list[str], page: Path) -> None:
    """Write the report, and say what it took."""
    started = time.monotonic()
    subprocess.run([sys.executable, "-m", "gardenpath", "report", *runs, "--out", str(page)], check=True)
    seconds = time.monotonic() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = used.ru_utime + used.ru_stime
    print(f"built in {seconds:.1f} s ({processor:.1f} s of the processor), {page.stat().st_size / 1e6:.1f} MB")


def read(page: Path, chromium: str) -> None:
    """Open the report, sort and search its items, and say what each took."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": 1280, "height": 900})
        begun = time.monotonic()
        window.goto(page.as_uri())
        window.wait_for_selector("#view h1")
        print(f"opens in {time.monotonic() - begun:.2f} s")
        window.evaluate("location.hash = '#/items'")
        window.wait_for_selector("#view .frame.long tr[data-row]")
        for label in ("margin", "margin", "sentence", "suite"):
            print(f"sort by {label}: {window.evaluate(SORT, label):.0f} ms")
        for text in ("the", "who had"):
            print(f"search {text!r}: {window.evaluate(SEARCH, text):.0f} ms")
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="RUN")
    runs = parser.parse_args().runs
    wait_for_quiet()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        build(runs, page)
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        if chromium is None:
            print("no Chromium here: the page is not opened")
            return
        read(page, chromium)


if __name__ == "__main__":
    main()
