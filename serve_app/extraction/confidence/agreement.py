"""Whether two answers are the same after normalisation."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from rapidfuzz.fuzz import ratio

from serve_app.domain.evidence import HEADER
from serve_app.domain.invoice import Field
from serve_app.extraction.candidates.candidate import Candidate
from serve_app.extraction.fields import Fields
from serve_app.extraction.parties.names import normal_name, normal_number
from serve_app.extraction.tables.line_items import Row
from serve_app.extraction.tables.row_numbers import RowNumbers

Answer = Candidate[Any]

# Below this score an answer is only the best of bad candidates: two models may share it by chance.
GUESS = 0.25
# Descriptions of a row that share this much (0 to 100, of their letters) are the same: one may lack a word at its edge.
SAME_TEXT = 75.0
# No more descriptions of rows with the same numbers are compared.
_MOST_DESCRIPTIONS = 200

_NORMAL: dict[Field, Callable[[Any], object]] = {
    Field.VENDOR: normal_name,
    Field.INVOICE_NUMBER: normal_number,
}


def answers(fields: Fields) -> dict[Field, Answer]:
    """The header fields that have an answer, in the order of the resource."""
    every: dict[Field, Answer | None] = {field: getattr(fields, field.value) for field in HEADER}
    return {field: answer for field, answer in every.items() if answer is not None}


def same_value(field: Field, *answers: Answer) -> bool:
    """Whether all answers name the same value."""
    normal = _NORMAL.get(field)
    return len({normal(answer.value) if normal else answer.value for answer in answers}) == 1


def same_answer(field: Field, *answers: Answer | None) -> bool:
    """Whether all answers are given, none of them only as a guess, and name the same value."""
    given = [answer for answer in answers if answer and answer.score >= GUESS]
    return len(given) == len(answers) and same_value(field, *given)


class KnownRows:
    """Rows by their numbers."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._descriptions: dict[RowNumbers, dict[str, None]] = defaultdict(dict)
        for row in rows:
            self._descriptions[row.numbers][row.description or ""] = None

    def have(self, row: Row) -> bool:
        """Whether one of them has the same numbers and, but for a word, the same description."""
        own, others = row.description or "", self._descriptions.get(row.numbers, {})
        compared = [*([own] if own in others else []), *islice(others, _MOST_DESCRIPTIONS)]
        return any(ratio(own, other) >= SAME_TEXT for other in compared)


def same_rows(one: Fields, other: Fields) -> bool:
    """Whether both read the same rows in the same order."""
    return len(one.rows) == len(other.rows) and all(map(_is_same_row, one.rows, other.rows))


def _is_same_row(one: Row, other: Row) -> bool:
    return one.numbers == other.numbers and ratio(one.description or "", other.description or "") >= SAME_TEXT
