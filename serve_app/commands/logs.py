"""`invoices logs`: what the logs have about one document, from the stream that the platform collected."""

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Any

import typer

from serve_app.commands.errors import CommandError
from serve_app.commands.terminal import say

Line = dict[str, Any]
# What connects further lines with those that have the id: the call that sent the document, and its trace.
_LINKS = ("request_id", "trace_id")

Id = Annotated[str, typer.Argument(metavar="ID", help="Of an invoice, a request or a trace.")]
Files = Annotated[
    list[typer.FileText] | None, typer.Argument(metavar="[FILE]...", help="Logs; without any, standard input is read.")
]


def logs(identifier: Id, files: Files = None) -> None:
    """Print the lines of logs about a document, in order of time.

    For example: journalctl -u invoices-serve -o cat | invoices logs ID
    """
    if not files and sys.stdin.isatty():
        raise CommandError("pipe the logs into this command: journalctl -u invoices-serve -o cat | invoices logs ID")
    texts: Iterable[str] = chain.from_iterable(files) if files else sys.stdin
    found = about(identifier, [*parse_lines(texts)])
    for line in found:
        say(json.dumps(line, ensure_ascii=False))
    if not found:
        raise CommandError(f"no line has the id {identifier}; the logs may begin later, or be those of another machine")


def parse_lines(texts: Iterable[str]) -> Iterator[Line]:
    """The JSON objects among lines. What a platform writes before an object, such as its own time, is left out."""
    for text in texts:
        try:
            line = json.loads(text[text.index("{") :])
        except ValueError:
            continue
        yield line


def about(identifier: str, lines: list[Line]) -> list[Line]:
    """The lines with the id, and those of the calls and traces that these lines name, in order of time."""
    first = [line for line in lines if identifier in line.values()]
    linked = {line[name] for line in first for name in _LINKS if line.get(name)} | {identifier}
    found = [line for line in lines if linked & {value for value in line.values() if isinstance(value, str)}]
    return sorted(found, key=lambda line: str(line.get("time", "")))
