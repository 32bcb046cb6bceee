"""Tables of line items: columns in any subset and order, over as many pages as they need."""

from collections.abc import Callable
from decimal import Decimal

from models.training.generator.blocks.columns import WIDTHS, ColumnPlan, make_plan
from models.training.generator.blocks.totals import sum_rows
from models.training.generator.core.canvas import LINE, Rich, Token, join, plain
from models.training.generator.core.numbers import quantize
from models.training.generator.core.pen import Pen
from models.training.generator.facts.items import ZERO, Item
from serve_app.domain.invoice import LineItem
from serve_app.domain.labels import Label

# Wide tables are set smaller, down to this size in points.
_SMALLEST = 5.5


class Table:
    """One drawn table."""

    def __init__(self, pen: Pen, plan: ColumnPlan, left: float | None = None, width: float | None = None) -> None:
        self.pen, self.plan = pen, plan
        self.left = pen.left if left is None else left
        self.width = pen.width if width is None else width
        self.rates = sorted({item.rate for item in pen.case.items})
        self.spans = self._spans()
        self.sum = ZERO
        self.position_step = pen.rng.choice((1, 1, 1, 1, 10))

    def _spans(self) -> dict[str, tuple[float, float]]:
        """The x-range of each column: as wide as its numbers and heading need, at least its usual share."""
        plan = self.plan
        widths = self._widths()
        while sum(widths.values()) > self.width * 0.75 and plan.size > _SMALLEST:
            plan.size *= 0.9
            widths = self._widths()
        spare = self.width - sum(widths.values())
        if spare < self.width * 0.2:
            shrink = self.width * 0.8 / sum(widths.values())
            widths = {column: width * shrink for column, width in widths.items()}
            spare = self.width * 0.2
        widths["description"] = spare
        spans, x = {}, self.left
        for column in plan.columns:
            spans[column] = (x, x + widths.get(column, spare))
            x += widths.get(column, spare)
        return spans

    def _widths(self) -> dict[str, float]:
        """What each column but the description needs."""
        plan, measure = self.plan, self.pen.canvas.text_width
        widths: dict[str, float] = {}
        for column in plan.columns:
            if column == "description":
                continue
            cells = [measure(self._cell(item, column, 99), plan.size) for item in self.pen.case.items[:20]]
            words = plain(self._heading(column)).split() if plan.header else []
            heading = max((measure(word, plan.size, True) for word in words), default=0)
            widths[column] = max(WIDTHS[column] * self.width * 0.8, max(cells, default=0) + 6, heading + 5)
        return widths

    # -- cells

    def _quantity(self, item: Item) -> str:
        value, places = item.quantity, self.plan.quantity_places
        own = max(0, -int(value.normalize().as_tuple().exponent))
        return self.pen.style.table_money.numbers.format(value, own if places is None else max(places, own))

    def _cell(self, item: Item, column: str, position: int) -> Rich:
        pen, plan = self.pen, self.plan
        if column == "quantity":
            number: Rich = [(self._quantity(item), Label.LINE_QUANTITY)]
            if not plan.unit_in_quantity:
                return number
            before, _, after = plan.unit_in_quantity.replace("{u}", item.unit).partition("{q}")
            return join(before, number, after)
        if column == "unit_price":
            price = pen.money(item.unit_price, Label.LINE_UNIT_PRICE, style=pen.style.table_money)
            return join(price, f"/{item.unit}") if plan.unit_with_price else price
        if column == "line_total":
            if plan.allowances and item.discount:
                return pen.money(self._before_discount(item), None, style=pen.style.table_money)
            return pen.money(item.total, Label.LINE_TOTAL, style=pen.style.table_money)
        if column == "day":
            return pen.day(item.day, None, short=True)
        return [(self._look_alike(item, column, position), None)]

    def _look_alike(self, item: Item, column: str, position: int) -> str:
        """The cell of an unlabelled column."""
        pen, money = self.pen, self.pen.style.table_money
        tax = _tax_of(item, pen.case.gross_prices)
        makers: dict[str, Callable[[], str]] = {
            "pos": lambda: str(position),
            "code": lambda: item.code,
            "unit": lambda: item.unit,
            "ordered": lambda: self._quantity(item),
            "tax_rate": lambda: pen.rate(item.rate),
            "tax_amount": lambda: money.plain(tax),
            "tax_code": lambda: "ABCDE"[self.rates.index(item.rate)],
            "gross_total": lambda: money.plain(item.total + tax),
            "list_price": lambda: money.plain(item.unit_price * (107 + item.discount) / 100),
            "discount_rate": lambda: pen.rate(item.discount) if item.discount and pen.case.row_discounts else "",
        }
        return makers[column]()

    # -- drawing

    def draw(self) -> None:
        pen, plan = self.pen, self.plan
        self._header()
        for index, item in enumerate(pen.case.items):
            self._between(index)
            lines = self._description(item)
            self._make_room(len(lines) * plan.size * LINE + plan.gap)
            self._row(item, lines, (index + 1) * self.position_step)
            self.sum += item.total
        self._rule()
        if plan.sums and "line_total" in self.spans:
            self._sums()

    def _sums(self) -> None:
        """The document's sums as the table's last rows."""
        pen, plan = self.pen, self.plan
        rows = sum_rows(pen)
        self._make_room(len(rows) * pen.step * 1.2)
        x, right = self._anchor("description"), self._anchor("line_total")
        for text, value, strong in rows:
            pen.canvas.line(text, x, pen.y, plan.size, bold=strong)
            pen.canvas.line(value, right, pen.y, plan.size, bold=strong, align=plan.align["line_total"])
            pen.y += plan.size * LINE + plan.gap
        pen.sums_drawn = True

    def _between(self, index: int) -> None:
        """What may stand between two rows: a section's name, a delivery note's number, a sum so far."""
        pen = self.pen
        if self.plan.sections and (index == 0 or pen.chance(0.25)):
            pen.line(pen.fresh("section"), self._anchor("description"), bold=True)
        if self.plan.remarks and pen.chance(0.35):
            number = pen.case.numbers["delivery_number"]
            remark = join(pen.word("delivery_number"), " ", [(number, Label.OTHER_NUMBER)], " ", pen.word("dated"), " ")
            pen.line(join(remark, pen.day(pen.case.other_date, Label.OTHER_DATE)), self._anchor("description"))
        if self.plan.sections and index and pen.chance(0.2):
            self._carry("page_total")

    def _make_room(self, height: float) -> None:
        pen = self.pen
        reserve = pen.step * 2.5 if self.plan.carry else 0
        if pen.y + height + reserve <= pen.bottom:
            return
        if self.plan.carry:
            self._carry("carried")
        pen.new_page()
        if pen.chance(0.9):
            self._header()
        if self.plan.carry:
            self._carry("brought")

    def _carry(self, key: str) -> None:
        pen = self.pen
        label = pen.word(key).format(n=len(pen.canvas.sheets), m="")
        amount = pen.money(self.sum, None, style=pen.style.table_money)
        if "line_total" in self.spans:
            pen.canvas.line(label, self._anchor("description"), pen.y, self.plan.size)
            pen.canvas.line(
                amount, self._anchor("line_total"), pen.y, self.plan.size, align=self.plan.align["line_total"]
            )
        pen.y += self.plan.size * 1.6

    def _rule(self) -> None:
        pen, mark = self.pen, self.plan.rules
        if mark:
            count = int(self.width / max(1.0, pen.canvas.text_width(mark, self.plan.size)))
            pen.line(mark * count, self.left, size=self.plan.size)

    def _header(self) -> None:
        pen, plan = self.pen, self.plan
        self._rule()
        if not self.plan.header:
            return
        bold, top, deepest = pen.chance(0.7), pen.y, pen.y
        for column in plan.columns:
            left, right = self.spans[column]
            y = pen.canvas.paragraph(
                self._heading(column), left, top, right - left - 3, plan.size, bold=bold, align=plan.align[column]
            )
            deepest = max(deepest, y)
        pen.y = deepest + plan.gap / 2 + 2
        self._rule()

    def _heading(self, column: str) -> Rich:
        pen = self.pen
        key = {"tax_amount": "tax_head_tax", "gross_total": "tax_head_gross"}.get(column, column)
        if column == "ordered":
            return join(pen.label("order_number").split()[0])
        if column == "day":
            return join(pen.word("issue_date").split()[-1])
        heading = join(pen.label(key))
        if self.plan.header_mark and column == "line_total":
            before, after = pen.rng.choice(((" (", ")"), (" ", ""), (" in ", "")))
            return join(heading, before, pen.mark(), after)
        return heading

    def _anchor(self, column: str) -> float:
        left, right = self.spans[column]
        return {"left": left, "right": right - 4, "center": (left + right) / 2}[self.plan.align[column]]

    def _description(self, item: Item) -> list[list[Token]]:
        """The lines of the description cell."""
        pen, plan = self.pen, self.plan
        left, right = self.spans["description"]
        width = right - left - 8
        tokens = pen.canvas.tokens([(item.description, Label.LINE_DESCRIPTION)])
        lines = pen.canvas.wrap(tokens, width, plan.size)
        if plan.code_inside:
            code = pen.canvas.tokens(f"{pen.word('code')} {item.code}" if pen.chance(0.3) else item.code)
            lines = [code, *lines] if pen.chance(0.5) else [*lines, code]
        if plan.details:
            for detail in item.details:
                lines += pen.canvas.wrap(self._detail(detail, tokens[0].entity), width, plan.size)
        return lines

    def _detail(self, detail: str, entity: int) -> list[Token]:
        """A further line of the description, all of it part of the item's text."""
        words = plain(self.pen.fill(detail)).split()
        return [Token(word, Label.LINE_DESCRIPTION, entity) for word in words]

    def _row(self, item: Item, lines: list[list[Token]], position: int) -> None:
        pen, plan = self.pen, self.plan
        top = pen.y
        anchor = self.spans["description"][0]
        below = 1 if plan.values_line < 0 else 0
        for index, tokens in enumerate(lines, below):
            at = anchor + (plan.indent if index > below else 0.0)
            pen.canvas.put(tokens, at, top + index * plan.size * LINE, plan.size)
        y = top + (len(lines) - 1) * plan.size * LINE * max(0.0, plan.values_line)
        for column in plan.columns:
            if column != "description":
                pen.canvas.line(
                    self._cell(item, column, position), self._anchor(column), y, plan.size, align=plan.align[column]
                )
        pen.y = top + (len(lines) + below) * plan.size * LINE
        if plan.allowances and item.discount and "line_total" in self.spans:
            self._allowance(item)
        pen.y += plan.gap
        self._remember(item, lines)

    def _before_discount(self, item: Item) -> Decimal:
        return quantize(item.quantity * item.unit_price, self.pen.case.currency)

    def _allowance(self, item: Item) -> None:
        """The row's discount and what is left, in lines below the row: only that is the row's total."""
        pen, plan = self.pen, self.plan
        style = pen.style.table_money
        rows: list[tuple[str, Rich]] = [
            (
                pen.fresh("allowance").format(rate=pen.rate(item.discount)),
                pen.money(item.total - self._before_discount(item), None, style=style),
            ),
            (pen.word("net_value"), pen.money(item.total, Label.LINE_TOTAL, style=style)),
        ]
        for text, amount in rows:
            pen.canvas.line(text, self._anchor("description"), pen.y, plan.size)
            pen.canvas.line(amount, self._anchor("line_total"), pen.y, plan.size, align=plan.align["line_total"])
            pen.y += plan.size * LINE

    def _remember(self, item: Item, lines: list[list[Token]]) -> None:
        text = " ".join(token.text for line in lines for token in line if token.label is Label.LINE_DESCRIPTION)
        remember(
            self.pen, text, item, quantity="quantity" in self.plan.columns, price="unit_price" in self.plan.columns
        )


def remember(pen: Pen, text: str, item: Item, *, quantity: bool = True, price: bool = True) -> None:
    """Records a printed row for the truth."""
    pen.rows.append(
        LineItem(
            description=pen.canvas.dressed(text),
            quantity=item.quantity if quantity else None,
            unit_price=item.unit_price if price else None,
            confidence=None,
        )
    )


def _tax_of(item: Item, gross: bool) -> Decimal:
    return item.total * item.rate / (100 + item.rate) if gross else item.total * item.rate / 100


def draw_table(pen: Pen, columns: list[str] | None = None) -> ColumnPlan:
    """A table of all items over the page's width."""
    plan = make_plan(pen, columns)
    Table(pen, plan).draw()
    return plan
