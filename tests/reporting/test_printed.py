"""Every published number that stands beside ours, digit by digit against the texts of the papers."""

import os
import re
from pathlib import Path

import pytest

from gardenpath.reporting.papers import printed
from gardenpath.reporting.papers.marvin_linzen_2018 import CONSTRUCTIONS, construction_of
from gardenpath.statistics.published import CORPUS_WORDS, PERPLEXITIES
from gardenpath.statistics.regression import LOG_WORDS
from gardenpath.suites.published import PublishedAccuracy, published_accuracies

PAPERS = Path(os.environ.get("GARDENPATH_PAPERS", Path(__file__).parents[3] / "shared" / "papers"))
pytestmark = pytest.mark.skipif(not PAPERS.is_dir(), reason="the texts of the papers are not here")


def text_of(number: str) -> str:
    """The text of a paper."""
    (path,) = PAPERS.glob(f"{number}_*.txt")
    return path.read_text(encoding="utf-8")


def numbers_after(text: str, label: str, count: int, *, last: bool = False) -> list[float]:
    """The numbers of the row of a table that begins with a label, the first or the last such row with so many."""
    cells = (line.split("\t")[1:] for line in text.splitlines() if line.startswith(f"{label}\t"))
    found = [[as_number(part) for part in row] for row in cells if len(row) == count and "-" not in row]
    return found[-1 if last else 0]


def as_number(part: str) -> float:
    """A number with its unit: 1.8M."""
    units = {"K": 1e3, "M": 1e6, "B": 1e9}
    return round(float(part.rstrip("KMB")) * units.get(part[-1], 1.0), 6)


def accuracies(collection: str, source: str) -> list[PublishedAccuracy]:
    return [figure for figure in published_accuracies(collection) if figure.source == source]


# --- Marvin & Linzen 2018 -------------------------------------------------------------------------------------------


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def test_table_1_of_marvin_and_linzen() -> None:
    text = text_of("003")
    table = text[text.index("| RNN  |") : text.index("Table 1: Overall")]
    rows = [cells(line) for line in table.splitlines() if re.search(r"\d", line)]
    assert len(rows) == len(CONSTRUCTIONS) == 15
    ours: dict[str, dict[str, float]] = {}
    for figure in accuracies("marvin-linzen", "Marvin & Linzen 2018, Table 1"):
        ours.setdefault(construction_of(" ".join(figure.suites)), {})[figure.model] = figure.accuracy
    models = ("single-task LSTM", "multi-task LSTM", "5-gram", "humans")
    for (construction, (_, label)), row in zip(CONSTRUCTIONS.items(), rows, strict=True):
        assert re.sub(r"</?i>", "", row[0]).replace(" )", ")").lower() == label.lower()
        assert [ours[construction][model] for model in models] == [float(cell) for cell in row[1:5]]
        assert printed.SENTENCES[construction] == int(row[5])


def test_table_2_of_marvin_and_linzen() -> None:
    text = text_of("003")
    table = text[text.index("| Main subject") : text.index("Table 2: Accuracy within")]
    rows = [cells(line) for line in table.splitlines() if re.search(r"0\.\d", line)]
    ours: dict[tuple[str, str], dict[str, float]] = {}
    for figure in accuracies("marvin-linzen", "Marvin & Linzen 2018, Table 2"):
        ours.setdefault((figure.suites[0], figure.key), {})[figure.model] = figure.accuracy
    assert (len(rows), len(ours)) == (8, 8)
    number = {"Singular": "sing", "Plural": "plur"}
    for row in rows:
        main, embedded = (number[re.sub(r"<.*?>", "", cell)] for cell in row[:2])
        across = "<u>" in row[0]  # the subject that the verb agrees with
        key = f"{main}_MS_MV_{embedded}_ES_EV" if across else f"{embedded}_ES_EV_{main}_MS_MV"
        suite = f"marvin-linzen/obj_rel_{'across' if across else 'within'}_anim"
        found = ours[suite, key]
        assert [found[model] for model in ("single-task LSTM", "multi-task LSTM", "humans")] == [
            float(cell) for cell in row[2:5]
        ]


