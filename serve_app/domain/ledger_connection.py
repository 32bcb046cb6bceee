"""What the service needs to book bills in another program by its API."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Ledger(StrEnum):
    """Programs whose API takes bills. Each has the name of the export format with its settings."""

    ODOO = "odoo"
    XERO = "xero"
    QUICKBOOKS = "quickbooks"

    @property
    def place(self) -> str:
        """Where an export is delivered to if it is booked there."""
        return f"{self}:"


@dataclass(frozen=True, slots=True)
class LedgerConnection:
    """`settings` name the company there, such as the URL; `sealed` is the encrypted JSON of its secrets."""

    account_id: UUID
    ledger: Ledger
    settings: Mapping[str, str]
    sealed: str
    changed_at: datetime


def ledger_of(place: str) -> Ledger | None:
    """The program whose API a place is; None for other places."""
    return next((ledger for ledger in Ledger if ledger.place == place), None)
