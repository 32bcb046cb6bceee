"""Whether two answers are the same after normalisation."""

from collections.abc import Callable, Sequence
from typing import Any

from rapidfuzz.fuzz import ratio

from serve_app.domain.invoice import Field
from serve_app.extraction.candidates import Candidate
from serve_app.extraction.fields import Fields
from serve_app.extraction.parties.names import normal_name, normal_number
from serve_app.extraction.tables.line_items import Row

Answer = Candidate[Any]

# Below this score an answer is only the best of bad candidates: two models may share it by chance.
GUESS = 0.25
# Descriptions of a row that share this much (0 to 100, of their letters) are the same: one may lack a word at its edge.
SAME_TEXT = 75.0

_NORMAL: dict[Field, Callable[[Any], object]] = {
    Field.VENDOR: normal_name,
    Field.INVOICE_NUMBER: normal_number,
}


def same_value(field: Field, *answers: Answer) -> bool:
    """Whether all answers name the same value."""
    normal = _NORMAL.get(field)
    return len({normal(answer.value) if normal else answer.value for answer in answers}) == 1


def same_answer(field: Field, *answers: Answer | None) -> bool:
    """Whether all answers are given, none of them only as a guess, and name the same value."""
    given = [answer for answer in answers if answer and answer.score >= GUESS]
    return len(given) == len(answers) and same_value(field, *given)


def has_same_row(row: Row, rows: Sequence[Row]) -> bool:
    """Whether one of `rows` has the same numbers and, but for a word, the same description."""
    return any(_is_same_row(row, other) for other in rows)


def same_rows(one: Fields, other: Fields) -> bool:
    """Whether both read the same rows in the same order."""
    return len(one.rows) == len(other.rows) and all(map(_is_same_row, one.rows, other.rows))


def _is_same_row(one: Row, other: Row) -> bool:
    return one.numbers == other.numbers and ratio(one.description or "", other.description or "") >= SAME_TEXT
