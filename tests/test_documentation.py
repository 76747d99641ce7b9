"""What README and documentation show is true: commands and Python blocks are run, and print what is shown.

`documentation/pages.py` says how a page marks what cannot be run here. What a page does not show is compared with
`tests/data/documentation`; after an intended change, `pytest tests/test_documentation.py --record` writes it again.
"""

import re
import sys
import warnings
from importlib import import_module
from pathlib import Path

import pytest

import gardenpath as gp
from documentation.command_line import (
    INLINE,
    all_options,
    complete_command_error,
    named_command_error,
    script_error,
    unknown_extras,
)  # fmt: skip
from documentation.folders import prepare
from documentation.pages import ROOT, SHELLS, Block, blocks, commands, page_names, page_text
from documentation.printed import Printed
from documentation.session import Session, shell_words, split_at
from gardenpath.errors import InputWarning

PAGES = page_names()
OF_OTHERS = {
    "--batch_size", "--emsize", "--enable-prefill-logprobs", "--log_samples", "--logits_all", "--no-boundaries",
    "--no-deps", "--output_path", "--repeats", "--tasks", "--updates",
}  # fmt: skip
"""Options that pages mention and that belong to other programs, or to our benchmarks."""
GROUPS = {"gardenpath.models", "gardenpath.suites", "gardenpath.formats"}
NAME = re.compile(r"\bgp((?:\.\w+)+)")
MODULE = re.compile(r"`(gardenpath(?:\.\w+)+)(?:\(.*)?`")
LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")
TEXT_OF_BLOCKS = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)


def pages_with_code(*, slow: bool) -> list[str]:
    """The pages that have something to run, or those with something slow."""
    found = {name: [block for block in blocks(page_text(name)) if is_run(block)] for name in PAGES}
    return [name for name, run in found.items() if any(block.slow == slow for block in run)]


def is_run(block: Block) -> bool:
    known = block.language in (*SHELLS, "python") or "printed by" in block.marks
    return known and block.reason is None and "from" not in block.marks


@pytest.mark.parametrize("page", pages_with_code(slow=False))
def test_a_page_prints_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    run_page(page, tmp_path, request, slow=False)


@pytest.mark.slow
@pytest.mark.parametrize("page", pages_with_code(slow=True))
def test_all_of_a_page_prints_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    run_page(page, tmp_path, request, slow=True)


def run_page(page: str, folder: Path, request: pytest.FixtureRequest, *, slow: bool) -> None:
    """Run the blocks of a page one after another in one folder."""
    session = Session(folder)
    printed = Printed(page, record=request.config.getoption("--record"))
    for block in blocks(page_text(page)):
        if block.title:
            session.write_file(block)
        elif is_run(block) and (slow or not block.slow):
            prepare(block.marks.get("with", ""), folder)
            run = run_python if block.language == "python" else run_commands
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InputWarning)
                run(session, block, printed, f"{page}, line {block.line}")
    printed.finish(complete=slow or page not in pages_with_code(slow=True))


def run_python(session: Session, block: Block, printed: Printed, where: str) -> None:
    statements = list(session.run_python(block))
    if block.output is not None:
        printed.check_shown(block.output, "".join(one.printed for one in statements), where)
        return
    for statement in statements:
        if statement.shown is not None:
            printed.check_shown(statement.shown, statement.printed, f"{where}: {statement.source}")
        elif statement.printed:
            printed.check_kept(statement.source, statement.kept, where)


def run_commands(session: Session, block: Block, printed: Printed, where: str) -> None:
    if "printed by" in block.marks:
        printed.check_shown(block.code, session.run_command(block.marks["printed by"]).stdout, where)
        return
    for command in commands(block):
        done = session.run_command(command.text)
        expected = 2 if "error:" in (command.output or "") else 0
        assert done.code == expected, f"{where}: {command.text}\n{done.shown}"
        if command.output is not None:
            printed.check_shown(command.output, done.shown, f"{where}: {command.text}")
        else:
            printed.check_kept(f"$ {command.text.partition('  #')[0].strip()}", done.shown, where)


@pytest.mark.parametrize("page", PAGES)
def test_commands_of_a_page_exist(page: str) -> None:
    errors = [error for block in blocks(page_text(page)) for error in command_errors(block)]
    assert not errors, "\n".join(errors)


