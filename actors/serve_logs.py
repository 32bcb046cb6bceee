"""The logs of Serve's own processes, its controller and proxies: where those of the service are, and in their form.

The controller calls `start_controller_logs` if RAY_SERVE_CONTROLLER_CALLBACK_IMPORT_PATH names it.
"""

from ray.serve._private import logging_utils

from serve_app.settings.edge import EdgeSettings
from serve_app.telemetry.logs import JsonFormatter, set_levels
from serve_app.telemetry.service_log import log_in_worker


class SameForm(JsonFormatter):
    """In place of Serve's formatter of text."""

    levels = "info"

    def __init__(self, component_name: str, component_id: str) -> None:
        super().__init__()
        # Serve has just set the level of its logger to the one of its configuration.
        set_levels(self.levels)

    def set_additional_log_standard_attrs(self, names: list[str]) -> None:
        """What Serve's configuration adds. These lines have no attributes by choice."""


def start_controller_logs() -> None:
    """Call it in Serve's controller."""
    log_in_serve(EdgeSettings())


def log_in_serve(settings: EdgeSettings) -> None:
    """Log to the stream of the service, from one of Serve's own processes."""
    # Serve makes its handlers anew whenever its configuration arrives.
    SameForm.levels = settings.log_level
    logging_utils.ServeFormatter = SameForm  # type: ignore[assignment,misc]
    log_in_worker(settings.log_level)
