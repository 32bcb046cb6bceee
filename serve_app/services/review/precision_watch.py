"""Looks after each decision whether `high` is still worth what was promised."""

import asyncio
import logging
from uuid import UUID

from serve_app.services.review.quality import QualityService
from serve_app.services.tasks.background import Background

PAUSE = 60.0
"""Seconds between two looks at an account."""

log = logging.getLogger(__name__)


class PrecisionWatch:
    """At most one look at an account at a time, a while after a decision: people decide on many invoices in a row. A
    look that is lost with its process is made up for by the next decision."""

    def __init__(self, quality: QualityService, pause: float = PAUSE) -> None:
        self._quality = quality
        self._pause = pause
        self._waiting: set[UUID] = set()
        self._background = Background()

    def decided(self, account_id: UUID) -> None:
        """Somebody has decided on an invoice of the account."""
        if account_id not in self._waiting:
            self._waiting.add(account_id)
            self._background.start(self._look(account_id))

    async def idle(self) -> None:
        """Returns when nothing is left to look at."""
        await self._background.idle()

    async def _look(self, account_id: UUID) -> None:
        await asyncio.sleep(self._pause)
        self._waiting.discard(account_id)
        try:
            await self._quality.raise_thresholds(account_id)
        except Exception as error:
            log.error("quality not processed: %r", error, extra={"account_id": str(account_id)}, exc_info=error)
