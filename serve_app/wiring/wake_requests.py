"""Builds what notifies a loop in another process of new work."""

from collections.abc import Callable

from serve_app.services.ports import Notifier
from serve_app.services.tasks.wake import Wake


def build_wake_request(notifier: Notifier | None) -> Callable[[], None]:
    """A function that requests a wake-up and does not wait for it; it does nothing without a notifier."""
    return Wake(notifier).request if notifier else lambda: None
