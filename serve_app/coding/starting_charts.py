"""Charts to begin with: numbers and names of commonly used codes."""

from pathlib import Path

from serve_app.coding.codes_file import CodesFile, parse_codes
from serve_app.domain.chart import ACCOUNT

_FOLDER = Path(__file__).parent / "charts"
STARTING_CHARTS = {
    "datev-skr03": "DATEV SKR03",
    "datev-skr04": "DATEV SKR04",
    "xero-uk": "Xero, United Kingdom",
    "quickbooks": "QuickBooks Online",
}
"""Their names for people."""


def starting_chart(name: str) -> CodesFile:
    """The codes of one of them. Raises KeyError."""
    if name not in STARTING_CHARTS:
        raise KeyError(name)
    return parse_codes((_FOLDER / f"{name}.csv").read_text(encoding="utf-8"), ACCOUNT)
