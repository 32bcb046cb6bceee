"""What commands write: results to stdout, everything else to stderr."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO

import typer

_reserved: list[TextIO] = []


@contextlib.contextmanager
def reserved_stdout() -> Iterator[None]:
    """Only commands write to stdout meanwhile: what libraries print from their own threads is dropped.

    Ray prints notices of its workers there; they stand in its logs, too.
    """
    with open(os.devnull, "w") as nowhere:
        _reserved.append(sys.stdout)
        try:
            with contextlib.redirect_stdout(nowhere):
                yield
        finally:
            _reserved.pop()


def say(line: str = "") -> None:
    """A line for a person, shown at once."""
    typer.echo(line, file=_reserved[-1] if _reserved else sys.stdout)


def complain(line: str) -> None:
    """A line about something that went wrong."""
    typer.echo(line, err=True)


def print_json(value: Any, pretty: bool) -> None:
    """A value as JSON: on one line, or indented."""
    say(json.dumps(value, ensure_ascii=False, indent=2 if pretty else None))
