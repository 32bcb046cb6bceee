"""Purchase orders as `/v1/purchase-orders` takes and answers them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from serve_app.domain import purchase_order
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.plain_text import without_controls
from serve_app.domain.purchase_order import (
    MAX_DESCRIPTION,
    MAX_LINES,
    MAX_TEXT,
    MOST,
    OrderDraft,
    OrderLine,
    OrderStatus,
)
from serve_app.domain.resource import Number, Resource
from serve_app.http.bodies import Body, exact_number

_MOST = float(MOST)
_PLACES = 6


def _without_default(schema: dict[str, Any]) -> None:
    """An omitted property stays unchanged; a default would make clients send it."""
    schema.pop("default")


def _exact(value: object) -> Decimal:
    return exact_number(value, _PLACES)


Quantity = Annotated[
    Decimal,
    Field(ge=0, le=MOST),
    BeforeValidator(_exact),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": _MOST}),
]
Received = Annotated[
    Decimal,
    Field(ge=-MOST, le=MOST),
    BeforeValidator(_exact),
    WithJsonSchema({"type": "number", "minimum": -_MOST, "maximum": _MOST}),
]
Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT), AfterValidator(without_controls)]
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
Position = Annotated[int, Field(ge=1, le=1_000_000)]
_DAY = {"type": "string", "format": "date"}


def _day(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError("must be a date such as 2026-01-31")
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise ValueError("must be a date such as 2026-01-31") from None


Day = Annotated[date, BeforeValidator(_day), WithJsonSchema(_DAY)]


class OrderLineBody(Body):
    """A line of an order."""

    position: Annotated[Position | None, Field(examples=[1])] = None
    """Its number in the order; without one, its place among the lines."""
    description: Annotated[str, Field(max_length=MAX_DESCRIPTION, examples=["Oak desk"])] = ""
    """What was ordered."""
    sku: Annotated[Text | None, Field(examples=["D-100"])] = None
    """The vendor's or your own article number, as invoices print it."""
    quantity: Annotated[Quantity, Field(examples=[10])]
    """How many were ordered."""
    unit: Annotated[Text | None, Field(examples=["pcs"])] = None
    """The unit of the quantity."""
    unit_price: Annotated[Quantity, Field(examples=[25.0])]
    """The price of one unit, without tax."""
    received_quantity: Annotated[Quantity | None, Field(examples=[6])] = None
    """How many have arrived; null: arrivals are not counted, and the line is matched without them."""

    def line(self, place: int) -> OrderLine:
        """The same line, at this place among the others."""
        return OrderLine.model_validate(self.model_dump() | {"position": self.position or place})


Lines = Annotated[list[OrderLineBody], Field(min_length=1, max_length=MAX_LINES)]


class NewOrderBody(Body):
    """A purchase order to keep."""

    number: Annotated[Text, Field(examples=["PO-1001"])]
    """Its number, which the account has once; spaces, punctuation and case do not count."""
    vendor: Annotated[Text, Field(examples=["Norvik Supplies GmbH"])]
    """The vendor's name, as its invoices print it."""
    currency: Annotated[Currency, Field(examples=["EUR"])]
    """The currency of its prices (ISO 4217)."""
    ordered_on: Annotated[Day | None, Field(examples=["2026-05-02"])] = None
    """The day of the order."""
    status: Annotated[OrderStatus, Field(strict=False, examples=["open"])] = OrderStatus.OPEN
    """`open`, or `closed`: nothing more may be billed."""
    lines: Lines
    """Its lines."""

    def draft(self) -> OrderDraft:
        """The same order for the service."""
        lines = _lines(self.lines)
        return OrderDraft(self.number, self.vendor, self.currency, lines, self.ordered_on, self.status)


class AmendOrderBody(Body):
    """The changes; at least one property. All of them are made, or none."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    number: Annotated[Text, Field(json_schema_extra=_without_default, examples=["PO-1001"])] = ""
    """The new number."""
    vendor: Annotated[Text, Field(json_schema_extra=_without_default, examples=["Norvik Supplies GmbH"])] = ""
    """The vendor's new name."""
    currency: Annotated[Currency, Field(json_schema_extra=_without_default, examples=["EUR"])] = ""
    """The new currency."""
    ordered_on: Annotated[Day | None, Field(json_schema_extra=_without_default, examples=["2026-05-02"])] = None
    """The day of the order; null clears it."""
    status: Annotated[OrderStatus, Field(strict=False, json_schema_extra=_without_default, examples=["closed"])] = (
        OrderStatus.OPEN
    )
    """`closed` ends the order, `open` opens it again."""
    lines: Annotated[Lines, Field(default_factory=list)]
    """All lines of the order: those that are missing here are removed."""

    @model_validator(mode="after")
    def _has_something(self) -> "AmendOrderBody":
        if not self.model_fields_set:
            raise ValueError("send at least one property")
        return self

    def over(self, draft: OrderDraft) -> OrderDraft:
        """The order with these changes."""
        said = {name: getattr(self, name) for name in self.model_fields_set}
        if "lines" in said:
            said["lines"] = _lines(self.lines)
        return replace(draft, **said)


