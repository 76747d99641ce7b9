"""Models, suites and formats of other packages are used by name; broken ones end in one message with their package."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

import gardenpath as gp
from gardenpath.io.plugins import find_plugins
from gardenpath.models.load import spec_forms
from gardenpath.suites.overview import list_suites

EXAMPLE = Path(__file__).parents[1] / "examples" / "gardenpath-lab"
CORPUS = "it is the violinist who sleeps\nit is the violinists who sleep\n"
STARRED = "The keys are lost.\n*The keys is lost.\n\nThe dogs sleep.\n* The dogs sleeps.\n"


class Packages:
    """Packages that are written by hand as `pip` installs them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, name: str, entry_points: str, code: str = "") -> None:
        """Install a package of one module."""
        metadata = self.folder / f"{name}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nSummary: Of {name}.\n")
        (metadata / "entry_points.txt").write_text(dedent(entry_points))
        (self.folder / f"{name}.py").write_text(dedent(code))


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Packages]:
    """A folder of packages that are found for the length of a test."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    yield Packages(folder)
    for name in set(sys.modules) - before:
        if (folder / f"{name}.py").exists():
            del sys.modules[name]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which the example package is installed, and nothing else."""
    target = tmp_path_factory.mktemp("lab")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*command, "--no-compile", "--target", str(target), str(EXAMPLE)], check=True)
    return target


def run_with(lab: Path, cwd: Path, *command: str) -> str:
    """Run Python with the example package installed; what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(lab), "COLUMNS": "80"}
    done = subprocess.run([sys.executable, *command], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_package_is_used_like_what_is_built_in(lab: Path, tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text(CORPUS)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "keys.starred").write_text(STARRED)
    code = """
        import json, sys
        import gardenpath as gp
        assert "gardenpath_lab" not in sys.modules
        model = gp.load_model("lab:corpus.txt")
        gp.check_model(model, vocabulary_size=10)
        run = gp.run(models=["lab:corpus.txt"], suites=["lab", "mine"], store="store.sqlite")
        table = run.accuracy(by="suite")
        print(json.dumps({
            "package": model.card.decisions["package"],
            "accuracy": dict(zip(table["suite"], table["accuracy"])),
            "source": gp.load_suite("lab/clefts").source,
        }))
    """
    found = json.loads(run_with(lab, tmp_path, "-c", dedent(code)))
    assert found["package"] == "gardenpath-lab 0.1.0"
    assert found["source"] == "package gardenpath-lab 0.1.0"
    assert set(found["accuracy"]) == {"lab/clefts", "lab/reflexives", "keys"}
    assert found["accuracy"]["lab/reflexives"] == 0.5  # the model knows neither pronoun: all are ties


def test_the_lists_name_the_example_package_without_importing_it(lab: Path, tmp_path: Path) -> None:
    code = """
        import sys
        from gardenpath.commands.app import app
        for words in (["models", "list"], ["suites", "list"], ["suites", "list", "--json"]):
            app(words, standalone_mode=False)
        assert "gardenpath_lab" not in sys.modules
        app(["suites", "list", "lab"], standalone_mode=False)
    """
    printed = run_with(lab, tmp_path, "-c", dedent(code))
    assert "lab:NAME" in printed
    assert "package gardenpath-lab 0.1.0: A lab's own model" in printed
    assert '"package": "gardenpath-lab 0.1.0"' in printed
    assert [line.split("\t")[0] for line in printed.splitlines()[-2:]] == ["lab/clefts", "lab/reflexives"]


def test_a_package_that_cannot_be_imported_is_named(packages: Packages) -> None:
    packages.add("broken", "[gardenpath.models]\nbroken = broken:load\n", "import missing_module\n")
    assert "broken:NAME" in spec_forms()
    with pytest.raises(gp.InputError, match=r"package broken 1\.0: its model 'broken' cannot be imported") as error:
        gp.load_model("broken:x")
    assert "ModuleNotFoundError: No module named 'missing_module'; packages/broken.py, line 1" in str(error.value)


def test_a_function_that_fails_is_named_with_the_line(packages: Packages) -> None:
    code = """
        def load(name):
            return {}[name]
    """
    packages.add("broken", "[gardenpath.models]\nbroken = broken:load\n", code)
    with pytest.raises(gp.InputError, match=r"failed \(KeyError: 'x'; packages/broken\.py, line 3\)"):
        gp.load_model("broken:x")


def test_what_is_no_model_is_refused(packages: Packages) -> None:
    packages.add(
        "broken", "[gardenpath.models]\nbroken = broken:load\nnumber = broken:NUMBER\n", "load = len\nNUMBER = 3"
    )
    with pytest.raises(gp.InputError, match=r"package broken 1\.0: .* returned a int for 'abc', which is not a model"):
        gp.load_model("broken:abc")
    with pytest.raises(gp.InputError, match=r"its model 'number' is int broken:NUMBER, not a function"):
        gp.load_model("number:abc")


def test_a_first_symbol_is_passed_where_the_function_takes_it(packages: Packages) -> None:
    code = """
        from small_bigram import Bigram
        def plain(name):
            return Bigram(name)
        def choosy(name, *, bos="default", dtype="float32"):
            return Bigram(f"{name} {bos} {dtype}")
    """
    packages.add("own", "[gardenpath.models]\nplain = own:plain\nchoosy = own:choosy\n", code)
    assert gp.load_model("choosy:a", bos="<x>", dtype="bfloat16").card.name == "a <x> bfloat16"
    assert gp.load_model("plain:a").card.name == "a"
    with pytest.raises(gp.InputError, match=r"model 'plain:a': a first symbol \(here '<x>'\) cannot be chosen"):
        gp.load_model("plain:a", bos="<x>")


def test_an_input_error_of_a_package_is_its_own_message(packages: Packages) -> None:
    code = """
        import gardenpath as gp
        def load(name):
            raise gp.InputError("name a city")
    """
    packages.add("own", "[gardenpath.models]\nown = own:load\n", code)
    with pytest.raises(gp.InputError, match=r"^name a city$"):
        gp.load_model("own:x")


def test_own_names_come_first(packages: Packages) -> None:
    points = """
        [gardenpath.models]
        ngram = broken:f
        [gardenpath.suites]
        blimp = broken:f
        [gardenpath.formats]
        csv = broken:f
    """
    packages.add("broken", points, "raise RuntimeError\n")
    assert [plugin.name for plugin in find_plugins("formats")] == ["csv"]
    with pytest.raises(gp.InputError, match=r"no\.arpa"):
        gp.load_model("ngram:no.arpa")
    assert gp.load_suite("blimp/passive_1", sample=2).name == "blimp/passive_1"


def test_two_packages_with_one_name_are_refused(packages: Packages) -> None:
    for name in ("one", "two"):
        packages.add(name, f"[gardenpath.suites]\nitems = {name}:f\n")
    with pytest.raises(gp.InputError, match=r"one 1\.0 and two 1\.0 both have a suite collection 'items'"):
        gp.load_suites("items")


SUITES = """
    import gardenpath as gp
    def generate():
        for name in ("a", "b"):
            yield gp.Suite.from_pairs([("Keys are here.", "Keys is here.")], name=name)
    def fail():
        yield 1 / 0
    def numbers():
        return [1]
    NOWHERE = "/no/such/folder"