def test_supplement_of_marvin_and_linzen() -> None:
    """The values of A.2 in their order; each label of numbers, tense and animacy is that of the key."""
    text = text_of("003")
    part = text[text.index("### A.2") : text.index("### **A.3")]
    entry = re.compile(
        r"- [ivx]+\. (?P<label>[^\n]*)\n(?P<example>.*?): \((?P<one>[\d.]+), (?P<two>[\d.]+)\)", re.DOTALL
    )
    found = list(entry.finditer(part))
    figures = accuracies("marvin-linzen", "Marvin & Linzen 2018, A.2")
    ours = list(zip(figures[::2], figures[1::2], strict=True))
    assert len(found) == len(ours) == 68
    for match, (one, two) in zip(found, ours, strict=True):
        assert (one.model, two.model, one.key) == ("single-task LSTM", "multi-task LSTM", two.key)
        values = [float(value) for value in (match["one"], match["two"])]
        assert [one.accuracy, two.accuracy] == [value / 100 if value > 1 else value for value in values]
        assert ("printed as 37" in two.note) == (values[1] > 1)
        assert not (one.note and "printed as" in one.note)
        numbers = [word.lower()[:4] for word in re.findall(r"Singular|Plural", match["label"])]
        if not numbers:
            assert one.key == match["label"].split()[0].lower()
            continue
        # The label has the main noun first, the key the noun that the tested verb or pronoun agrees with.
        reversed_order = re.search(r"sent_comp|obj_rel.*within", one.suites[0]) is not None
        assert re.findall(r"sing|plur", one.key) == (numbers[::-1] if reversed_order else numbers)
        if "animate" in match["label"]:
            assert one.suites[0].endswith("inanim") == ("inanimate" in match["label"])


def test_section_6_of_marvin_and_linzen() -> None:
    text = " ".join(text_of("003").split())
    found = re.search(r"was ([\d.]+), much higher .*? RNN \(([\d.]+)\) and the multi-task RNN \(([\d.]+)\)", text)
    assert found is not None
    assert [float(value) for value in found.groups()] == [
        printed.PERPLEXITIES[model] for model in ("5-gram", "single-task LSTM", "multi-task LSTM")
    ]
    assert "*is* and *are*, which had 100% accuracy, to *swims*, where accuracy was only 60%" in text
    assert printed.VERBS == {"is": 1.0, "are": 1.0, "swims": 0.6}
    assert "*himself* and *themselves* on the one hand (100% accuracy in the multi-task RNN)" in text
    assert "*herself* on the other hand (49% accuracy)" in text
    assert printed.PRONOUNS == {"himself": 1.0, "herself": 0.49, "themselves": 1.0}


# --- Warstadt et al. 2020 -------------------------------------------------------------------------------------------

SHORT = {"humans": "Human", "Transformer-XL": "TXL"}


def test_tables_1_and_3_of_blimp() -> None:
    text = text_of("001")
    for model in ("5-gram", "LSTM", "Transformer-XL", "GPT-2", "humans"):
        row = [
            figure
            for figure in accuracies("blimp", "Warstadt et al. 2020, Table 3 as printed")
            if figure.model == model
        ]
        assert [figure.accuracy for figure in row] == [
            pytest.approx(percent / 100) for percent in numbers_after(text, SHORT.get(model, model), 13)
        ]
        # All paradigms, then the phenomena in the order of Table 1.
        assert [len(figure.suites) for figure in row] == [67, *printed.PARADIGMS.values()]
    table = text[text.index("Phenomenon\tN\t") : text.index("Table 1: Minimal pairs")]
    rows = [line.split("\t") for line in table.splitlines()[1:] if line]
    assert [int(row[1]) for row in rows] == list(printed.PARADIGMS.values())
    for row, name in zip(rows, printed.PARADIGMS, strict=True):
        assert row[0][:3].lower() == name[:3].lower()


def test_results_of_blimp_by_paradigm() -> None:
    """The corrected results and those of people, against the table that the facts give of the authors' files."""
    facts = PAPERS.parent / "facts" / "blimp.md"
    if not facts.is_file():
        pytest.skip("the facts on BLiMP are not here")
    ours = {(one.suites[0], one.model): one.accuracy for one in published_accuracies("blimp") if len(one.suites) == 1}
    models = ("5-gram", "LSTM", "Transformer-XL", "GPT-2")
    rows = [row for line in facts.read_text(encoding="utf-8").splitlines() if len(row := cells(line)) == 13]
    for row in (row for row in rows if (f"blimp/{row[0]}", "humans") in ours):
        people = re.fullmatch(r"([\d.]+) \((\d)/5\)", row[7])
        assert people is not None
        expected = {"humans": float(people[1]), "humans (majority of 5 pairs)": int(people[2]) / 5}
        expected |= dict(zip(models, map(float, row[8:12]), strict=True))
        assert {model: ours.pop((f"blimp/{row[0]}", model)) for model in expected} == expected
    assert not ours


def test_table_4_of_blimp() -> None:
    text = text_of("001")
    order = ("people", "GPT-2", "Transformer-XL", "LSTM", "5-gram")
    values = {model: numbers_after(text, {**SHORT, "people": "human"}.get(model, model), 5) for model in order}
    pairs = {(a, b): values[b][order.index(a)] for rank, a in enumerate(order) for b in order[rank + 1 :]}
    assert pairs == printed.CORRELATIONS
    assert all(values[a][order.index(b)] == r for (a, b), r in pairs.items())


