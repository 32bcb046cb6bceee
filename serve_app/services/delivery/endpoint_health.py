"""How an endpoint does while it is served."""

from collections.abc import Callable
from datetime import datetime

from serve_app.domain.webhook import Attempt, Health, WebhookEndpoint

SLOW_SECONDS = 1.0
"""An endpoint that takes longer to answer counts as slow."""


class EndpointHealth:
    """Follows the attempts of one worker; `monotonic` gives seconds."""

    def __init__(self, endpoint: WebhookEndpoint, monotonic: Callable[[], float]) -> None:
        self._was_slow = endpoint.is_slow
        self._failing_since = endpoint.failing_since
        self._monotonic = monotonic
        self._under_way: dict[object, float] = {}

    def began(self, key: object) -> None:
        """An attempt began; `key` tells it from the others that are under way."""
        self._under_way[key] = self._monotonic()

    def ended(self, key: object, attempt: Attempt, *, succeeded: bool) -> None:
        """The attempt came to its end."""
        del self._under_way[key]
        self._was_slow = attempt.seconds > SLOW_SECONDS
        if succeeded:
            self._failing_since = None
        elif self._failing_since is None:
            self._failing_since = attempt.at

    @property
    def is_slow(self) -> bool:
        """By its last attempt, or by one that is under way."""
        now = self._monotonic()
        return self._was_slow or any(now - began > SLOW_SECONDS for began in self._under_way.values())

    @property
    def failing_since(self) -> datetime | None:
        """The first failure since the last success."""
        return self._failing_since

    @property
    def now(self) -> Health:
        """What is to be remembered of it."""
        return Health(self.is_slow, self._failing_since)
