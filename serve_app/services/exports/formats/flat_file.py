"""A flat file for SAP and other programs that read records of a fixed width: a header for each bill (`H`), its postings
(`P`), and a trailer with counts and sums (`T`)."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from serve_app.domain.export import ExportFormat
from serve_app.services.exports.bill import Bill, Posting
from serve_app.services.exports.formats.base import Format, describe, text_of
from serve_app.services.exports.settings import LedgerSettings
from serve_app.services.exports.text import Notes, encodable, fitted

HEADER = (
    *(("record", 1), ("company", 4), ("kind", 2), ("document_date", 8), ("posting_date", 8), ("currency", 3)),
    *(("reference", 16), ("vendor_account", 10), ("vendor_name", 35), ("amount", 16), ("due_date", 8)),
    ("document_id", 36),
)
POSTING = (
    *(("record", 1), ("reference", 16), ("side", 1), ("account", 10), ("net", 16), ("tax", 16), ("tax_code", 2)),
    *(("cost_centre", 10), ("text", 50)),
)
TRAILER = (("record", 1), ("bills", 8), ("postings", 8), ("sum", 20))
"""Each record as the names of its fields and their widths, in characters."""


class FlatFileSettings(LedgerSettings):
    """`company` is the company code."""

    company: Annotated[str, Field(pattern=r"^[0-9A-Za-z]{1,4}$")]
    encoding: Literal["utf-8", "latin-1", "ascii"] = "latin-1"


def _check(bill: Bill, _: FlatFileSettings) -> str | None:
    widths = dict(HEADER) | dict(POSTING)
    if not bill.vendor_account or len(bill.vendor_account) > widths["vendor_account"]:
        return "the vendor needs an account of at most 10 characters"
    if any(not posting.coding.account or len(posting.coding.account) > widths["account"] for posting in bill.postings):
        return "it needs an account of at most 10 characters"
    if any(len(posting.coding.tax_code) > widths["tax_code"] for posting in bill.postings):
        return "its tax code has at most 2 characters"
    if len(bill.number) > widths["reference"]:
        return "its number is longer than 16 characters"
    return None


def _write(bills: Sequence[Bill], settings: FlatFileSettings, made_at: datetime, notes: Notes) -> bytes:
    lines = [line for bill in bills for line in _records(bill, settings, made_at, notes)]
    postings = sum(len(bill.postings) for bill in bills)
    total = sum((bill.total * _sign(bill) for bill in bills), Decimal(0))
    lines.append(
        _record(TRAILER, {"record": "T", "bills": str(len(bills)), "postings": str(postings), "sum": _money(total)})
    )
    return "".join(f"{line}\r\n" for line in lines).encode(settings.encoding)


def _records(bill: Bill, settings: FlatFileSettings, made_at: datetime, notes: Notes) -> Iterator[str]:
    def text(value: str, width: int, called: str) -> str:
        what = f"The {called} {describe(bill)}"
        # Spelled first, because a letter may become two.
        return fitted(encodable(value, settings.encoding, what, notes), width, what, notes)

    reference = text(bill.number, dict(HEADER)["reference"], "number")
    header = {
        "record": "H",
        "company": settings.company,
        "kind": "KG" if bill.is_credit else "KR",
        "document_date": f"{bill.issued_at:%Y%m%d}",
        "posting_date": f"{made_at:%Y%m%d}",
        "currency": bill.currency,
        "reference": reference,
        "vendor_account": bill.vendor_account,
        "vendor_name": text(bill.vendor, dict(HEADER)["vendor_name"], "vendor"),
        "amount": _money(bill.total),
        "due_date": f"{bill.due_at:%Y%m%d}" if bill.due_at else "",
        "document_id": str(bill.invoice_id),
    }
    yield _record(HEADER, header)
    for posting in bill.postings:
        named = text(text_of(bill, posting.text), dict(POSTING)["text"], "text")
        cost_centre = text(posting.coding.cost_centre, dict(POSTING)["cost_centre"], "cost centre")
        yield _record(POSTING, _posting(bill, posting, reference) | {"text": named, "cost_centre": cost_centre})


def _posting(bill: Bill, posting: Posting, reference: str) -> dict[str, str]:
    return {
        "record": "P",
        "reference": reference,
        "side": "H" if bill.is_credit else "S",
        "account": posting.coding.account,
        "net": _money(posting.net),
        "tax": _money(posting.tax),
        "tax_code": posting.coding.tax_code,
    }


def _sign(bill: Bill) -> int:
    return -1 if bill.is_credit else 1


def _money(value: Decimal) -> str:
    return f"{value:.2f}"


def _record(fields: Sequence[tuple[str, int]], values: dict[str, str]) -> str:
    """Amounts and counts at the right, texts at the left."""
    right = {"amount", "net", "tax", "sum", "bills", "postings"}
    return "".join(values[name].rjust(width) if name in right else values[name].ljust(width) for name, width in fields)


FORMAT = Format("SAP flat file", "bills", "txt", "text/plain", FlatFileSettings, _check, _write)
NAME = ExportFormat.FLAT_FILE
