"""Values that a model states for line items, against the rows of the table."""

from collections.abc import Mapping
from decimal import Decimal

from serve_app.domain.labels import Label
from serve_app.domain.reading import StatedValue
from serve_app.extraction.stated.fields import Stated
from serve_app.extraction.stated.keys import Notation, keys_of
from serve_app.extraction.tables.rows import Row

_CELLS = frozenset({Label.LINE_DESCRIPTION, Label.LINE_QUANTITY, Label.LINE_UNIT_PRICE, Label.LINE_TOTAL})


def contradicts_row(row: Row, stated: Stated, notation: Notation | None) -> bool:
    """Whether a model states other values than those of a row: one that is not printed there, or, of a kind that it
    states for this page, none of the row's."""
    cells = _cells(stated, row.place.page)
    if not cells or notation is None:
        return False
    own = [each for each in cells if not each.words or _is_in(each, row)]
    kinds = {each.label for each in cells}
    return any(not each.is_printed for each in own) or any(
        label in kinds and not _is_stated(label, number, own, notation) for label, number in _numbers(row).items()
    )


def _cells(stated: Stated, page: int) -> list[StatedValue]:
    """The values that are stated for rows of a page."""
    return [each for each in stated[page] if each.label in _CELLS] if any(stated) else []


def _is_in(each: StatedValue, row: Row) -> bool:
    return not set(each.words).isdisjoint(row.place.words)


def _numbers(row: Row) -> Mapping[Label, Decimal]:
    """The numbers that were read in a row, not concluded."""
    numbers = row.numbers
    every = {
        Label.LINE_QUANTITY: numbers.quantity if numbers.is_counted else None,
        Label.LINE_UNIT_PRICE: numbers.unit_price,
        Label.LINE_TOTAL: numbers.total,
    }
    return {label: number for label, number in every.items() if number is not None}


def _is_stated(label: Label, number: Decimal, own: list[StatedValue], notation: Notation) -> bool:
    return any(each.label is label and number in keys_of(label, each.text, notation) for each in own)
