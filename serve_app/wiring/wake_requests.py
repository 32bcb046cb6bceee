"""Builds what notifies a loop in another process of new work."""

from collections.abc import Callable

from serve_app.services.ports import Waker
from serve_app.services.tasks.wake import Wake


def build_wake_request(waker: Waker | None) -> Callable[[], None]:
    """A function that requests a wake-up and does not wait for it; it does nothing without a waker."""
    return Wake(waker).request if waker else lambda: None
