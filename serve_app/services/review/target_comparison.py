"""Compares target precisions on an account's own invoices."""

import asyncio

from serve_app.domain.quality import weight_of
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.target_outcomes import Checked, TargetOutcome, outcome_of
from serve_app.domain.target_precision import TargetPrecision
from serve_app.services.review.evidence import fields_of
from serve_app.services.review.quality import Quality
from serve_app.store.base import Files

_AT_A_TIME = 8
"""Files of evidence."""


class TargetComparison:
    """What each target precision would have covered, and let through."""

    def __init__(self, files: Files) -> None:
        self._files = files

    async def compare(self, quality: Quality) -> list[TargetOutcome]:
        """The outcome of each target that some of the account's newest confirmed invoices were read with thresholds
        for. Raises Unavailable."""
        checked: list[Checked] = []
        for start in range(0, len(quality.newest), _AT_A_TIME):
            checked += await asyncio.gather(*map(self._checked, quality.newest[start : start + _AT_A_TIME]))
        outcomes = [outcome_of(target, checked, quality.thresholds) for target in TargetPrecision]
        return [outcome for outcome in outcomes if outcome.invoices]

    async def _checked(self, record: InvoiceRecord) -> Checked:
        evidence = await fields_of(self._files, record)
        return Checked(weight_of(record) or 0.0, frozenset(record.review.corrected), evidence)
