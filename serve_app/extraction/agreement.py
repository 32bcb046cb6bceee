"""Whether two answers are the same after normalisation."""

from collections.abc import Callable, Sequence
from typing import Any

from serve_app.domain.invoice import Field
from serve_app.extraction.candidates import Candidate
from serve_app.extraction.fields import Fields
from serve_app.extraction.line_items import Row
from serve_app.extraction.names import normal_name, normal_number

Answer = Candidate[Any]

_NORMAL: dict[Field, Callable[[Any], object]] = {
    Field.VENDOR: normal_name,
    Field.INVOICE_NUMBER: normal_number,
}


def same_answer(field: Field, *answers: Answer | None) -> bool:
    """Whether all answers are given and name the same value."""
    normal = _NORMAL.get(field)
    given = [normal(answer.value) if normal else answer.value for answer in answers if answer is not None]
    return len(given) == len(answers) and len(set(given)) == 1


def has_same_row(row: Row, rows: Sequence[Row]) -> bool:
    """Whether one of `rows` has the same numbers."""
    return any(
        (row.quantity, row.unit_price, row.total) == (other.quantity, other.unit_price, other.total) for other in rows
    )


def same_rows(one: Fields, other: Fields) -> bool:
    """Whether both read the same numbers in the same order."""
    return [(row.quantity, row.unit_price, row.total) for row in one.rows] == [
        (row.quantity, row.unit_price, row.total) for row in other.rows
    ]
