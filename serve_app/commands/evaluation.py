"""The code that measures models, which is in the repository and not in the installed package."""

import importlib
from importlib.util import find_spec
from typing import Any

from serve_app.commands.errors import CommandError


def import_evaluation(module: str) -> Any:
    """A module that measures models. By its name, because the service must not depend on it. Raises CommandError if
    it is not there."""
    require_checkout()
    return importlib.import_module(module)


def require_checkout() -> None:
    """Raise CommandError if the code that measures models is not there. Nothing is imported, so that a command can say
    it before all else."""
    if find_spec("models.evaluation") is None:
        raise CommandError(
            "this command needs a checkout of the repository (make setup-dev); the installed package does not contain "
            "it"
        )
