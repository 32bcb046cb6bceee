"""Cells of CSV that no spreadsheet takes for formulas."""

import re
from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from serve_app.domain.plain_text import one_line

Value = str | UUID | Decimal | bool | int | float | date | datetime | None

# Also full width and small, as spreadsheets of East Asia read them, and the minus sign proper.
_STARTS = "=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212"
# Spreadsheets skip these, or do not show them.
_SKIPPED = "\\s\x00-\x1f\x7f\u00ad\u200b-\u200f\u2060\ufeff"
_FORMULA = re.compile(f"[{_SKIPPED}]*[{_STARTS}]|[\t\r\n]")
# Where a semicolon parts cells (Excel, in much of Europe), a quoted cell of ours falls apart at its semicolons.
_FORMULA_INSIDE = re.compile(f';(?=["{_SKIPPED}]*[{_STARTS}])')


def text_cell(text: str) -> str:
    """Text that came from outside, on one line. What a spreadsheet would run as a formula gets an apostrophe before it,
    which makes it text (OWASP, "CSV injection")."""
    line = one_line(_FORMULA_INSIDE.sub(";'", text))
    return f"'{line}" if _FORMULA.match(text) or _FORMULA.match(line) else line


def cell(value: Value) -> str:
    """A value as it stands in a cell: numbers exact and plain, dates and times ISO 8601, nothing for None."""
    match value:
        case None:
            return ""
        case str():
            return text_cell(value)
        case bool():
            return "true" if value else "false"
        case Decimal():
            return f"{value:f}"
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
        case date():
            return value.isoformat()
        case _:
            return str(value)
