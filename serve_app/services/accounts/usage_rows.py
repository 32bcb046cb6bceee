"""What accounts used by month, as rows of a table."""

import csv
import io
from collections.abc import Iterable, Sequence
from uuid import UUID

from serve_app.domain.budget import in_cents
from serve_app.services.accounts.usage import MonthUsage

USAGE_COLUMNS = ("account", "month", "documents", "pages", "ocr_pages", "cpu_seconds", "gpu_seconds", "cost")

Row = tuple[str, ...]


def usage_row(account_id: UUID, used: MonthUsage) -> Row:
    """One account's month."""
    read = used.readings
    counts = (used.documents, read.pages, read.ocr_pages)
    seconds = (f"{time / 1000:.1f}" for time in (read.cpu_ms, read.gpu_ms))
    return str(account_id), f"{used.month:%Y-%m}", *map(str, counts), *seconds, f"{in_cents(used.cost)}"


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """The rows as lines of CSV, each with its end."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
