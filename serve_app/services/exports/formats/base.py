"""What a format is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from serve_app.services.exports.bill import Bill
from serve_app.services.exports.settings import LedgerSettings
from serve_app.services.exports.text import Notes

S = TypeVar("S", bound=LedgerSettings, contravariant=True)
T = TypeVar("T", bound=LedgerSettings)


class Check(Protocol[S]):
    """Why a bill cannot be in a file of the format, as the end of a sentence; None if it can."""

    def __call__(self, bill: Bill, settings: S, /) -> str | None: ...


class Write(Protocol[S]):
    """The file of these bills, of which there is at least one."""

    def __call__(self, bills: Sequence[Bill], settings: S, made_at: datetime, notes: Notes, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Format(Generic[T]):
    """`title` is its name for people, `stem` and `ending` those of its files."""

    title: str
    stem: str
    ending: str
    media_type: str
    settings: type[T]
    check: Check[T]
    write: Write[T]

    def file_name(self, made_at: datetime) -> str:
        return f"{self.stem}_{made_at:%Y%m%d_%H%M%S}.{self.ending}"


def describe(bill: Bill) -> str:
    """The bill in a note."""
    return f"of invoice {bill.number!r}"


def text_of(bill: Bill, text: str) -> str:
    """What a posting is called: its line, else vendor and number."""
    return text or f"{bill.vendor} {bill.number}"
