"""What an account's own people have taught about levels of confidence, applied to what was read."""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from serve_app.domain.batch import Section
from serve_app.domain.errors import ServiceError
from serve_app.domain.evidence import Evidence, unpack
from serve_app.domain.invoice import VERIFIED_BY, Confidence, Extraction, Field
from serve_app.domain.quality import Threshold
from serve_app.domain.target_precision import TargetPrecision
from serve_app.store.base import Accounts, Thresholds
from serve_app.system.thread_pools import COMPUTING

log = logging.getLogger(__name__)


class ConfidencePolicy:
    """Knows the account's target precision, lowers levels to what its thresholds allow, and draws the audit sample.
    `audit_share` is the share of automatically verified invoices that people are to look at all the same; `usual` is
    the target precision of accounts that chose none."""

    def __init__(self, accounts: Accounts, thresholds: Thresholds, audit_share: float, usual: TargetPrecision) -> None:
        self._accounts = accounts
        self._thresholds = thresholds
        self._audit_share = audit_share
        self._usual = usual

    async def target(self, account_id: UUID) -> TargetPrecision:
        """The target precision for the account's next document. Raises ServiceError."""
        account = await self._accounts.get(account_id)
        return self._usual if account is None else account.target_or(self._usual)

    async def apply(self, account_id: UUID, sections: Sequence[Section]) -> list[Section]:
        """The invoices with the levels that the account's thresholds allow. While these are out of reach, the
        calibration decides alone."""
        try:
            thresholds = await self._thresholds.of_account(account_id)
        except ServiceError as error:
            log.warning("thresholds not applied: %r", error)
            return list(sections)
        if not thresholds:
            return list(sections)
        return [await COMPUTING.run(_lowered, section, thresholds) for section in sections]

    def draw(self, invoice_id: UUID, attempt: int, extraction: Extraction) -> float | None:
        """The share of the sample if the invoice is drawn for it, which is the same whenever it is asked; else None."""
        if not extraction.auto_verified:
            return None
        digest = hashlib.sha256(f"{invoice_id}/{attempt}".encode()).digest()
        return self._audit_share if int.from_bytes(digest[:8], "big") < self._audit_share * 2**64 else None


def _lowered(section: Section, thresholds: Mapping[Field, Threshold]) -> Section:
    levels = section.extraction.field_confidence or {}
    concerned = [field for field in thresholds if levels.get(field) is Confidence.HIGH]
    evidence = unpack(section.evidence) if concerned and section.evidence is not None else None
    if evidence is None:
        return section
    lowered = {field: Confidence.MID for field in concerned if _chance(evidence, field) < thresholds[field].chance}
    levels = {**levels, **lowered}
    is_verified = all(levels.get(field) is Confidence.HIGH for field in VERIFIED_BY)
    update = {"field_confidence": levels, "auto_verified": is_verified}
    return replace(section, extraction=section.extraction.model_copy(update=update))


def _chance(evidence: Evidence, field: Field) -> float:
    seen = evidence.fields.get(field)
    return 0.0 if seen is None or seen.chance is None else seen.chance
