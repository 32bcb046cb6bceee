"""The line items of an invoice beside the true ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from models.evaluation.compare import matched_lines, number, same_description, same_number
from models.evaluation.dataset import Truth
from serve_app.domain.invoice import Confidence, LineItem

LINE_ITEMS = "line_items"
CELLS = ("description", "quantity", "unit_price")
ALIKE = 0.5
"""A given row stands for a missed true one if at least this share of its cells is right."""


@dataclass(frozen=True, slots=True)
class RowPair:
    """A true row and the given one: a missed row has none given, an invented one none true. `place` is the given row's
    index."""

    true: Mapping[str, Any] | None
    given: LineItem | None
    is_right: bool
    place: int | None

    @property
    def wrong_cells(self) -> list[str]:
        """The cells of the given row that differ from the true one."""
        if self.true is None or self.given is None:
            return []
        return [name for name in CELLS if not _is_same(name, self.true, self.given)]

    @property
    def level(self) -> Confidence | None:
        return None if self.given is None else self.given.confidence

    @property
    def true_text(self) -> str | None:
        return None if self.true is None else row_text(self.true)

    @property
    def given_text(self) -> str | None:
        return None if self.given is None else row_text(self.given.model_dump())


def scores_rows(truth: Truth) -> bool:
    """Whether the truth says which line items are printed."""
    return LINE_ITEMS in truth and LINE_ITEMS not in truth.get("_not_printed", [])


def paired_rows(truth: Sequence[Mapping[str, Any]], given: Sequence[LineItem]) -> list[RowPair]:
    """A pair for each true row, in their order, then for each given row that stands for none."""
    right = matched_lines(truth, given)
    free = [index for index in range(len(given)) if index not in right.values()]
    wrong = _nearest([index for index in range(len(truth)) if index not in right], free, truth, given)
    places = {**wrong, **right}
    pairs = [
        RowPair(row, given[places[index]] if index in places else None, index in right, places.get(index))
        for index, row in enumerate(truth)
    ]
    return pairs + [RowPair(None, given[index], False, index) for index in free if index not in wrong.values()]


def row_text(row: Mapping[str, Any]) -> str:
    """The cells of a row on a line."""
    return " | ".join(_cell_text(row.get(name)) for name in CELLS)


def _cell_text(value: Any) -> str:
    found = number(value)
    return str(value or "-") if found is None else f"{found.normalize():f}"


def _nearest(
    missed: Sequence[int], free: Sequence[int], truth: Sequence[Mapping[str, Any]], given: Sequence[LineItem]
) -> dict[int, int]:
    """For missed rows, the given ones that are most like them, each once."""
    nearest = sorted(
        ((alike, -abs(i - j), i, j) for i in missed for j in free
         if (alike := likeness(truth[i], given[j])) >= ALIKE),
        reverse=True,
    )  # fmt: skip
    chosen: dict[int, int] = {}
    for _, _, i, j in nearest:
        if i not in chosen and j not in chosen.values():
            chosen[i] = j
    return chosen


def likeness(true: Mapping[str, Any], given: LineItem) -> float:
    """The share of the true cells that the given row has, 0 to 1."""
    known = [name for name in CELLS if true.get(name) is not None]
    return sum(_is_same(name, true, given) for name in known) / max(1, len(known))


def _is_same(name: str, true: Mapping[str, Any], given: LineItem) -> bool:
    """A cell that the truth leaves out is not compared."""
    if true.get(name) is None:
        return True
    if name == "description":
        return same_description(str(true[name]), given.description)
    basis = number(true.get("_basis_quantity")) or Decimal(1)
    value = number(true[name])
    return value is not None and same_number(value, getattr(given, name), basis if name == "unit_price" else Decimal(1))
