"""Reads the settings of a process, from its environment."""

from typing import Any

from pydantic import ValidationError

from serve_app.domain.user_error import UserError
from serve_app.settings import Settings


def read_settings(**overrides: Any) -> Settings:
    """The settings from the environment, with absolute paths; `overrides` have precedence. Raises UserError, which
    names everything that is wrong with them, and shows no value that may be secret."""
    try:
        return Settings(**overrides).resolved()
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        raise UserError("; ".join(_described(problem["loc"], problem["msg"]) for problem in problems)) from None


def _described(place: tuple[int | str, ...], message: str) -> str:
    """A problem, with the environment variable that it is about."""
    name = ".".join(str(part) for part in place).upper()
    text = message.removeprefix("Value error, ")
    return f"{name}: {text}" if name else text