def command_errors(block: Block) -> list[str]:
    """What is wrong with the commands of a block, whether they are run or not."""
    errors = []
    if block.language in SHELLS:
        for command in commands(block):
            for part in program_calls(command.text):
                error = None
                if part[0] == "gardenpath":
                    error = complete_command_error(part[1:])
                elif part[0] == "python" and part[1].startswith("benchmarks/"):
                    error = script_error(part[1:])
                errors += [f"line {block.line}: {command.text}: {error}"] * (error is not None)
    elif block.language in ("", "text"):
        named = [line for line in block.code.splitlines() if line.startswith("gardenpath ")]
        errors += [f"line {block.line}: {error}" for error in map(named_command_error, named) if error]
    return errors


def program_calls(text: str) -> list[list[str]]:
    """The calls of programs in a line of a shell, without values of the environment and files to write."""
    words = ["|" if word in (";", "&&") else word for word in shell_words(text)]
    calls = []
    for part in split_at(words, "|"):
        while part and re.fullmatch(r"\w+=.*", part[0]):
            part = part[1:]
        part = part[: part.index(">")] if ">" in part else part
        calls += [part] * bool(part)
    return calls


@pytest.mark.parametrize("page", PAGES)
def test_what_the_text_names_exists(page: str) -> None:
    text = TEXT_OF_BLOCKS.sub("", page_text(page))
    errors = []
    for code in INLINE.findall(text):
        option = re.match(r"--[\w-]+", code)
        if code.startswith("gardenpath "):
            errors += [f"{code}: {error}" for error in [named_command_error(code)] if error]
        elif option and option[0] not in all_options() | OF_OTHERS:
            errors.append(f"no option {option[0]}")
        elif code.startswith("python benchmarks/"):
            errors += [f"{code}: {error}" for error in [script_error(code.split()[1:])] if error]
    assert not errors
    assert not unknown_extras(page_text(page))


@pytest.mark.parametrize("page", PAGES)
def test_python_names_exist(page: str) -> None:
    text = page_text(page)
    for chain in set(NAME.findall(text)):
        value = gp
        for name in chain.split(".")[1:]:
            assert hasattr(value, name) or name in getattr(value, "__annotations__", {}), f"gp{chain}"
            value = getattr(value, name, None)  # type: ignore[assignment]
    for path in set(MODULE.findall(text)):
        assert is_importable(path), path


def is_importable(path: str) -> bool:
    """Whether a dotted path is a module, something in one, or a group of entry points."""
    module, _, name = path.rpartition(".")
    try:
        return path in GROUPS or hasattr(import_module(module), name) or bool(import_module(path))
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("page", PAGES)
def test_parts_of_files_are_parts_of_them(page: str) -> None:
    for block in blocks(page_text(page)):
        if "from" in block.marks:
            assert block.code.strip() in (ROOT / block.marks["from"]).read_text(encoding="utf-8"), block.line


@pytest.mark.parametrize("page", PAGES)
def test_what_is_not_run_has_a_reason(page: str) -> None:
    for block in blocks(page_text(page)):
        assert block.reason is None or len(block.reason) > 5, f"line {block.line}: say why it is not run"
        assert block.language != "pycon", f"line {block.line}: write `python`"


def test_all_public_names_are_listed() -> None:
    listed = page_text("docs/python.md").split("## All names")[1]
    assert sorted(re.findall(r"`(\w+)`", listed)) == gp.__all__
    reference = "".join(page_text(page) for page in PAGES if page.startswith("docs/api/"))
    assert sorted(re.findall(r"^::: gardenpath\.(\w+)$", reference, re.MULTILINE)) == gp.__all__
    assert not set(gp.__all__) - set(re.findall(r"\w+", gp.__doc__ or ""))


def test_all_pages_are_in_the_navigation() -> None:
    named = re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    papers = {f"docs/papers/{name}" for name in LINK.findall(page_text("docs/papers/README.md"))}
    pages = {page for page in PAGES if page.startswith("docs/")}
    assert pages - {f"docs/{name}" for name in named} <= papers
    linked = set(LINK.findall(page_text("README.md")))
    assert {page for page in pages if not page.startswith(("docs/api/", "docs/papers/"))} <= linked


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in LINK.findall(TEXT_OF_BLOCKS.sub("", page_text(page))):
        path, _, heading = target.partition("#")
        linked = (ROOT / page).parent / path if path else ROOT / page
        assert linked.exists(), target
        assert not heading or heading in headings(linked.read_text(encoding="utf-8")), target


def headings(text: str) -> set[str]:
    """The names of the headings of a page, as links use them."""
    found = re.findall(r"^#+ (.*)$", TEXT_OF_BLOCKS.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}
