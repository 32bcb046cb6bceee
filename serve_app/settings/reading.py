"""Reads the settings of a process, from its environment."""

import logging
import os
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from pydantic import ValidationError

from serve_app.domain.suggestions import nearest
from serve_app.domain.user_error import UserError
from serve_app.settings import Settings

log = logging.getLogger(__name__)

# Other programs have variables too: only what differs by a letter or two is most likely meant for this one.
_LEAST_SIMILARITY = 0.88


def read_settings(**overrides: Any) -> Settings:
    """The settings from the environment, with absolute paths; `overrides` have precedence. Logs which variables look
    like a misspelt setting. Raises UserError, which names everything that is wrong with them, and shows no value that
    may be secret."""
    for line in misspelt(os.environ):
        _log_once(line)
    try:
        return Settings(**overrides).resolved()
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        raise UserError("; ".join(_described(problem["loc"], problem["msg"]) for problem in problems)) from None


def misspelt(names: Iterable[str]) -> Iterator[str]:
    """A line for each name of a variable that is most likely a misspelt setting."""
    for name in names:
        if name.isupper() and (meant := _meant_by(name)) is not None:
            yield f"{name} is not a setting, and changes nothing: did you mean {meant}?"


@cache
def _meant_by(name: str) -> str | None:
    """The setting that a variable in capital letters is nearly; None if it is one, or like none."""
    known = {setting.upper() for setting in Settings.model_fields}
    known |= {f"{setting}_FILE" for setting in known}
    return None if name in known else nearest(name, known, _LEAST_SIMILARITY)


@cache
def _log_once(line: str) -> None:
    log.warning("%s", line)


def _described(place: tuple[int | str, ...], message: str) -> str:
    """A problem, with the environment variable that it is about."""
    name = ".".join(str(part) for part in place).upper()
    text = message.removeprefix("Value error, ")
    return f"{name}: {text}" if name else text
