"""A change of a review, as a person asks for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import CheckKind, Citation, Invoice, ReviewStatus, SupplierCheck
from serve_app.domain.own_field import OwnField, OwnFieldScope
from serve_app.domain.own_values import line_of, own_field_name, own_name
from serve_app.domain.plain_text import one_line, shortened
from serve_app.domain.review import Changes, CodingChange, ConfirmedCheck, Decision, Review, Verdict
from serve_app.domain.review_fields import normal
from serve_app.domain.review_tables import LINE_ITEMS, TABLES, normal_rows
from serve_app.services.review.line_cells import changed_cells, is_table_changed, with_moved_decisions

MAX_REASON = 500
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """What a field is (None: not printed), and where that is printed. Of a table the value is a list of rows; rows of
    line items may have `custom`, a FieldChange for each own field."""

    value: Any
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class ReviewChange:
    """`fields` are those that change; None takes a decision back, so that the field is as it was read. `status` None
    leaves the verdict as it is; a rejection needs a `reason`. `checks` are those that are in order (True), or no longer
    are. `coding` None leaves what it is booked on."""

    fields: Mapping[str, FieldChange | None] = field(default_factory=dict)
    status: ReviewStatus | None = None
    reason: str | None = None
    checks: Mapping[CheckKind, bool] = field(default_factory=dict)
    coding: CodingChange | None = None

    def check_pages(self, pages: int) -> None:
        """Raises InvalidParameter if a value is cited from a page that an invoice of so many pages does not have."""
        for name, change in {**self.fields, **self._cells()}.items():
            if change is not None and change.citation is not None and change.citation.page > pages:
                raise InvalidParameter(
                    f"{name}: the citation is on page {change.citation.page}, but the invoice has {pages} pages.",
                    f"fields.{name}.citation.page",
                )

    @property
    def names_own_fields(self) -> bool:
        """Whether it is about fields that the account has added."""
        return any(map(own_name, self.fields)) or bool(self._cells())

    def _cells(self) -> dict[str, FieldChange]:
        """The own fields of the rows of the lines, by their names among all fields."""
        table = self.fields.get(LINE_ITEMS)
        return {
            own_field_name(name, line): each
            for line, row in enumerate(_rows_of(table), 1)
            for name, each in row.get("custom", {}).items()
        }

    def with_own_fields(self, fields: Sequence[OwnField]) -> "ReviewChange":
        """The same with values of own fields as they are stored; a decision on a field that is gone can only be taken
        back. Raises InvalidParameter."""
        own = {each.name: each for each in fields}
        changed = {name: _own_change(name, each, own) for name, each in self.fields.items()}
        table = changed.get(LINE_ITEMS)
        if table is not None and self._cells():
            rows = [_own_row(line, row, own) for line, row in enumerate(_rows_of(table), 1)]
            changed[LINE_ITEMS] = replace(table, value=rows)
        return replace(self, fields=changed)

    def apply(
        self,
        review: Review,
        invoice: Invoice,
        actor: Actor,
        now: datetime,
        seconds: float | None = None,
    ) -> Review:
        """The changed review of the invoice; the same one if nothing changes. `seconds` is how long it was open. Raises
        InvalidParameter."""
        checks = {kind: self._confirmed(kind, invoice.checks, actor, now) for kind in self.checks}
        decisions = self._decisions(review, invoice, actor, now)
        return review.changed(decisions, self._verdict(actor.name, now, seconds), checks, self.coding)

    def _confirmed(
        self, kind: CheckKind, found: Sequence[SupplierCheck], actor: Actor, now: datetime
    ) -> ConfirmedCheck | None:
        check = next((each for each in found if each.kind is kind), None)
        if check is None:
            param = f"supplier_checks.{kind}"
            raise InvalidParameter(f"{param}: the invoice has no such check.", param)
        return ConfirmedCheck(text=check.text, by=actor.name, at=now) if self.checks[kind] else None

    def _decisions(self, review: Review, invoice: Invoice, actor: Actor, now: datetime) -> Changes:
        said: Changes = {
            name: None if change is None else _decision(name, change, actor, now)
            for name, change in self.fields.items()
        }
        if LINE_ITEMS in said:
            said = self._with_lines(said, review, invoice, actor, now)
        table = said.get(LINE_ITEMS)
        lines = len(table.value) if table else len(invoice.line_items)
        for name in self.fields:
            if (line_of(name) or 0) > lines:
                raise InvalidParameter(f"{name}: the invoice has {lines} lines.", f"fields.{name}")
        return said

    def _with_lines(self, said: Changes, review: Review, invoice: Invoice, actor: Actor, now: datetime) -> Changes:
        """Where only own fields of the lines are others, the lines themselves stay as they are."""
        table, cells = said[LINE_ITEMS], self._cells()
        is_changed = table is None or not cells or is_table_changed(invoice, table.value)
        moved = with_moved_decisions(review, invoice, table) if is_changed else {}
        changed = changed_cells(review, invoice, moved, {name: each.value for name, each in cells.items()})
        entered = {name: _decision(name, cells[name], actor, now) for name in cells if name in changed}
        return {**moved, **entered, **{name: each for name, each in said.items() if name != LINE_ITEMS}}

    def _verdict(self, by: str, now: datetime, seconds: float | None) -> Verdict | None:
        if self.status is None:
            return None
        if self.status is ReviewStatus.OPEN:
            return Verdict()
        reason = shortened(one_line(self.reason or ""), MAX_REASON) or None
        if self.status is ReviewStatus.REJECTED and reason is None:
            raise InvalidParameter("reason: enter the reason for the rejection.", "reason")
        return Verdict(status=self.status, by=by, at=now, reason=reason, seconds=seconds)


def _own_change(name: str, change: FieldChange | None, own: Mapping[str, OwnField]) -> FieldChange | None:
    if change is None or not own_name(name):
        return change
    field = own.get(own_name(name))
    if field is None or (field.scope is OwnFieldScope.LINE) != (line_of(name) is not None):
        raise InvalidParameter(f"fields: {name} is not a field that you can correct.", "fields")
    return change if change.value is None else replace(change, value=field.normal(change.value, _param(name)))


def _own_row(line: int, row: Mapping[str, Any], own: Mapping[str, OwnField]) -> dict[str, Any]:
    custom = {name: _own_change(own_field_name(name, line), each, own) for name, each in row.get("custom", {}).items()}
    return {**row, "custom": custom}


def _rows_of(table: FieldChange | None) -> Sequence[Mapping[str, Any]]:
    return [row for row in table.value or () if isinstance(row, Mapping)] if table else []


def _param(name: str) -> str:
    return f"fields.{name}.value"


def _decision(name: str, change: FieldChange, actor: Actor, now: datetime) -> Decision:
    value = _checked(name, change.value)
    is_key = actor.kind is ActorKind.API_KEY
    return Decision(value=value, citation=change.citation, by=actor.name, by_key=is_key, at=now)


def _checked(name: str, value: Any) -> Any:
    """The value as it is stored. Raises InvalidParameter."""
    is_table = name in TABLES
    try:
        return normal_rows(name, value or ()) if is_table else normal(name, value)
    except InvalidParameter as error:
        raise InvalidParameter(error.message, error.param or (name if is_table else _param(name))) from None
