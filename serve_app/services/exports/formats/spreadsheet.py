"""CSV files that people also open in spreadsheets: no text in them becomes a formula."""

import csv
import io
from collections.abc import Iterable, Sequence

from serve_app.services.csv.cells import Value, cell


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[Value]]) -> bytes:
    """UTF-8 with a byte order mark, commas, CRLF; amounts with a point."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([cell(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")
