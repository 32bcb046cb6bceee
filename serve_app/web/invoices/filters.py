"""The state of the list of invoices, which its address carries: the filters of the API under the same names, and a few
of the page's own."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any
from urllib.parse import urlencode
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, Field, ValidationError
from starlette.datastructures import QueryParams

from serve_app.domain.invoice import ApprovalStatus, Confidence, Invoice, Source, Status
from serve_app.domain.query import InvoiceQuery, Order, Position, ReviewFilter, SortKey, position_of
from serve_app.http.complaints import complaint_of
from serve_app.http.parameters import Amount, Day, Flag, Identifier, Moment
from serve_app.web.formats import Formats
from serve_app.web.notation import Notation

LIST = "/app/invoices"
USUAL = ("number", "issued", "due", "amount", "state", "payment", "tag")
"""The columns of a list that names none."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DECIMAL = re.compile(r"[+-]?\d{1,30}(\.\d{1,30})?", re.ASCII)


def _end_of_day(text: Any) -> Any:
    """Strictly after a day: after its last moment."""
    return f"{text}T23:59:59.999999Z" if isinstance(text, str) and _DAY.fullmatch(text) else text


def _start_of_day(text: Any) -> Any:
    return f"{text}T00:00:00Z" if isinstance(text, str) and _DAY.fullmatch(text) else text


Text = Annotated[str, Field(max_length=255)]


class Filters(BaseModel):
    """What may stand in the address, each filter alone. Days are accepted where the API wants moments."""

    status: Status | None = None
    to_check: Flag | None = None
    vendor: Text | None = None
    number: Text | None = None
    paid: Flag | None = None
    overdue: Flag | None = None
    duplicate: Flag | None = None
    approval_status: ApprovalStatus | None = None
    entity_tag: Annotated[str, Field(max_length=60)] | None = None
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None = None
    min_amount: Amount | None = None
    max_amount: Amount | None = None
    issued_after: Day | None = None
    issued_before: Day | None = None
    due_after: Day | None = None
    due_before: Day | None = None
    created_after: Annotated[Moment, BeforeValidator(_end_of_day)] | None = None
    created_before: Annotated[Moment, BeforeValidator(_start_of_day)] | None = None
    source: Source | None = None
    invoice_number: Text | None = None
    vendor_id: Identifier | None = None
    batch: Identifier | None = None
    level: Confidence | None = None
    models: Text | None = None
    review: ReviewFilter | None = None
    has_alerts: Flag | None = None


_AMOUNTS = ("min_amount", "max_amount")
_SAMPLE = Decimal("1234.5")
# The filters that are always seen.
_FIRST = {"vendor", "number", "status", "paid"}
# What `/v1` cannot be asked for.
_OWN = {"number", "to_check", "level", "models"}


@dataclass(frozen=True, slots=True)
class InvoiceFilters:
    """A list that was asked for. `given` are the filters as they stand in the address, also those that cannot be used,
    for which `problems` has a message each. `shown` are the columns, empty for the usual ones. `order` None: the newest
    first. `after` is the last invoice before this part of the list, and `at` its value to sort by."""

    query: InvoiceQuery
    given: Mapping[str, str]
    problems: Mapping[str, str]
    shown: tuple[str, ...] = ()
    order: Order | None = None
    after: UUID | None = None
    at: str | None = None

    def value(self, name: str) -> str:
        """What a form shows as the present value of a filter, or as the order."""
        if name == "sort":
            return _sort_text(self.order) if self.order else ""
        return self.given.get(name, "")

    def amount(self, name: str, formats: Formats) -> str:
        """What a form shows as the present value of a filter by amount."""
        number: Decimal | None = getattr(self.query, name)
        text = "" if number is None else formats.number(number)
        return text if number is not None and formats.notation.read_number(text) == number else self.value(name)

    @property
    def is_filtered(self) -> bool:
        return bool(self.given)

    @property
    def further(self) -> int:
        """How many of the filters are among those that have to be opened."""
        return len(self.given.keys() - _FIRST)

    @property
    def is_api_call(self) -> bool:
        """Whether the API has this list."""
        return self.order is None and not _OWN & self.given.keys()

    @property
    def position(self) -> Position | None:
        """Where this part of a sorted list begins."""
        return None if self.after is None else Position(self.at, self.after)

    def state(self) -> str:
        """The filters, the order and the columns for an address."""
        return urlencode([*self._filters_and_order(), *(("show", name) for name in self.shown)])

    def _filters_and_order(self) -> list[tuple[str, str]]:
        return [*self.given.items(), *([("sort", _sort_text(self.order))] if self.order else [])]

    def path(self) -> str:
        """The address of this list."""
        return LIST + _query(self.state())

    def path_here(self) -> str:
        """The address of this part of the list."""
        return self._path_from(self.after, self.at)

    def path_after(self, invoice: Invoice) -> str:
        """The address of the part that follows an invoice."""
        return self._path_from(invoice.id, position_of(invoice, self.order.key).value if self.order else None)

    def _path_from(self, after: UUID | None, at: str | None) -> str:
        place = {name: str(value) for name, value in (("after", after), ("at", at)) if value is not None}
        return LIST + _query("&".join(part for part in (self.state(), urlencode(place)) if part))

    def sorted_by(self, key: SortKey) -> str:
        """The address of the list in this order; in the opposite direction if it has that order."""
        is_turned = self.order is not None and self.order.key is key and not self.order.descending
        return replace(self, order=Order(key, descending=is_turned)).path()

    def with_only(self, **given: str) -> str:
        """The address of the list with these filters and no others."""
        return replace(self, given=given).path()

    def export_path(self, ids: Iterable[object] = ()) -> str:
        """The page that exports this list, or the invoices of it with these ids."""
        return "/app/export" + _query(urlencode([*self.given.items(), *(("id", str(id)) for id in ids)]))

    def api_query(self) -> str:
        """The query string of the same list in `/v1`, without the filters that it does not have."""
        values = {name: getattr(self.query, name) for name in self.given if name not in _OWN | self.problems.keys()}
        return _query(urlencode({name: _as_api(value) for name, value in values.items()}))


