"""What commands write: results to stdout, everything else to stderr."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

import typer

_reserved: list[TextIO] = []


@contextlib.contextmanager
def reserved_stdout() -> Iterator[None]:
    """Reserve stdout for commands: output that libraries print from their own threads is dropped.

    Ray prints notices about its workers there; its logs also contain them.
    """
    with open(os.devnull, "w") as nowhere:
        _reserved.append(sys.stdout)
        try:
            with contextlib.redirect_stdout(nowhere):
                yield
        finally:
            _reserved.pop()


def say(line: str = "") -> None:
    """Print a line for a person at once."""
    typer.echo(line, file=_reserved[-1] if _reserved else sys.stdout)


def complain(line: str) -> None:
    """Print a line about a problem."""
    typer.echo(line, err=True)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns."""
    if not rows:
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        say("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def print_json(value: Any, pretty: bool) -> None:
    """Print a value as JSON: on one line, or indented."""
    say(json.dumps(value, ensure_ascii=False, indent=2 if pretty else None))
