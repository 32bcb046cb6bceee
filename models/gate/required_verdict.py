"""Whether a model has passed the check that its configuration demands. Imported by every replica of a model, so without
what the check itself needs."""

import json

from models.config import ModelConfig, ModelError
from models.gate.digest import digest_of


def check_passed(config: ModelConfig) -> None:
    """Raise ModelError unless the verdict that the configuration names was passed by this very model."""
    if config.gate is None:
        return
    try:
        verdict = json.loads(config.gate.read_text(encoding="utf-8"))
        passed, digest = verdict["passed"] is True, verdict["digest"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ModelError(f"{config.gate} is no verdict of `invoices models check`: {error}") from error
    if not passed:
        raise ModelError(f"the model did not pass its check ({config.gate})")
    if digest != digest_of(config):
        raise ModelError(f"the check in {config.gate} was passed by another model, or with other settings")