class ReceivedLineBody(Body):
    """What has arrived of a line."""

    position: Annotated[Position, Field(examples=[1])]
    """The number of the line in the order."""
    quantity: Annotated[Received, Field(examples=[4])]
    """How many more have arrived; less than zero takes back."""


class ReceiveBody(Body):
    """Goods that have arrived."""

    lines: Annotated[list[ReceivedLineBody], Field(min_length=1, max_length=MAX_LINES)]
    """The lines, each once."""

    @model_validator(mode="after")
    def _names_each_once(self) -> "ReceiveBody":
        positions = [line.position for line in self.lines]
        if len(set(positions)) < len(positions):
            raise ValueError("lines: name each position once")
        return self

    def quantities(self) -> dict[int, Decimal]:
        """What has arrived, by position."""
        return {line.position: line.quantity for line in self.lines}


class PurchaseOrderLine(Resource):
    """A line of an order, with what is billed and open of it."""

    position: int
    description: str
    sku: str | None
    quantity: Number
    unit: str | None
    unit_price: Number
    received_quantity: Number | None
    billed_quantity: Number
    open_quantity: Number


class PurchaseOrder(Resource):
    """A purchase order with what is open of it."""

    id: UUID
    object: Literal["purchase_order"] = "purchase_order"
    number: str
    vendor: str
    currency: str
    ordered_on: date | None
    status: OrderStatus
    lines: list[PurchaseOrderLine]
    created_at: datetime
    updated_at: datetime


class PurchaseOrderList(Resource):
    """Purchase orders, newest first."""

    object: Literal["list"] = "list"
    data: list[PurchaseOrder]
    has_more: bool


Percent = Annotated[
    Decimal,
    Field(ge=0, le=100),
    BeforeValidator(_exact),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 100}),
]
Tolerance = Annotated[
    Decimal,
    Field(ge=0, le=1_000_000),
    BeforeValidator(_exact),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1_000_000}),
]


class OrderRulesBody(Body):
    """The tolerances of an account. What is omitted has its default."""

    price_percent: Annotated[Percent, Field(examples=[2.0])] = Decimal(0)
    """How many percent a line may cost more or less than ordered."""
    amount: Annotated[Tolerance, Field(examples=[0.05])] = Decimal("0.05")
    """The same as an amount in the order's currency; either is enough."""
    quantity_percent: Annotated[Percent, Field(examples=[0.0])] = Decimal(0)
    """How many percent more than ordered or received may be billed."""
    skip_review: bool = False
    """Whether an invoice within tolerance needs no review."""

    def rules(self) -> OrderRules:
        """The same for the service."""
        return OrderRules.model_validate(self.model_dump())


class PurchaseOrderRules(Resource):
    """The tolerances in force."""

    object: Literal["order_rules"] = "order_rules"
    price_percent: Number
    amount: Number
    quantity_percent: Number
    skip_review: bool


def order_answer(order: purchase_order.PurchaseOrder, billed: Mapping[int, Decimal]) -> PurchaseOrder:
    """The order as it is answered; `billed` are quantities by position."""
    names = ("id", "number", "vendor", "currency", "ordered_on", "status", "created_at", "updated_at")
    lines = [_line_answer(line, billed.get(line.position, Decimal(0))) for line in order.lines]
    return PurchaseOrder(lines=lines, **{name: getattr(order, name) for name in names})


def rules_answer(rules: OrderRules) -> PurchaseOrderRules:
    """The tolerances as they are answered."""
    return PurchaseOrderRules.model_validate(rules.model_dump())


def _lines(lines: list[OrderLineBody]) -> tuple[OrderLine, ...]:
    return tuple(line.line(place) for place, line in enumerate(lines, 1))


def _line_answer(line: OrderLine, billed: Decimal) -> PurchaseOrderLine:
    still_open = max(line.quantity - billed, Decimal(0))
    return PurchaseOrderLine(billed_quantity=billed, open_quantity=still_open, **line.model_dump())
