"""Commands on the pages for operators exist with the options that are written there, and tests run them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from serve_app.commands import cli
from tests.docs.pages import ROOT

PAGES = sorted((ROOT / "docs" / "how-to").glob("*.md"))
_CALL = re.compile(r"(?:^ {4}|[|$] |bin/)(?:\S*/)?invoices ([a-z][^#|;&>\n]*(?:\|[a-z]+[^#|;&>\n]*)*)", re.MULTILINE)
COMMANDS: Any = typer.main.get_command(cli.app)
NOT_RUN = {
    "data export": "tests/models/formats write and read each format",
    "mail raw": "writes the bytes that `mail show` describes",
    "models export": "what it writes is tested in tests/models/test_exported_graphs.py",
    "package key": "prints what the tests of packages verify with",
    "package script": "prints a file that the tests of packages run",
}
"""Commands that no test runs as a whole, and why."""


def calls(text: str) -> Iterator[list[str]]:
    """The words of each call, once for each of `a|b` in it."""
    for match in _CALL.finditer(text):
        words = match[1].replace("[", " ").replace("]", " ").split()
        yield from _alternatives(words)


def _alternatives(words: list[str]) -> Iterator[list[str]]:
    number = next((number for number, word in enumerate(words) if re.fullmatch(r"[a-z-]+(\|[a-z-]+)+", word)), None)
    if number is None:
        yield words
        return
    for word in words[number].split("|"):
        yield [*words[:number], word, *words[number + 1 :]]


def resolved(words: list[str]) -> tuple[list[str], Any]:
    """The names of the command, and the command."""
    command, names = COMMANDS, list[str]()
    for word in words:
        if word not in getattr(command, "commands", {}):
            break
        command = command.commands[word]
        names.append(word)
    return names, command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_have_the_options_that_pages_write(page: Path) -> None:
    for words in calls(page.read_text()):
        names, command = resolved(words)
        assert names, words
        known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)} | {"--help"}
        passes_on = command.context_settings.get("ignore_unknown_options", False)
        written = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert passes_on or written <= known, words


def test_each_command_of_the_pages_is_run_by_a_test_or_named() -> None:
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__))
    written = {tuple(resolved(words)[0]) for page in PAGES for words in calls(page.read_text())}
    assert len(written) > 60
    unrun = {
        " ".join(names)
        for names in written
        if ", ".join(f'"{name}"' for name in names) not in tests and f'"{" ".join(names)}"' not in tests
    }
    assert unrun <= NOT_RUN.keys()
