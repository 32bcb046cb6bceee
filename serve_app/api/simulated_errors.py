"""Errors that a file of test mode asks for by its name."""

from copy import copy

from serve_app.api.documented import ERRORS_BY_CODE
from serve_app.services.processing.simulated import magic_name


def raise_if_asked(name: str | None) -> None:
    """Raise the error whose code is in a name such as `error-rate_limited.pdf`."""
    what, code = magic_name(name)
    if what == "error" and code in ERRORS_BY_CODE:
        raise copy(ERRORS_BY_CODE[code])
