"""The form of the review screen as a change, for browsers without scripts."""

import re
from collections.abc import Sequence

from starlette.datastructures import FormData

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import Citation, ReviewStatus
from serve_app.domain.review_answer import ReviewAnswer
from serve_app.services.review.change import FieldChange, ReviewChange
from serve_app.web.formats import plain_decimal
from serve_app.web.review.fields import COLUMNS, DETAILS, HEADER, Kind

_DECIMAL_COMMA = re.compile(r"-?\d+,\d+", re.ASCII)
_NUMBERS = (Kind.MONEY, Kind.NUMBER)


def change_in(form: FormData, review: ReviewAnswer) -> ReviewChange:
    """What the form says differently from the review. Raises InvalidParameter."""
    taken = _taken(form, review)
    fields: dict[str, FieldChange | None] = {}
    for name, (_, kind) in {**HEADER, **DETAILS}.items():
        if name not in form:
            continue
        text = _text(form, name, kind)
        if text != (review.fields[name].value or ""):
            fields[name] = FieldChange(text or None)
    fields |= taken
    for table, seen in (("line_items", review.line_items.value), ("tax_lines", review.tax_lines.value)):
        rows = _rows(form, table)
        if rows and rows != [{name: getattr(row, name) for name, _, _ in COLUMNS[table]} for row in seen]:
            fields[table] = FieldChange([row for row in rows if any(row.values())])
    return ReviewChange(fields, _status(form), _text(form, "reason", Kind.TEXT) or None)


def _taken(form: FormData, review: ReviewAnswer) -> dict[str, FieldChange | None]:
    """The reading whose button was pressed."""
    name, _, number = _text(form, "take", Kind.TEXT).partition(":")
    field = review.fields.get(name)
    if field is None or not number.isdecimal() or not 1 <= int(number) <= len(field.candidates):
        return {}
    candidate = field.candidates[int(number) - 1]
    place = candidate.citation
    return {name: FieldChange(candidate.value, Citation(page=place.page, box=place.box, text=place.text))}


def _status(form: FormData) -> ReviewStatus | None:
    text = _text(form, "status", Kind.TEXT)
    try:
        return ReviewStatus(text) if text else None
    except ValueError:
        raise InvalidParameter("The form has an unknown button. Load the page again.") from None


def _rows(form: FormData, table: str) -> Sequence[dict[str, str | None]]:
    cell = re.compile(rf"{table}-(\d{{1,4}})-", re.ASCII)
    numbers = sorted({int(found[1]) for name in form if (found := cell.match(name))})
    return [
        {name: _text(form, f"{table}-{number}-{name}", kind) or None for name, _, kind in COLUMNS[table]}
        for number in numbers
    ]


def _text(form: FormData, name: str, kind: Kind) -> str:
    value = form.get(name)
    text = value.strip() if isinstance(value, str) else ""
    if kind is Kind.NUMBER and _DECIMAL_COMMA.fullmatch(text):
        return text.replace(",", ".")
    return plain_decimal(text) if kind in _NUMBERS else text
