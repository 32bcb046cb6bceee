"""The plan of a table: its columns, their order and its conventions."""

from dataclasses import dataclass, field
from random import Random

from models.training.generator.core.fonts import Font
from models.training.generator.core.numbers import Placement
from models.training.generator.core.pen import Pen

# Relative widths; the description takes what is left.
WIDTHS = {
    "pos": 0.05,
    "code": 0.12,
    "tax_code": 0.05,
    "list_price": 0.11,
    "ordered": 0.07,
    "day": 0.11,
    "quantity": 0.08,
    "unit": 0.07,
    "unit_price": 0.12,
    "discount_rate": 0.08,
    "tax_rate": 0.08,
    "tax_amount": 0.1,
    "gross_total": 0.12,
    "line_total": 0.13,
}
_NUMERIC = (
    "quantity",
    "unit_price",
    "discount_rate",
    "tax_rate",
    "tax_amount",
    "line_total",
    "gross_total",
    "list_price",
    "ordered",
)


@dataclass
class ColumnPlan:
    """Which columns a table has, in which order, and its conventions.

    `values_line`: how far down its description a row's numbers are: 0 on the first line, 1 on the last, -1 above it.
    `allowances`: a row's discount has its own lines below the row.
    """

    columns: list[str]
    align: dict[str, str] = field(default_factory=dict)
    code_inside: bool = False
    unit_in_quantity: str = ""
    unit_with_price: bool = False
    details: bool = True
    gap: float = 2.0
    size: float = 9.0
    rules: str = ""
    values_line: float = 0.0
    quantity_places: int | None = None
    header_mark: bool = False
    sections: bool = False
    carry: bool = False
    remarks: bool = False
    header: bool = True
    sums: bool = False
    indent: float = 0.0
    allowances: bool = False


def make_plan(pen: Pen, columns: list[str] | None = None) -> ColumnPlan:
    rng = pen.rng
    plan = ColumnPlan(columns or _columns(pen), size=pen.size * rng.choice((1.0, 1.0, 0.9, 0.95)))
    numeric = rng.choices(("right", "center", "left"), (75, 13, 12))[0]
    for column in plan.columns:
        usual = numeric if column in _NUMERIC else "left"
        plan.align[column] = usual if rng.random() < 0.93 else rng.choice(("left", "center", "right"))
    plan.align["description"] = "left"
    plan.code_inside = "code" not in plan.columns and rng.random() < 0.15
    if "unit" not in plan.columns and rng.random() < 0.3:
        plan.unit_in_quantity = rng.choice(("{q} {u}", "{q} {u}", "{q} {u}", "{q}{u}", "{q}x", "{q} x", "x {q}"))
    plan.unit_with_price = "unit" not in plan.columns and rng.random() < 0.05
    plan.details = rng.random() < 0.45
    plan.gap = rng.choice((0.0, 1.0, 3.0, 6.0, 10.0))
    plan.rules = (
        rng.choice(("", "", "", "", "", "-", "_", "=", "."))
        if pen.style.font is Font.MONO or rng.random() < 0.12
        else ""
    )
    plan.values_line = rng.choices((0.0, 1.0, 0.5, -1.0), (81, 8, 6, 5))[0]
    plan.quantity_places = rng.choice((None, None, None, None, 0, 2, 2, 3, 1))
    plan.header_mark = pen.style.table_money.template == Placement.NONE and rng.random() < 0.25
    plan.sections = rng.random() < 0.07 and len(pen.case.items) > 2
    plan.carry = rng.random() < 0.4
    plan.remarks = rng.random() < 0.08
    plan.header = rng.random() < 0.95
    plan.sums = rng.random() < 0.08
    plan.allowances = pen.case.row_discounts and "discount_rate" not in plan.columns
    plan.indent = rng.choice((0.0, 0.0, 0.0, 6.0, 12.0))
    return plan


def _columns(pen: Pen) -> list[str]:
    """A plausible subset and order of columns."""
    rng = pen.rng
    if rng.random() < 0.05:
        return ["description", "line_total"]
    head = [column for column, share in (("pos", 0.4), ("code", 0.3), ("day", 0.06)) if rng.random() < share]
    if rng.random() < 0.15:
        rng.shuffle(head)
    gross = not pen.case.gross_prices and rng.random() < (0.6 if pen.case.language == "pl" else 0.06)
    return _arranged(rng, head, _middle_columns(pen), gross=gross)


def _middle_columns(pen: Pen) -> list[str]:
    """The columns between description and total."""
    rng = pen.rng
    middle = ["quantity"] if rng.random() < 0.88 else []
    if middle and rng.random() < 0.25:
        middle.insert(rng.choice((0, 1)), "unit")
    if rng.random() < 0.84:
        middle.append("unit_price")
    if pen.case.row_discounts and rng.random() < 0.7:
        middle.append("discount_rate")
    if middle and rng.random() < 0.04:
        middle.insert(0, "ordered")
    if "unit_price" in middle and rng.random() < 0.05:
        middle.insert(middle.index("unit_price"), "list_price")
    taxes = (("tax_rate", 0.3), ("tax_amount", 0.06), ("tax_code", 0.05))
    return middle + [column for column, share in taxes if rng.random() < share]


def _arranged(rng: Random, head: list[str], middle: list[str], *, gross: bool) -> list[str]:
    """Mostly head, description, middle, total; sometimes the quantity or the description stands elsewhere."""
    others = [column for column in middle if column != "quantity"]
    orders = (
        [*head, "description", *middle, "line_total"],
        ["quantity", *head, "description", *others, "line_total"],
        ["quantity", "description", *others, "line_total"],
        ["description", *head, *middle, "line_total"],
        [*head, "description", *rng.sample(middle, len(middle)), "line_total"],
        [*head, *middle, "line_total", "description"],
        [*head, "description", *others, "quantity", "line_total"],
    )
    order = rng.choices(orders, (70, 10, 5, 5, 4, 2, 4))[0] if "quantity" in middle else orders[0]
    return [*order, "gross_total"] if gross else order