def filters_of(parameters: QueryParams, formats: Formats, today: date | None = None) -> InvoiceFilters:
    """The list that an address asks for, with amounts as the person may have typed them. A filter that makes no sense
    is left out and gets a message."""
    return read_filters(parameters.multi_items(), today, formats)


def read_filters(
    items: Iterable[tuple[str, str]], today: date | None = None, formats: Formats | None = None
) -> InvoiceFilters:
    """The same from names and values in any order; names that are no filters are ignored. Without `formats` amounts are
    plain decimals, as `InvoiceFilters.state` has them."""
    items = list(items)
    given = {name: text.strip() for name, text in items if name in Filters.model_fields and text.strip()}
    amounts, unclear = ({}, {}) if formats is None else _typed_amounts(given, formats)
    given |= amounts
    filters, problems = _read({name: text for name, text in given.items() if name not in unclear})
    problems |= unclear
    query = InvoiceQuery(**filters.model_dump(), overdue_on=today or datetime.now(UTC).date())
    after = next((text for name, text in items if name == "after"), "")
    order = _order(next((text for name, text in items if name == "sort"), ""))
    at = next((text for name, text in items if name == "at"), None)
    if order is not None and order.key is SortKey.AMOUNT and at is not None and _DECIMAL.fullmatch(at) is None:
        at, after = None, ""
    shown = tuple(dict.fromkeys(text for name, text in items if name == "show"))
    return InvoiceFilters(query, given, problems, () if set(shown) == set(USUAL) else shown, order, _id(after), at)


def _typed_amounts(given: Mapping[str, str], formats: Formats) -> tuple[dict[str, str], dict[str, str]]:
    """The amounts as plain decimals, which mean the same in every language, and a message for each that is none."""
    read = {name: formats.notation.read_number(given[name]) for name in _AMOUNTS if name in given}
    problem = f"This is not a clear number. Enter it as {formats.number(_SAMPLE)}"
    return (
        {name: _plain(number) for name, number in read.items() if number is not None},
        {name: problem for name, number in read.items() if number is None},
    )


def _plain(number: Decimal) -> str:
    text = format(number, "f")
    # "1.234" is 1234 for some.
    return f"{text}0" if Notation.is_ambiguous(text) else text


def _read(given: Mapping[str, str]) -> tuple[Filters, dict[str, str]]:
    problems: dict[str, str] = {}
    try:
        return Filters.model_validate(given), problems
    except ValidationError as error:
        for problem in error.errors(include_url=False):
            problems[str(problem["loc"][0])] = complaint_of([problem]).message.partition(": ")[2]
    return Filters.model_validate({name: text for name, text in given.items() if name not in problems}), problems


def _order(text: str) -> Order | None:
    """`due` is the order by due date, `-due` the same in the opposite direction; None for anything else."""
    name = text.removeprefix("-")
    return Order(SortKey(name), descending=text != name) if name in set(SortKey) else None


def _sort_text(order: Order) -> str:
    return f"-{order.key}" if order.descending else order.key


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _as_api(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else str(value)


def _query(text: str) -> str:
    return f"?{text}" if text else ""


def day_of(text: str) -> str:
    """The day of a filter that may be a moment, for a field that takes days."""
    return text[:10] if _DAY.match(text) else ""


def start_of_today(now: datetime) -> datetime:
    """The last moment of yesterday: `created_after` is a strict bound."""
    return datetime.combine(now.date(), time(), UTC) - timedelta(microseconds=1)
