"""The report's page in a browser: opened, clicked through, and used with keys only."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars
import pytest
from polars.testing import assert_frame_equal
from test_report import scored_without_predictions

from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.figures.charts.accuracy import accuracy_chart
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.page import build
from gardenpath.runs.results import read_runs
from gardenpath.runs.token_details import DETAILS
from small_outcomes import summary_row
from small_runs import SmallSuite, pairs, write_run

HOSTILE = ["<script>alert(1)</script>", "</script><!--", '"><img src=x onerror=alert(1)>']
DESIGN = {
    "1": {
        "match": [("keys", "noun", 9.0), ("are", "verb", 2.0)],
        "mismatch": [("keys", "noun", 9.0), ("is", "verb", 5.5)],
    },
    "2": {
        "match": [("cups", "noun", 8.0), ("are", "verb", 4.0)],
        "mismatch": [("cups", "noun", 8.0), ("is", "verb", 3.25)],
    },
}
"""The prediction holds by 3.5 bits of the first item, and fails by 0.75 of the second."""
AGREEMENT = {"agreement": "[(verb;%match%) < (verb;%mismatch%)] & [(noun;%match%) <= (noun;%mismatch%)]"}


class Reader:
    """A window on a page that records errors, dialogs and requests."""

    def __init__(self, browser: Any, page: Path, **options: Any) -> None:
        self.context = browser.new_context(viewport={"width": 1200, "height": 800}, **options)
        self.window = self.context.new_page()
        self.wrong: list[str] = []
        self.window.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.window.on(
            "console", lambda message: self.wrong.append(message.text) if message.type in ("error", "warning") else None
        )
        self.window.on("dialog", lambda dialog: (self.wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.window.on("request", lambda sent: None if sent.url.startswith("file:") else self.wrong.append(sent.url))
        self.window.goto(page.as_uri())
        self.window.wait_for_selector("#view h1")

    def open(self, address: str, shows: str) -> None:
        """Go to another view and wait until it replaces the previous one."""
        before = self.window.query_selector("#view > *")
        self.window.evaluate(f"location.hash = {address!r}")
        before.wait_for_element_state("hidden")
        self.window.wait_for_selector(shows)

    def texts(self, selector: str) -> list[str]:
        return [text.strip() for text in self.window.locator(selector).all_text_contents()]

    def download(self, kind: str, within: str) -> Path:
        """Press a button and return the file that is saved."""
        with self.window.expect_download() as started:
            self.window.click(f"{within} .downloads button[data-kind={kind}]")
        assert started.value.suggested_filename.endswith(f".{kind}")
        return Path(started.value.path())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.window.keyboard.press(key)


@pytest.fixture
def read(browser: Any) -> Iterator[Any]:
    """Open a page; at the end it must have had no errors."""
    readers = []

    def opened(page: Path, **options: Any) -> Reader:
        readers.append(Reader(browser, page, **options))
        return readers[-1]

    yield opened
    for reader in readers:
        reader.context.close()
        assert reader.wrong == []


def write_page(folder: Path, *runs: Path, parts: Sequence[Figure | Analysis] = ()) -> Path:
    page = folder / "report.html"
    page.write_text(build.build_page(read_runs(list(runs)), parts, commands=["gardenpath run"]), encoding="utf-8")
    return page


@pytest.fixture(scope="module")
def two_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("two")
    runs = []
    for model, margins in (("better", [2.0, 1.0, -3.0]), ("worse", [-2.0, -1.0, -3.0])):
        suites = [SmallSuite("keys", DESIGN, AGREEMENT), SmallSuite("boys", pairs(margins), phenomenon="number")]
        runs.append(write_run(folder / model, suites, model=model))
    return write_page(folder, *runs)


@pytest.fixture(scope="module")
def many_items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    margins = [((number * 37) % 3000 - 1000) / 100 for number in range(3000)]
    return write_page(folder, write_run(folder / "a", [SmallSuite("many", pairs(margins))]))


def test_from_the_summary_to_a_token(two_models: Path, read: Any) -> None:
    reader = read(two_models)
    assert reader.texts("table[aria-label=Results] tbody tr td:first-child") == ["keys", "boys"]
    reader.window.get_by_role("link", name="keys").click()
    reader.window.wait_for_selector("h1:text-is('keys')")
    assert "verb is less surprising in match than in mismatch" in reader.window.inner_text(".words")
    reader.window.click("table[aria-label=Items] tbody tr >> nth=1")
    reader.window.wait_for_selector("h1:text-is('Item 2')")
    assert "fails by 0.75 bits" in reader.window.inner_text(".judged")
    failed, held = reader.window.locator(".comparisons tbody tr").all()
    assert failed.get_attribute("class") == "wrong"
    assert "verb in match 4.00 bits" in " ".join(failed.inner_text().split())
    assert "verb in mismatch 3.25 bits" in " ".join(failed.inner_text().split())
    assert "−0.75" in failed.inner_text()
    assert "decides" in failed.inner_text()
    assert held.get_attribute("class") == "correct"  # 8 bits are at most 8 bits
    assert reader.texts(".token .text") == ["cups", "are", "cups", "is"]
    assert reader.texts(".token .bits") == ["8.0", "4.0", "8.0", "3.3"]
    assert reader.window.locator(".region-group.compared").count() == 4


def test_means_over_different_suites_are_not_compared(two_models: Path, tmp_path: Path, read: Any) -> None:
    assert "different suites" not in read(two_models).window.inner_text("#view")
    one = write_run(tmp_path / "a", [SmallSuite("keys", DESIGN, AGREEMENT)], model="one")
    suites = [SmallSuite("keys", DESIGN, AGREEMENT), SmallSuite("boys", pairs([2.0]))]
    page = write_page(tmp_path, one, write_run(tmp_path / "b", suites, model="two"))
    assert "run on different suites (1 to 2 of 2)" in read(page).window.inner_text("#view")
    page = write_page(tmp_path, one, write_run(tmp_path / "c", suites[1:], model="three"))
    assert "run on different suites (1 of 2 each)" in read(page).window.inner_text("#view")


def test_names_are_never_markup(tmp_path: Path, read: Any) -> None:
    suites = [
        SmallSuite(name, pairs([1.0, -1.0], words="<b>x</b>"), {name: "(verb;%good%) < (verb;%bad%)"}, name)
        for name in HOSTILE
    ]
    page = write_page(tmp_path, write_run(tmp_path / "a", suites, model=HOSTILE[0]))
    reader = read(page)
    assert set(HOSTILE) <= set(reader.texts("table[aria-label=Results] tbody tr td:first-child"))
    scripts = reader.window.locator("script").count()
    for address, shows in [
        ("#/suite/0/0", "h1"), ("#/suite/1/0", ".prediction"), ("#/item/2/0/1", ".condition-row"),
        ("#/items", "table[aria-label=Items] tbody tr"), ("#/provenance", "#provenance"),
    ]:  # fmt: skip
        reader.open(address, shows)
        assert reader.window.locator("main img, main b b, main script").count() == 0
    assert reader.window.locator("script").count() == scripts
    reader.open("#/item/0/0/0", ".token")
    assert "<b>x</b>1" in reader.texts(".token .text")


def test_columns_sort_both_ways(two_models: Path, read: Any) -> None:
    reader = read(two_models)
    head = reader.window.locator("table[aria-label=Results] th", has_text="better")
    first = "table[aria-label=Results] tbody tr >> nth=0"
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert "boys" in reader.window.inner_text(first)  # 2 of 3 before 1 of 2
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert "keys" in reader.window.inner_text(first)


def test_search_and_filters(two_models: Path, read: Any) -> None:
    reader = read(two_models)
    reader.open("#/items", "table[aria-label=Items] tbody tr")
    assert "5 of 5 rows" in reader.window.inner_text(".hint")
    reader.window.get_by_label("Search items and sentences").fill("the boy2")
    assert "1 of 5 rows" in reader.window.inner_text(".hint")
    reader.press("Escape")
    assert "5 of 5 rows" in reader.window.inner_text(".hint")
    reader.window.get_by_label("Outcome").select_option(label="models disagree")
    assert reader.texts("table[aria-label=Items] tbody tr td:nth-child(2)") == ["1", "2"]
    reader.window.get_by_label("Outcome").select_option(label="wrong")
    reader.window.get_by_label("Model", exact=True).select_option(label="better")
    assert "2 of 5 rows" in reader.window.inner_text(".hint")
    reader.window.get_by_label("Phenomenon").select_option(label="Number")
    assert "1 of 5 rows" in reader.window.inner_text(".hint")
    # Going away and back finds the choices as they were.
    reader.open("#/", "table[aria-label=Results]")
    reader.window.go_back()
    reader.window.wait_for_selector("table[aria-label=Items]")
    assert "1 of 5 rows" in reader.window.inner_text(".hint")


def test_the_keys(two_models: Path, read: Any) -> None:
    reader = read(two_models)
    reader.press("/")
    reader.window.keyboard.type("key")
    assert reader.texts("table[aria-label=Results] tbody tr td:first-child") == ["keys"]
    reader.press("ArrowDown", "Enter")
    reader.window.wait_for_selector("h1:text-is('keys')")
    reader.window.focus("table[aria-label=Items] tbody tr")
    reader.press("End", "Enter")
    reader.window.wait_for_selector("h1:text-is('Item 2')")
    reader.press("ArrowLeft")
    reader.window.wait_for_selector("h1:text-is('Item 1')")
    reader.press("ArrowRight")
    reader.window.wait_for_selector("h1:text-is('Item 2')")
    reader.press("Escape")
    reader.window.wait_for_selector("h1:text-is('keys')")
    reader.press("Escape")
    reader.window.wait_for_selector("#summary-title")
    reader.press("?")
    reader.window.wait_for_selector("dialog#help", state="visible")
    reader.press("Escape")
    reader.window.wait_for_selector("dialog#help", state="hidden")
    reader.press("4")
    reader.window.wait_for_selector("#provenance-title")


def test_everything_can_be_reached_with_tab(two_models: Path, read: Any) -> None:
    reader = read(two_models)
    focused, seen = "document.activeElement.closest('a, button, input, select, tr')?.innerText ?? ''", []
    for _ in range(30):
        reader.press("Tab")
        seen.append(reader.window.evaluate(focused))
    for name in ("Summary", "Provenance", "better"):
        assert any(name in text for text in seen), name
    assert reader.window.evaluate("document.querySelectorAll('#view tr[tabindex=\"0\"]').length") == 1


def test_another_model_is_chosen(two_models: Path, read: Any) -> None:
    reader = read(two_models)
    reader.open("#/item/1/0/0", ".condition-row")
    assert "holds by 2.00 bits" in reader.window.inner_text(".judged")
    reader.window.get_by_label("worse").check()
    reader.window.wait_for_selector(".verdict.wrong")
    assert "fails by 2.00 bits" in reader.window.inner_text(".judged")
    assert reader.window.evaluate("document.activeElement.value") == "1"


def test_long_tables_hold_only_rows_in_view(many_items: Path, read: Any) -> None:
    reader = read(many_items)
    reader.open("#/suite/0", ".frame.long tbody tr[data-row]")
    rows = ".frame.long tbody tr[data-row]"
    assert reader.window.locator(rows).count() < 100
    assert reader.window.get_attribute("table[aria-label=Items]", "aria-rowcount") == "3001"
    margin = reader.window.locator("table[aria-label=Items] th", has_text="margin").locator("button")
    margin.click()
    assert "+19.99" in reader.window.inner_text(f"{rows} >> nth=0")
    reader.window.focus(f"{rows} >> nth=0")
    reader.press("End")
    assert "−10.00" in reader.window.evaluate("document.activeElement.innerText")
    assert reader.window.locator(rows).count() < 100
    reader.press("ArrowUp", "ArrowUp", "Home")
    assert "+19.99" in reader.window.evaluate("document.activeElement.innerText")
    reader.window.evaluate("document.querySelector('.frame.long').scrollTop = 1e9")
    reader.window.wait_for_selector(f"{rows}:has-text('−10.00')")
    reader.press("ArrowDown")  # continues from the row that was scrolled out of view
    assert "+19.98" in reader.window.evaluate("document.activeElement.innerText")


def test_tables_taller_than_a_browser_can_scroll(tmp_path: Path, read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = build.read_asset
    monkeypatch.setattr(build, "read_asset", lambda name: plain(name).replace("TALLEST = 8_000_000", "TALLEST = 9_000"))
    run = write_run(tmp_path / "a", [SmallSuite("many", pairs([float(number) for number in range(2000)]))])
    reader = read(write_page(tmp_path, run))
    reader.open("#/suite/0", ".frame.long tbody tr[data-row]")
    rows = ".frame.long tbody tr[data-row]"
    assert reader.window.evaluate("document.querySelector('.frame.long').scrollHeight") < 9_100
    reader.window.focus(f"{rows} >> nth=0")
    for keys, item in [(["End"], "2000"), (["ArrowUp"], "1999"), (["Home"], "1"), (["ArrowDown"] * 30, "31")]:
        reader.press(*keys)
        row = reader.window.evaluate_handle("document.activeElement")
        # The browser tells of scrolling when it finds the time; the row that is there already is not drawn again.
        reader.window.dispatch_event(".frame.long", "scroll")
        reader.window.evaluate("new Promise((done) => requestAnimationFrame(done))")
        assert row.evaluate("row => row === document.activeElement")
        assert row.evaluate("row => row.cells[0].textContent") == item
        box, frame = row.bounding_box(), reader.window.locator(".frame.long").bounding_box()
        assert frame["y"] <= box["y"]
        assert box["y"] + box["height"] <= frame["y"] + frame["height"]
    reader.window.evaluate("document.querySelector('.frame.long').scrollTop = 1e9")
    reader.window.wait_for_selector(f"{rows}:has-text('boy2000')")


def test_missing_surprisals_are_shown_as_missing(tmp_path: Path, read: Any) -> None:
    good, bad = [("unknown", "verb", math.inf)], [("b", "verb", 3.0)]
    items = {"1": {"good": [("a", "noun", math.nan), *good], "bad": [("a", "noun", math.nan), *bad]}}
    run = write_run(tmp_path / "a", [SmallSuite("s", items, {"whole": "(*;%good%) < (*;%bad%)"})])
    reader = read(write_page(tmp_path, run))
    reader.open("#/item/0/0/0", ".condition-row")
    assert "cannot be evaluated" in reader.window.inner_text(".judged")
    assert reader.texts(".token .bits") == ["missing", "∞", "missing", "3.0"]
    assert reader.window.locator(".token.unknown").count() == 1
    assert reader.window.locator(".comparisons .sum").count() == 0
    reader.open("#/items", "table[aria-label=Items] tbody tr")
    reader.window.get_by_label("Outcome").select_option(label="invalid")
    assert "1 of 1 row" in reader.window.inner_text(".hint")


def test_rows_are_written_out_for_printing(many_items: Path, read: Any) -> None:
    reader = read(many_items)
    reader.open("#/suite/0", ".frame.long tbody tr[data-row]")
    reader.window.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert reader.window.locator("table[aria-label=Items] tbody tr").count() == 1000
    assert "first 1,000 of 3,000 rows" in reader.window.inner_text(".table .note:visible")
    reader.window.evaluate("dispatchEvent(new Event('afterprint'))")
    assert reader.window.locator("table[aria-label=Items] tbody tr").count() < 100
    reader.open("#/", "#summary-title")
    reader.window.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert reader.window.locator("#after-figures #provenance-title").count() == 1


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_dark_and_light(two_models: Path, read: Any, scheme: str, dark: bool) -> None:
    reader = read(two_models, color_scheme=scheme)
    colour = "getComputedStyle(document.body).{}.match(/\\d+/g).slice(0, 3).map(Number)"
    ground, ink = (reader.window.evaluate(colour.format(name)) for name in ("backgroundColor", "color"))
    assert (sum(ground) < sum(ink)) is dark
    reader.window.emulate_media(media="print")
    assert sum(reader.window.evaluate(colour.format("backgroundColor"))) == 3 * 255


def test_a_phone_shows_accuracies_without_scrolling_sideways(two_models: Path, read: Any) -> None:
    reader = read(two_models)
    reader.window.set_viewport_size({"width": 390, "height": 800})
    reader.window.reload()
    reader.window.wait_for_selector("#view h1")
    assert reader.window.evaluate("document.documentElement.scrollWidth") <= 390
    box = reader.window.locator("table[aria-label=Results] tbody .accuracy >> nth=0").bounding_box()
    assert box["x"] + box["width"] < 390


def test_a_phone_names_the_predictions_of_rows_that_would_look_alike(tmp_path: Path, read: Any) -> None:
    two = {**AGREEMENT, "verb": "(verb;%match%) < (verb;%mismatch%)"}
    suites = [SmallSuite("keys", DESIGN, two), SmallSuite("boys", pairs([1.0, -1.0]))]
    reader = read(write_page(tmp_path, write_run(tmp_path / "run", suites)))
    first = "table[aria-label={}] tbody td:first-child"
    shown = {
        390: (["keys agreement", "keys verb", "boys"], ["1 agreement", "2 agreement", "1 verb", "2 verb"]),
        1200: (["keys", "keys", "boys"], ["keys"] * 4),
    }
    for width, (results, items) in shown.items():
        reader.window.set_viewport_size({"width": width, "height": 800})
        reader.open("#/items", "table[aria-label=Items] tbody tr")
        reader.window.reload()
        reader.window.wait_for_selector("table[aria-label=Items] tbody tr")
        cells = reader.window.locator(first.format("Items"))
        assert [" ".join(text.split()) for text in cells.all_inner_texts()][:4] == items
        reader.open("#/", "table[aria-label=Results] tbody tr")
        cells = reader.window.locator(first.format("Results"))
        assert [" ".join(text.split()) for text in cells.all_inner_texts()] == results


def test_numbers_that_all_rows_share_are_a_line_below_the_table(tmp_path: Path, read: Any) -> None:
    heads = "table[aria-label=Results] thead th"
    tied, decided = SmallSuite("a/tied", pairs([0.0, 1.0])), SmallSuite("a/decided", pairs([1.0, -1.0]))
    reader = read(
        write_page(tmp_path, write_run(tmp_path / "one", [decided, SmallSuite("a/other", pairs([1.0, 2.0]))]))
    )
    assert not {"strict", "coverage", "ties", "invalid"} & set(reader.texts(heads))
    assert "In all rows: strict = accuracy, coverage 100.0, ties 0, invalid 0." in reader.texts(".legend")
    saved = polars.read_csv(reader.download("csv", ".table:has(table[aria-label=Results])"))
    assert saved.select("strict", "coverage", "ties", "invalid").rows() == [(0.5, 1.0, 0, 0), (1.0, 1.0, 0, 0)]
    reader = read(write_page(tmp_path, write_run(tmp_path / "two", [tied, decided])))
    assert {"strict", "ties"} < set(reader.texts(heads))
    assert "In all rows: coverage 100.0, invalid 0." in reader.texts(".legend")


def test_a_suite_without_predictions_can_be_read(read: Any, tmp_path: Path) -> None:
    page = write_page(tmp_path, scored_without_predictions(tmp_path))
    reader = read(page)
    assert reader.texts("#view h2") == ["Models", "Surprisals without predictions"]
    reader.open("#/suite/0", "#suite-title")
    assert "The suite has no predictions" in reader.texts("p.hint")[0]
    reader.open("#/item/0/0/1", "#item-title")
    assert reader.texts(".condition-row h3")[0].startswith("match")
    reader.open("#/items", "h1")


def add_details(folder: Path) -> Path:
    """Give the tokens of a run what one with details has; the first token of a sentence has none."""
    tokens = polars.read_parquet(folder / "tokens.parquet")
    first = [place == 0 for place in tokens["token"]]
    top = [{"token": text, "bits": 0.5 + number} for number, text in enumerate(HOSTILE)]
    found = {
        "entropy": [None if one else 2.25 for one in first],
        "rank": [None if one else 1234 for one in first],
        "top": [None if one else [*top, {"token": " are", "bits": 7.0}] for one in first],
        "layer_bits": [None if one else [9.0, 4.5, 3.0] for one in first],
    }
    details = polars.DataFrame(found, schema=DETAILS)
    tokens.hstack(details).write_parquet(folder / "tokens.parquet")
    return folder


def test_details_of_tokens_are_in_the_item(tmp_path: Path, read: Any) -> None:
    """Of the model that has them; names that look like markup are shown as they are."""
    suites = [SmallSuite("keys", DESIGN, AGREEMENT)]
    plain = write_run(tmp_path / "plain", suites, model="plain")
    runs = [add_details(write_run(tmp_path / "more", suites, model="more")), plain]
    reader = read(write_page(tmp_path, *runs))
    reader.open("#/item/0/0/0", "h1:text-is('Item 1')")
    reader.window.locator(".token-details summary").first.click()
    table = reader.window.locator(".token-details").first
    assert table.locator("thead th").all_inner_texts() == [
        "token", "bits", "entropy", "rank", "likeliest tokens, with their bits", "bits after each layer",
    ]  # fmt: skip
    cells = [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]
    assert cells[0] == ["keys", "9.00", "–", "–", "–", "–"]
    assert cells[1][:4] == ["are", "2.00", "2.25", "1,234"]
    spelled = [text.replace(" ", "␣") for text in [*HOSTILE, " are"]]
    assert table.locator(".alternative .spelled").all_inner_texts() == spelled
    assert table.locator(".layers span").count() == 3
    assert table.locator(".layers").get_attribute("title").endswith("layer 3: 3.00 bits")
    assert "rank 1,234" in reader.window.locator(".token").nth(1).get_attribute("title")
    reader.window.get_by_role("radio").nth(1).check()
    reader.window.wait_for_selector(".token-details", state="detached")


NUMBERS = polars.DataFrame({"model": ['a "b", c', "=1+1"], "difference": [0.1 + 0.2, None], "n": [3, 4]})


@pytest.fixture(scope="module")
def with_parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with figures and tables of two sections."""
    folder = tmp_path_factory.mktemp("parts")
    rows = [summary_row(suite=name) for name in ("agreement", "islands")]
    parts = [
        Figure("first", "First", "Caption.", accuracy_chart(rows), NUMBERS, section="Accuracy"),
        Analysis("table-x", "A table", "Caption.", NUMBERS, section="Models compared"),
        Figure("second", "Second", "Caption.", accuracy_chart(rows[:1]), NUMBERS, section="Accuracy"),
    ]
    levels = {"1": {"number": "sing"}, "2": {"number": "plur"}}
    suites = [SmallSuite("keys, cups", DESIGN, AGREEMENT), SmallSuite("boys", pairs([2.0, -1.25]), levels=levels)]
    run = write_run(folder / "run", suites, model="models/lstm")
    return write_page(folder, run, parts=parts)


