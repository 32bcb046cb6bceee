"""The form of the review screen as a change, for browsers without scripts."""

import re
from collections.abc import Iterator, Mapping, Sequence

from starlette.datastructures import FormData

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import Citation, ReviewStatus
from serve_app.domain.review_answer import ReviewAnswer
from serve_app.domain.review_fields import same
from serve_app.services.review.change import FieldChange, ReviewChange
from serve_app.web.formats import Formats
from serve_app.web.review.entries import read_entry, read_row, review_entries, write_entry
from serve_app.web.review.fields import COLUMNS, DETAILS, HEADER, NO_INPUTS, Kind, OwnInputs

_WRITTEN_BY_LANGUAGE = (Kind.MONEY, Kind.NUMBER, Kind.DATE)


def change_in(
    form: Mapping[str, str], review: ReviewAnswer, formats: Formats, own: OwnInputs = NO_INPUTS
) -> ReviewChange:
    """What the form says differently from the review, read in the language of the formats; `own` are the inputs of own
    fields. Raises InvalidParameter."""
    shown = review_entries(review, formats, own)
    fields: dict[str, FieldChange | None] = {
        name: FieldChange(read_entry(kind, text_in(form, name), label, formats))
        for name, (label, kind) in {**HEADER, **DETAILS, **own.fields}.items()
        if name in form and text_in(form, name) != shown["fields"][name]
    }
    changed = {name: change for name, change in fields.items() if change and not _is_same(name, change, review)}
    for table in COLUMNS:
        rows = rows_in(form, table, own)
        if rows and rows != shown[table]:
            read = [read_row(table, number, row, formats, own) for number, row in enumerate(rows, 1)]
            changed[table] = FieldChange([row for row, texts in zip(read, rows, strict=True) if any(texts.values())])
    return ReviewChange(changed | _taken(form, review), _status(form), text_in(form, "reason") or None)


def ambiguous_entries(
    form: Mapping[str, str], review: ReviewAnswer, formats: Formats, own: OwnInputs = NO_INPUTS
) -> Mapping[str, str]:
    """What was typed and is another number or date elsewhere, by the names of inputs, as it is understood here. Raises
    InvalidParameter."""
    currency = review.fields["currency"].value
    found: dict[str, str] = {}
    for name, label, kind in _inputs(form, own):
        text = text_in(form, name)
        if kind in _WRITTEN_BY_LANGUAGE and formats.notation.is_ambiguous(text):
            understood = write_entry(kind, read_entry(kind, text, label, formats), formats, currency)
            found |= {name: understood} if understood != text else {}
    return found


def _inputs(form: Mapping[str, str], own: OwnInputs) -> Iterator[tuple[str, str, Kind]]:
    """The names, labels and kinds of the inputs that the form has."""
    for name, (label, kind) in {**HEADER, **DETAILS, **own.fields}.items():
        if name in form:
            yield name, label, kind
    for table, columns in own.tables.items():
        for number in row_numbers(form, table):
            for name, label, kind in columns:
                yield f"{table}-{number}-{name}", f"{label}, line {number + 1}", kind


def _is_same(name: str, change: FieldChange, review: ReviewAnswer) -> bool:
    value = review.fields[name].value
    return bool(change.value == value) if None in (change.value, value) else same(name, change.value, value)


def _taken(form: Mapping[str, str], review: ReviewAnswer) -> dict[str, FieldChange | None]:
    """The reading whose button was pressed."""
    name, _, number = text_in(form, "take").partition(":")
    field = review.fields.get(name)
    if field is None or not number.isdecimal() or not 1 <= int(number) <= len(field.candidates):
        return {}
    candidate = field.candidates[int(number) - 1]
    place = candidate.citation
    return {name: FieldChange(candidate.value, Citation(page=place.page, box=place.box, text=place.text))}


def _status(form: Mapping[str, str]) -> ReviewStatus | None:
    text = text_in(form, "status")
    try:
        return ReviewStatus(text) if text else None
    except ValueError:
        raise InvalidParameter("The form has an unknown button. Load the page again.") from None


def texts_of(form: FormData) -> dict[str, str]:
    """The texts of a form by the names of their inputs, without files."""
    return {name: value for name, value in form.items() if isinstance(value, str)}


def rows_in(form: Mapping[str, str], table: str, own: OwnInputs = NO_INPUTS) -> Sequence[Mapping[str, str]]:
    """The texts of the cells of a table."""
    return [
        {name: text_in(form, f"{table}-{number}-{name}") for name, _, _ in own.tables[table]}
        for number in row_numbers(form, table)
    ]


def row_numbers(form: Mapping[str, str], table: str) -> Sequence[int]:
    """Which rows of a table the form has."""
    cell = re.compile(rf"{table}-(\d{{1,4}})-", re.ASCII)
    return sorted({int(found[1]) for name in form if (found := cell.match(name))})


def text_in(form: Mapping[str, str], name: str) -> str:
    """What stands in an input; empty if there is no such input."""
    return form.get(name, "").strip()
