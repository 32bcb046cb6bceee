"""Whether a predicted value is the true one."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from rapidfuzz import fuzz

from models.evaluation.dataset import Truth
from serve_app.domain.invoice import LineItem
from serve_app.extraction.parties.names import normal_name, normal_number

HEADER = ("vendor_name", "invoice_number", "amount", "currency", "issued_at", "due_at", "tax")
_CENT = Decimal("0.005")
# Descriptions count as equal above this similarity (0 to 100) if the row's numbers agree.
SAME_DESCRIPTION = 60
# ... and above this one if the truth has no numbers for the row.
SAME_TEXT = 80


def number(value: Any) -> Decimal | None:
    """The value as a number; None if it is not one."""
    try:
        return None if value is None or value == "" else Decimal(str(value))
    except InvalidOperation:
        return None


def is_absent(value: Any) -> bool:
    """Whether the document has no such value. A tax of 0 is a value if it is printed."""
    return value in (None, "", [])


def is_right(field: str, truth: Truth, predicted: Any) -> bool:
    """Whether `predicted` is the true value of the field, or an accepted alternative."""
    value = truth[field]
    if is_absent(value):
        # Reading a tax of 0 where none is printed is not an error.
        return is_absent(predicted) or (field == "tax" and number(predicted) == 0)
    if predicted is None:
        return False
    if field == "vendor_name":
        names = [value, *truth.get("_vendor_alt", [])]
        return normal_name(str(predicted)) in {normal_name(name) for name in names}
    if field == "invoice_number":
        numbers = [value, *truth.get("_number_alt", [])]
        return normal_number(str(predicted)) in {normal_number(str(number)) for number in numbers}
    if field in ("amount", "tax"):
        return _same_amount(field, truth, predicted)
    return str(value).upper() == str(predicted).upper()


def _same_amount(field: str, truth: Truth, predicted: Any) -> bool:
    values = [truth[field], *(truth.get("_amount_alt", []) if field == "amount" else [])]
    found = number(predicted)
    known = [value for value in map(number, values) if value is not None]
    if found is None:
        return False
    # A credit note may print its amounts with or without the sign.
    if truth.get("doc_type") == "credit_note":
        return any(abs(abs(number) - abs(found)) < _CENT for number in known)
    return any(abs(number - found) < _CENT for number in known)


def matched_lines(truth: Sequence[Mapping[str, Any]], predicted: Sequence[LineItem]) -> dict[int, int]:
    """The index of the predicted row for each matched true row, matched greedily, best first."""
    pairs = sorted(
        ((likeness, -abs(i - j), i, j) for i, t in enumerate(truth) for j, p in enumerate(predicted)
         if (likeness := _line_likeness(t, p)) > 0),
        reverse=True,
    )  # fmt: skip
    matched: dict[int, int] = {}
    for _, _, i, j in pairs:
        if i not in matched and j not in matched.values():
            matched[i] = j
    return matched


def same_number(true: Decimal, given: Decimal | None, basis: Decimal = Decimal(1)) -> bool:
    """Whether a number of a row is the true one, which may be printed for `basis` units."""
    return given is not None and min(abs(true - given), abs(true / basis - given)) < _CENT


def same_description(true: str | None, given: str | None) -> bool:
    """Whether a description is similar enough to be the true one."""
    return _description_likeness(true, given) >= SAME_DESCRIPTION


def _line_likeness(truth: Mapping[str, Any], line: LineItem) -> float:
    description = _description_likeness(truth.get("description"), line.description)
    checks = []
    if (quantity := number(truth.get("quantity"))) is not None:
        checks.append(same_number(quantity, line.quantity))
    if (price := number(truth.get("unit_price"))) is not None:
        checks.append(same_number(price, line.unit_price, number(truth.get("_basis_quantity")) or Decimal(1)))
    if not checks:
        return description if description >= SAME_TEXT else 0
    return 1000 + description if all(checks) and description >= SAME_DESCRIPTION else 0


def _description_likeness(truth: str | None, predicted: str | None) -> float:
    if truth is None:
        return 100
    one, other = _soft(truth), _soft(predicted or "")
    if not other:
        return 0
    partial = fuzz.partial_ratio(one, other) if min(len(one), len(other)) >= 4 else 0
    return max(fuzz.token_sort_ratio(one, other), partial)


def _soft(text: str) -> str:
    return " ".join(re.sub(r"[^\w]+", " ", unicodedata.normalize("NFKC", text).casefold()).split())