def test_figures_are_saved(with_parts: Path, read: Any) -> None:
    reader = read(with_parts)
    reader.open("#/figures/first", "h1:text-is('First')")
    shown = "#figures figure.shown"
    png = reader.download("png", shown).read_bytes()
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(png[start : start + 4]) for start in (16, 20))
    svg = ElementTree.fromstring(reader.download("svg", shown).read_text(encoding="utf-8"))
    assert svg.tag == "{http://www.w3.org/2000/svg}svg"
    assert (width, height) == tuple(round(float(svg.attrib[side]) * 200 / 72) for side in ("width", "height"))
    assert svg[0].attrib["fill"] == "white"
    assert "islands" in "".join(svg.itertext())
    for address in ("#/figures/first", "#/figures/table-x"):
        reader.window.evaluate(f"location.hash = {address!r}")
        reader.window.wait_for_selector(f"{shown}#figure-{address.rpartition('/')[2]}")
        saved = polars.read_csv(reader.download("csv", shown))
        assert_frame_equal(saved, NUMBERS.with_columns(model=polars.Series(['a "b", c', "'=1+1"])))
    assert 'a "b", c' in reader.download("md", shown).read_text(encoding="utf-8")
    assert "\\toprule" in reader.download("tex", shown).read_text(encoding="utf-8")


