"""What people's decisions say about candidates."""

import logging

from serve_app.domain.comparison import decided
from serve_app.domain.invoice import ReviewStatus
from serve_app.domain.record import InvoiceRecord
from serve_app.services.tasks.background import Background
from serve_app.store.base import Canaries, Comparisons

log = logging.getLogger(__name__)


class CandidateDecisions:
    """Notes them beside the decision, which they neither delay nor fail: one that is lost is one piece of evidence
    less."""

    def __init__(self, comparisons: Comparisons, canaries: Canaries) -> None:
        self._comparisons = comparisons
        self._canaries = canaries
        self._background = Background()

    def decided(self, record: InvoiceRecord) -> None:
        """A person has decided on the invoice. Returns at once."""
        self._background.start(self._note(record))

    async def idle(self) -> None:
        """Returns when all decisions are recorded."""
        await self._background.idle()

    async def _note(self, record: InvoiceRecord) -> None:
        try:
            await self._record_decision(record)
        except Exception as error:
            log.warning("decision not recorded for candidates: %r", error)

    async def _record_decision(self, record: InvoiceRecord) -> None:
        verdict, ids = record.review.verdict, (record.account_id, record.invoice.id)
        if verdict.status is not ReviewStatus.CONFIRMED or verdict.at is None:
            return
        comparison = await self._comparisons.of_invoice(*ids)
        if comparison is not None and (new := decided(comparison, record)) != comparison:
            await self._comparisons.put([new])
        await self._canaries.note_decision(*ids, verdict.at, corrected=bool(record.review.corrected))
