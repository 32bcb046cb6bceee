"""How a client calls the service."""

from dataclasses import dataclass, field

import httpx
from typing_extensions import TypedDict

DEFAULT_URL = "http://127.0.0.1:8000"
# The service holds a call for up to 60 s.
_HELD_SECONDS = 75.0


class CallOptions(TypedDict, total=False):
    """What can differ from call to call."""

    timeout: float | None
    max_retries: int


@dataclass(frozen=True)
class Options:
    """Where the service is, with which key, and how patiently it is called."""

    url: str
    key: str = field(repr=False)
    timeout: float | None = 30.0
    max_retries: int = 4
    backoff: float = 0.5
    """Seconds before the first retry; each further one takes up to twice as long, at most 8 s."""
    is_paced: bool = False
    """Wait for the next minute instead of running into the rate limit."""

    def timeout_of(self, *, is_held: bool) -> httpx.Timeout:
        """A held call is silent until the invoice is finished."""
        if not is_held or self.timeout is None:
            return httpx.Timeout(self.timeout)
        return httpx.Timeout(self.timeout, read=max(self.timeout, _HELD_SECONDS))