def test_tables_are_saved_as_they_are_chosen(with_parts: Path, read: Any) -> None:
    reader = read(with_parts)
    saved = polars.read_csv(reader.download("csv", ".table:has(table[aria-label=Results])"))
    assert saved.select("suite", "n", "accuracy").rows() == [("keys, cups", 2, 0.25), ("boys", 2, 0.5)]
    latex = reader.download("tex", ".table:has(table[aria-label=Results])").read_text(encoding="utf-8")
    assert "keys, cups & Agreement & 2 & 25.0" in latex
    assert latex.startswith("% needs \\usepackage{booktabs,graphicx}\n\\noindent\\resizebox{")  # no wider than the page
    assert "& 50.0 & 0.3 & 99.7 & 50.0 & 50.0 & 1.000 &" in latex
    assert "| model |" in reader.download("md", ".table:has(table[aria-label=Models])").read_text(encoding="utf-8")
    reader.open("#/suite/1", "table[aria-label=Items] tbody tr")
    reader.window.get_by_label("Outcome").select_option(label="wrong")
    saved = polars.read_csv(reader.download("csv", ".table:has(table[aria-label=Items])"))
    assert saved.rows() == [(2, "the boy2 runs", "the boy2 run", "plur", -1.25, "wrong")]
    assert saved.columns[1:3] == ["good", "bad"]
    by_model = polars.read_csv(reader.download("csv", ".prediction"))
    assert by_model.select("model", "n", "accuracy", "ties").rows() == [("models/lstm", 2, 0.5, 0)]
    reader.open("#/item/1/0/1", ".condition-row")
    tokens = polars.read_csv(reader.download("csv", "section.item >"))
    assert tokens.filter(region="verb").select("condition", "token", "bits").rows() == [
        ("good", "runs", 4.0), ("bad", "run", 2.75),
    ]  # fmt: skip


