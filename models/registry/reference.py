"""What a configuration calls a version: `registry://NAME@HASH`."""

import re
from dataclasses import dataclass

from models.config import ModelError

PREFIX = "registry://"
HUB_ID = re.compile(r"^[\w.-]+/[\w.-]+$")
"""What a repository on the Hugging Face Hub is called."""
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
# Fewer digits of a hash are too likely to mean another version one day.
_HASH = re.compile(r"[0-9a-f]{12,64}")


@dataclass(frozen=True, slots=True)
class Reference:
    """A version of a model, by its name and its hash or the first digits of it."""

    name: str
    hash: str


def parse(text: str) -> Reference:
    """The version that `NAME@HASH` means, with or without `registry://`. Raises ModelError if it has another form."""
    name, _, digits = text.removeprefix(PREFIX).partition("@")
    check_name(name)
    if not _HASH.fullmatch(digits):
        raise ModelError(f"{text} is not a version; use NAME@HASH with at least the first 12 digits of the hash")
    return Reference(name, digits)


def check_name(name: str) -> None:
    """Raises ModelError unless a model can have this name."""
    if not _NAME.fullmatch(name):
        raise ModelError(f"{name!r} is not a model name: use up to 64 of a-z, 0-9, '.', '_' and '-'")
