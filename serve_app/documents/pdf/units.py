"""How many points a page's unit is: its `UserUnit`, of which PDFium and poppler know nothing."""

from collections.abc import Mapping
from io import BytesIO

from pypdf import PageObject, PdfReader

_KEY = "/UserUnit"
# Where a file has neither, no page of it can have a unit: it may stand inside a compressed stream of objects.
_SIGNS = (b"/UserUnit", b"/ObjStm")
# Acrobat's range; anything else is a mistake.
_LEAST, _MOST = 0.001, 75_000.0


def user_units(data: bytes) -> Mapping[int, float]:
    """By number (from 1), the pages whose unit is not one point, and how many points it is."""
    if not any(sign in data for sign in _SIGNS):
        return {}
    try:
        pages = enumerate(PdfReader(BytesIO(data)).pages, 1)
        units = {number: _unit(page) for number, page in pages}
    except Exception:  # pypdf can raise anything for what PDFium repairs.
        return {}
    return {number: unit for number, unit in units.items() if unit != 1}


def _unit(page: PageObject) -> float:
    unit = page.get(_KEY)
    return float(unit) if isinstance(unit, int | float) and _LEAST <= unit <= _MOST else 1.0