def test_slopes_and_perplexities_of_blimp() -> None:
    text = text_of("001")
    sentence = text[text.index("the best-fit line for anaphor") : text.index("This indicates that, even given")]
    slopes = [float(value) for value in re.findall(r"\b0\.0\d+", sentence)]
    assert slopes == list(printed.SLOPES.values())
    order = re.findall(
        r"(?i)anaphor agreement|determiner-noun|subject-verb|irregular|ellipsis|binding|argument structure|filler-gap"
        r"|npis|islands", sentence,
    )  # fmt: skip
    assert [name.lower()[:3] for name in order] == [name[:3].lower() for name in printed.SLOPES]
    found = re.search(r"Average ppl\. on the .*? test set: (.*)", text)
    assert found is not None
    read = {float(size): float(value) for value, size in re.findall(r"([\d.]+) at ([\d.]+)M", found[1])}
    assert {size * 1e6: value for size, value in read.items()} == printed.LSTM_PERPLEXITIES


# --- Hu, Chen & Levy 2020 -------------------------------------------------------------------------------------------


def test_table_2_of_hu_chen_and_levy() -> None:
    text = text_of("002")
    for model, row in printed.MODELS.items():
        assert "\t".join((model, *row)).replace("–", "-") in text.replace("<i>n</i> -gram", "n-gram")


def test_table_3_of_hu_chen_and_levy() -> None:
    text = text_of("002")
    models = ("BERT", "TransXL", "JRNN", "GRNN", "TinyLSTM", "RNNG", "5-gram")
    ours: dict[str, dict[str, float]] = {}
    for figure in accuracies("reflexives", "Hu, Chen & Levy 2020, Table 3"):
        ours.setdefault(figure.suites[0].split("/")[1].split("-")[0], {})[figure.model] = figure.accuracy
    for experiment, own in ours.items():
        label = f"(Exp. {experiment})"
        (line,) = (line for line in text.splitlines() if label in line and "±" not in line and "\\pm" in line)
        parts = dict(zip(models, line.split("\t")[1:], strict=True))
        values = {model: part for model, part in parts.items() if part.strip() != "–"}
        assert {model: float(part.split()[0]) for model, part in values.items()} == own
        widths = {model: float(part.split("\\pm")[1].rstrip("$ ")) for model, part in values.items() if "\\pm" in part}
        assert widths == printed.HALF_WIDTHS[experiment]
    assert ours.keys() == printed.HALF_WIDTHS.keys()


def test_borrowed_rows_of_hu_chen_and_levy() -> None:
    text = text_of("002")
    rows = {"Relative clause (M&L)": "reflexives_across", "Sentential complement (M&L)": "reflexive_sent_comp"}
    for label, suite in rows.items():
        (line,) = (line for line in text.splitlines() if line.startswith(label) and "<sup>" in line)
        borrowed = [float(value) for value in re.findall(r"(\d\.\d+) <sup>", line)]
        ours = {figure.model: figure.accuracy for figure in published_accuracies("marvin-linzen")
                if figure.suites == (f"marvin-linzen/{suite}",) and not figure.key}  # fmt: skip
        assert borrowed == [ours[model] for model in ("BERT", "single-task LSTM", "5-gram")]


# --- Hu et al. 2020 -------------------------------------------------------------------------------------------------


def test_tables_of_hu_et_al() -> None:
    text = text_of("000")
    for name, row in printed.CORPUS_SIZES.items():
        assert numbers_after(text, f"# {name}", 4) == list(row)
    assert list(CORPUS_WORDS.values()) == numbers_after(text, "# tokens", 4)
    for name, shape in printed.MODEL_SIZES.items():
        assert numbers_after(text, name, 3) == list(shape)
    for name, row in printed.PARAMETERS.items():
        assert numbers_after(text, name, 4) == list(row)
    for name, values in PERPLEXITIES.items():
        assert numbers_after(text, {"n-gram": "<i>n</i> -gram"}.get(name, name), 4, last=True) == list(values)


def test_regressions_of_hu_et_al() -> None:
    text = " ".join(text_of("000").split())
    without = printed.AIC_WITHOUT
    main = f"(AIC={without[LOG_WORDS]} when dataset size is ablated; AIC={without['architecture']} when architecture"
    assert main in text
    interactions = f"(AIC={without[f'{LOG_WORDS}:circuit']} and AIC={without['architecture:circuit']} when size and"
    assert f"{interactions} architecture are respectively ablated)" in text
