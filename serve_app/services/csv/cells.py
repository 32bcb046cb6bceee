"""CSV cells that no spreadsheet interprets as formulas."""

import re
from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from serve_app.domain.plain_text import one_line

Value = str | UUID | Decimal | bool | int | float | date | datetime | None

# Also the full-width and small forms that East Asian spreadsheets accept, and the true minus sign.
_STARTS = "=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212"
# Spreadsheets skip these, or do not show them.
_SKIPPED = "\\s\x00-\x1f\x7f\u00ad\u200b-\u200f\u2060\ufeff"
_FORMULA = re.compile(f"[{_SKIPPED}]*[{_STARTS}]|[\t\r\n]")
# If a semicolon separates cells (Excel in much of Europe), our quoted cells are split at their semicolons.
_FORMULA_INSIDE = re.compile(f';(?=["{_SKIPPED}]*[{_STARTS}])')


def text_cell(text: str) -> str:
    """Text that came from outside, on one line. What a spreadsheet would run as a formula is prefixed with an
    apostrophe, which makes it text (OWASP, "CSV injection")."""
    line = one_line(_FORMULA_INSIDE.sub(";'", text))
    return f"'{line}" if _FORMULA.match(text) or _FORMULA.match(line) else line


def cell(value: Value) -> str:
    """A value as cell text: numbers exact and plain, dates and times ISO 8601, empty for None."""
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
