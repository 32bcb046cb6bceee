"""The target precisions side by side, for people."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from serve_app.domain.quality import HEADER
from serve_app.domain.target_outcomes import Outcome, TargetOutcome
from serve_app.domain.target_precision import TargetPrecision
from serve_app.web.formats import Formats
from serve_app.web.quality.view import percent
from serve_app.web.review import fields


@dataclass(frozen=True, slots=True)
class Column:
    """A target: its name, whether it is the account's, and on how many invoices it was compared."""

    label: str
    is_chosen: bool
    invoices: int


@dataclass(frozen=True, slots=True)
class Cell:
    """What a target would cover, and how many of the values that people have seen would have been wrong."""

    share: str
    seen: int
    wrong: int


@dataclass(frozen=True, slots=True)
class TargetTable:
    """A column for each target, a row for each kind of value."""

    columns: Sequence[Column]
    rows: Sequence[tuple[str, Sequence[Cell]]]


def target_table(outcomes: Sequence[TargetOutcome], chosen: TargetPrecision, formats: Formats) -> TargetTable:
    """The table of these outcomes."""

    def row(label: str, parts: Iterable[Outcome]) -> tuple[str, list[Cell]]:
        return label, [Cell(percent(each.share, formats), each.seen, each.wrong) for each in parts]

    columns = [
        Column(percent(outcome.target, formats), outcome.target is chosen, outcome.invoices) for outcome in outcomes
    ]
    by_field = [row(fields.HEADER[field][0], [outcome.fields[field] for outcome in outcomes]) for field in HEADER]
    values = row("All header fields", [outcome.values for outcome in outcomes])
    invoices = row("Invoices verified automatically", [outcome.verified for outcome in outcomes])
    return TargetTable(columns, [invoices, values, *by_field])