def test_figures_are_previews_until_one_is_chosen(with_parts: Path, read: Any) -> None:
    reader = read(with_parts)
    reader.open("#/figures", "#figures figure")
    assert reader.texts("#figures h2") == ["Accuracy", "Models compared"]
    assert reader.texts("#figures h3") == ["First", "Second", "A table"]
    assert reader.window.locator("#figures figcaption:visible, #figures .downloads:visible").count() == 0
    boxes = [figure.bounding_box() for figure in reader.window.locator("#figures figure").all()]
    assert all(box["height"] < 300 for box in boxes)
    reader.window.click("#figure-second .picture", force=True)
    reader.window.wait_for_selector("h1:text-is('Second')")
    assert [part.get_attribute("id") for part in reader.window.locator("#figures figure:visible").all()] == [
        "figure-second"
    ]
    assert reader.window.locator("#figures .downloads button:visible").count() == 5
    reader.press("ArrowRight")
    reader.window.wait_for_selector("h1:text-is('A table')")
    reader.press("Escape")
    reader.window.wait_for_selector("h1:text-is('Figures')")
    assert reader.window.locator("#figures figure:visible").count() == 3


def test_a_phone_shows_whole_margins_and_items(tmp_path: Path, read: Any) -> None:
    long = {"1": {name: [(f"word{n}", f"region{n}", 3.0) for n in range(25)] for name in ("a" * 40, "b" * 40)}}
    formula = f"(region1;%{'a' * 40}%) - (region2;%{'b' * 40}%) < (region3;%{'a' * 40}%)"
    suites = [SmallSuite("boys", pairs([1234.56, -12345.67, -0.5])), SmallSuite("long", long, {"q": formula})]
    runs = [write_run(tmp_path / name, suites, model=f"runs/a/models/{name}") for name in ("ngram-novels", "b")]
    page = write_page(tmp_path, *runs)
    reader = read(page)
    reader.window.set_viewport_size({"width": 390, "height": 800})
    reader.window.reload()
    reader.window.wait_for_selector("#view h1")
    assert reader.texts("table[aria-label=Models] tbody td:first-child") == ["ngram-novels", "b"]
    for address, shows in [
        ("#/suite/0", "table[aria-label=Items] tbody tr"), ("#/item/0/0/1", ".condition-row"),
        ("#/suite/1", ".prediction"), ("#/item/1/0/0", ".condition-row"), ("#/figures", "h1"),
    ]:  # fmt: skip
        reader.open(address, shows)
        assert reader.window.evaluate("document.documentElement.scrollWidth") <= 390, address
    reader.open("#/suite/0", "table[aria-label=Items] tbody tr")
    for width in (390, 1200):
        reader.window.set_viewport_size({"width": width, "height": 800})
        reader.window.reload()
        cells = reader.window.locator("table[aria-label=Items] td.numeric")
        assert cells.first.inner_text().split() == ["✓", "+1234.56"]
        cut = "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent)"
        assert cells.evaluate_all(cut) == []


def test_people_and_published_models_are_on_the_page_of_a_suite(tmp_path: Path, read: Any) -> None:
    suite = SmallSuite("blimp/adjunct_island", pairs([1.0]), {"full-sentence": "(*;%good%) < (*;%bad%)"})
    reader = read(write_page(tmp_path, write_run(tmp_path / "a", [suite])))
    reader.open("#/suite/0", ".prediction")
    people = reader.window.locator(".prediction tr.published").all_inner_texts()
    assert people[0].split()[:2] == ["humans", "94.0"]
    assert "Warstadt et al. 2020" in people[0]
    reader.window.click(".prediction details.published summary")
    table = reader.window.locator("table[aria-label='Published accuracies'] tbody")
    assert "47.9" in table.locator("tr", has_text="5-gram").inner_text()
