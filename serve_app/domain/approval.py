"""Requests for approval."""

from dataclasses import dataclass
from datetime import datetime

from serve_app.domain.invoice import Invoice


@dataclass(frozen=True, slots=True)
class ApprovalTimes:
    """When approval was last requested, and when that request was answered; None if it was not, or if unknown."""

    asked_at: datetime | None = None
    answered_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Approval:
    """An invoice of which approval was asked for, and when."""

    invoice: Invoice
    times: ApprovalTimes
