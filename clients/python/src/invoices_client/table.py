"""Results as CSV."""

import csv
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile

from invoices_client.errors import InvoicesError
from invoices_client.models import Field, Invoice
from invoices_client.results import CreateResult

_VALUES = ("vendor_name", "invoice_number", "issued_at", "due_at", "amount", "tax", "currency")
_LEVELS = tuple(f"{field}_confidence" for field in Field if field is not Field.LINE_ITEMS)
COLUMNS = ("file", "id", "status", *_VALUES, *_LEVELS, "auto_verified", "error")
# What a spreadsheet would run as a formula; the same texts as in the service's own exports.
_FORMULA = re.compile(
    r"[\s\x00-\x1f\x7f\u00ad\u200b-\u200f\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]"
)


def invoice_row(path: Path, invoice: Invoice) -> dict[str, str]:
    """The cells of an invoice."""
    levels = invoice.field_confidence or {}
    values = {name: getattr(invoice, name) for name in _VALUES}
    cells: dict[str, object] = {"file": str(path), "id": invoice.id, "status": invoice.status, **values}
    cells.update({f"{field}_confidence": level for field, level in levels.items()})
    cells["auto_verified"] = str(invoice.auto_verified).lower()
    cells["error"] = invoice.failure.message if invoice.failure else None
    return {name: _cell(cells.get(name)) for name in COLUMNS}


def error_row(result: CreateResult) -> dict[str, str]:
    """The cells of a document without an invoice."""
    code = getattr(result.error, "code", "") or type(result.error).__name__
    text = f"{code}: {result.error}" if isinstance(result.error, InvoicesError) else str(result.error)
    return {**dict.fromkeys(COLUMNS, ""), "file": _cell(str(result.path)), "error": _cell(text)}


def write_table(path: Path, rows: Iterable[Mapping[str, str]]) -> None:
    """Write the rows in one step: a reader sees the whole table or the one before."""
    with NamedTemporaryFile("w", dir=path.parent, suffix=".csv", newline="", encoding="utf-8", delete=False) as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(rows)
    os.replace(file.name, path)


def _cell(value: object) -> str:
    """A text on one line, which no spreadsheet runs as a formula. Numbers and dates stay as they are."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    line = " ".join(str(value).splitlines())
    return f"'{line}" if _FORMULA.match(line) else line
