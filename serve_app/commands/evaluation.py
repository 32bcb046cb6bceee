"""The code that measures models, which is in the repository and not in the installed package."""

import importlib
from typing import Any

from serve_app.commands.errors import CommandError

_NOT_INSTALLED = ("models.evaluation", "models.training")


def import_evaluation(module: str) -> Any:
    """A module that measures models. By its name, because the service must not depend on it. Raises CommandError if
    it is not there."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if not str(error.name).startswith(_NOT_INSTALLED):
            raise
        raise CommandError(
            "this command needs a checkout of the repository (make setup-dev); the installed package does not contain "
            "it"
        ) from error