"""


def test_a_function_may_give_suites(packages: Packages) -> None:
    packages.add("own", "[gardenpath.suites]\nown = own:generate\n", SUITES)
    assert [suite.name for suite in gp.load_suites("own")] == ["own/a", "own/b"]
    assert gp.load_suite("own/b").source == "package own 1.0"
    assert [row["suite"] for row in list_suites("own")] == ["own/a", "own/b"]
    with pytest.raises(gp.InputError, match=r"'own' is 2 suites, not one"):
        gp.load_suite("own")
    with pytest.raises(gp.InputError, match=r"unknown suite 'own/c' in the collection of the package own 1\.0"):
        gp.load_suites("own/c")
    with pytest.raises(gp.InputError, match=r"unknown suite 'owm': .* did you mean 'own'"):
        gp.load_suites("owm")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fail", r"failed \(ZeroDivisionError: division by zero; packages/own\.py, line 7\)"),
        ("numbers", "gave a int, where a folder or suites are needed"),
        ("NOWHERE", "names the folder '/no/such/folder', which does not exist"),
        ("missing", "cannot be imported .*AttributeError"),
    ],
)
def test_a_broken_collection_is_named(packages: Packages, name: str, message: str) -> None:
    packages.add("own", f"[gardenpath.suites]\nown = own:{name}\n", SUITES)
    with pytest.raises(gp.InputError, match=rf"package own 1\.0: its suite collection 'own' {message}"):
        gp.load_suites("own")


def test_a_format_reads_what_is_in_none_of_ours(packages: Packages, tmp_path: Path) -> None:
    code = """
        import gardenpath as gp
        def read(path):
            text = path.read_bytes()
            if not text.startswith(b"lab"):
                return None
            return [gp.Suite.from_pairs([("Keys are here.", "Keys is here.")], name=path.stem)]
        def empty(path):
            return []
    """
    packages.add("own", "[gardenpath.formats]\ntxt = own:read\n.LAB = own:read\nnothing = own:empty\n", code)
    folder = tmp_path / "files"
    folder.mkdir()
    for name, content in {"a.txt": b"lab", "b.lab": b"lab\xff", "c.txt": b"other", "d.nothing": b""}.items():
        (folder / name).write_bytes(content)
    assert gp.read_suite(folder / "a.txt").name == "a"
    assert gp.read_suite(folder / "b.lab").name == "b"  # bytes that are no text
    with pytest.raises(gp.InputError, match="this one is neither"):
        gp.read_suite(folder / "c.txt")
    with pytest.raises(gp.InputError, match=r"package own 1\.0: its format 'nothing' returned nothing for"):
        gp.read_suite(folder / "d.nothing")
    (folder / "d.nothing").unlink()
    with pytest.warns(UserWarning, match=r"1 files hold no suite and were skipped: 'c\.txt'"):
        assert {suite.name for suite in gp.load_suites(folder)} == {"a", "b"}


def test_the_page_shows_the_example_package_as_it_is() -> None:
    page = (EXAMPLE.parents[1] / "docs" / "extending.md").read_text(encoding="utf-8")
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(EXAMPLE.rglob("*.py")))
    shown = re.findall(r"```(python|toml)\n(.*?)```", page, re.DOTALL)
    assert [kind for kind, _ in shown] == ["toml", "python", "python", "python"]
    for kind, block in shown:
        assert block in (source if kind == "python" else (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))
