"""Requests for approval."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ApprovalTimes:
    """When approval was asked for last, and when that request was answered; None if it was not, or is not known."""

    asked_at: datetime | None = None
    answered_at: datetime | None = None
