"""Sums: subtotal, taxes, total, what was paid and what is due."""

from collections.abc import Sequence
from decimal import Decimal

from models.training.generator.core.canvas import Rich, Text, join, plain
from models.training.generator.core.numbers import quantize
from models.training.generator.core.pen import Pen
from models.training.generator.facts.case import TaxRow
from serve_app.domain.labels import Label

Row = tuple[Text, Rich, bool]


def _row(pen: Pen, key: str, value: Decimal, label: Label, *, strong: bool = False) -> Row:
    text: Text = pen.tagged(key) if pen.chance(0.5) else pen.label(key)
    if key == "allowance":
        text = _with_rate(pen, key, Decimal(pen.rng.choice((2, 3, 5, 10, 15))))
    if pen.style.totals_money.template == "{n}" and pen.chance(0.15):
        text = join(plain(text).rstrip(":"), " ", pen.mark())
    return text, pen.money(value, label), strong


def tax_text(pen: Pen, key: str, row: TaxRow) -> Rich:
    """The words before the tax of one rate, e.g. `VAT 19 % on 100.00`."""
    template = pen.word(key)
    if "{base}" in template and not row.net:
        template = "{tax} {rate}"
    text = template.format(tax=row.name, rate=pen.rate(row.rate), base=pen.style.totals_money.plain(row.net))
    return [(text, None)]


def tax_rows(pen: Pen) -> list[Row]:
    """One row for each rate, and their total where there are several."""
    case = pen.case
    taxes = [row for row in case.taxes if row.tax or pen.chance(0.4)]
    key = "tax_included" if case.gross_prices else "tax_row"
    if len(taxes) == 1:
        return [(tax_text(pen, key, taxes[0]), pen.money(taxes[0].tax, Label.TAX), False)]
    if len(taxes) > 1 and pen.chance(0.15):
        return [_row(pen, "tax_total", case.tax, Label.TAX)]
    rows: list[Row] = [(tax_text(pen, key, row), pen.money(row.tax, Label.TAX_LINE), False) for row in taxes]
    if rows and pen.chance(0.35):
        rows.append(_row(pen, "tax_total", case.tax, Label.TAX))
    return rows


def sum_rows(pen: Pen, *, taxes: bool = True) -> list[Row]:
    """All rows of a totals block, top to bottom."""
    case = pen.case
    extras: list[Row] = []
    if case.discount:
        sign = -1 if pen.chance(0.7) else 1
        for key, part in _parts(pen, case.discount, ("discount", "allowance")):
            extras.append(_row(pen, key, sign * part, Label.DISCOUNT))
    if case.shipping:
        for key, part in _parts(pen, case.shipping, (case.charge, "surcharge")):
            extras.append(_row(pen, key, part, Label.SHIPPING))
    elif pen.chance(0.04):
        extras.append(_row(pen, "shipping", case.shipping, Label.SHIPPING))
    rows: list[Row] = []
    if extras or pen.chance(0.3 if case.gross_prices or not case.tax else 0.9):
        rows.append(_row(pen, "subtotal", case.lines_sum if case.gross_prices or extras else case.net, Label.SUBTOTAL))
    rows += extras
    if extras and not case.gross_prices and pen.chance(0.4):
        rows.append((pen.fresh("subtotal"), pen.money(case.net, Label.SUBTOTAL), False))
    tax = tax_rows(pen) if taxes and not (case.gross_prices and pen.chance(0.25)) else []
    rounding = _rounding_rows(pen)
    end = total_rows(pen)
    if case.gross_prices and pen.chance(0.6):
        return rows + rounding + end[:1] + tax + end[1:]
    return rows + tax + rounding + end


def _parts(pen: Pen, value: Decimal, keys: tuple[str, str]) -> list[tuple[str, Decimal]]:
    """An allowance or charge, now and then as two of them."""
    if keys[0] == keys[1] or not pen.chance(0.2):
        return [(keys[0], value)]
    part = quantize(value / pen.rng.choice((2, 3, 4)), pen.case.currency)
    return [(keys[0], part), (keys[1], value - part)] if part and part != value else [(keys[0], value)]


def _with_rate(pen: Pen, key: str, rate: Decimal) -> Text:
    """The caption of `key` with its rate in it."""
    return pen.fresh(key).format(rate=pen.rate(rate))


def _rounding_rows(pen: Pen) -> list[Row]:
    """The rounding, sometimes below the sum that was rounded: that sum is not what is to be paid."""
    case = pen.case
    if not case.rounding:
        return []
    rows = [_row(pen, "rounding", case.rounding, Label.ROUNDING)]
    if pen.chance(0.4):
        exact = pen.money(case.total - case.rounding, None)
        rows.insert(0, (pen.fresh("total"), exact, False))
    return rows


def total_rows(pen: Pen) -> list[Row]:
    """The grand total, and below it what was paid and what is still due."""
    case = pen.case
    if not case.paid and not case.withheld and pen.chance(0.1):
        return [_row(pen, "amount_due", case.total, Label.AMOUNT_DUE, strong=True)]
    rows = [_row(pen, "total", case.total, Label.TOTAL, strong=True)]
    if case.paid < 0 < case.total:
        rows.append((pen.label("balance_forward"), pen.money(-case.paid, None), False))
    elif case.paid:
        sign = -1 if pen.chance(0.5) else 1
        rows.append(_row(pen, pen.rng.choice(("paid", "paid", "deposit")), sign * case.paid, Label.PAID))
    if case.withheld:
        rows.append((_with_rate(pen, case.withheld_kind, case.withheld_rate), pen.money(-case.withheld, None), False))
    if case.paid or case.withheld or pen.chance(0.13):
        rows.append(_row(pen, "amount_due", case.amount_due, Label.AMOUNT_DUE, strong=pen.chance(0.7)))
    return rows


def totals_block(
    pen: Pen, rows: Sequence[Row] | None = None, *, left: float | None = None, right: float | None = None
) -> None:
    """Rows with labels in one column and amounts, aligned right, in another; nothing if the table ended in them."""
    if rows is None and pen.sums_drawn:
        return
    rows = sum_rows(pen) if rows is None else rows
    if not rows:
        return
    right = pen.right if right is None else right
    start = left if left is not None else pen.left + pen.width * pen.rng.choice((0.45, 0.5, 0.55, 0.6, 0.65, 0.0, 0.3))
    labels_right = pen.chance(0.25)
    grow = pen.rng.choice((1.0, 1.0, 1.15, 1.3))
    widest = max(pen.canvas.text_width(value, pen.size * grow, True) for _, value, _ in rows)
    longest = max(pen.canvas.text_width(text, pen.size * grow, True) for text, _, _ in rows)
    start = max(min(start, right - widest - longest - 10), pen.left * 0.5)
    pen.room(len(rows) * pen.step * 1.1)
    for text, value, strong in rows:
        size, bold = (pen.size * grow, pen.chance(0.8)) if strong else (pen.size, False)
        if labels_right:
            pen.canvas.line(text, right - widest - 12, pen.y, size, bold=bold, align="right")
        else:
            pen.canvas.line(text, start, pen.y, size, bold=bold)
        pen.canvas.line(value, right, pen.y, size, bold=bold, align="right")
        pen.y += size * pen.style.leading


def totals_row(pen: Pen, rows: Sequence[Row] | None = None) -> None:
    """Labels beside each other with the amounts below them."""
    if rows is None and pen.sums_drawn:
        return
    rows = sum_rows(pen) if rows is None else rows
    pen.room(pen.step * 3)
    cell, align = pen.width / len(rows), pen.rng.choice(("left", "center", "right"))
    top, deepest = pen.y, pen.y
    for index, (text, _, _) in enumerate(rows):
        deepest = max(
            deepest, pen.canvas.paragraph(text, pen.left + index * cell, top, cell - 6, pen.size * 0.85, align=align)
        )
    pen.y = deepest + 2
    for index, (_, value, strong) in enumerate(rows):
        edge = pen.left + index * cell + {"left": 0, "center": cell / 2, "right": cell}[align] - 3
        pen.canvas.line(value, edge, pen.y, pen.size, bold=strong, align=align)
    pen.y += pen.step * 1.5


def totals_lines(pen: Pen) -> None:
    """Each row as running text: label and amount beside each other."""
    if pen.sums_drawn:
        return
    align = pen.rng.choice(("left", "right"))
    for text, value, strong in sum_rows(pen):
        pen.room(pen.step)
        pen.line(join(text, " ", value), bold=strong, align=align)


def tax_table(pen: Pen, left: float | None = None, width: float | None = None) -> None:
    """Rate, net, tax and gross of each rate, sometimes with a row of sums."""
    case = pen.case
    left, width = pen.left if left is None else left, pen.width * 0.6 if width is None else width
    pen.room(pen.step * (len(case.taxes) + 3))
    columns = _tax_columns(pen)
    if pen.chance(0.3):
        pen.line(pen.word("tax_head_title"), left, bold=True)
    cell = width / len(columns)
    edges = [left, *(left + cell * (index + 1) for index in range(1, len(columns)))]
    _tax_line(pen, [join(pen.word(f"tax_head_{column}")) for column in columns], edges)
    single = len(case.taxes) == 1
    for letter, row in zip("ABCDEFGH", case.taxes, strict=False):
        name = pen.rng.choice((f"{row.name} ", f"{letter} ", f"{letter} = ")) if pen.chance(0.35) else ""
        cells: dict[str, Rich] = {
            "rate": join(f"{name}{pen.rate(row.rate)}"),
            "net": join(_plain(pen, row.net)),
            "tax": [(_plain(pen, row.tax), Label.TAX if single else Label.TAX_LINE)],
            "gross": join(_plain(pen, row.gross)),
        }
        _tax_line(pen, [cells[column] for column in columns], edges)
    if pen.chance(0.5 if not single else 0.15):
        sums: dict[str, Rich] = {
            "rate": join(pen.word("total").split()[0]),
            "net": [(_plain(pen, case.net), Label.SUBTOTAL)],
            "tax": [(_plain(pen, case.tax), Label.TAX)],
            "gross": [(_plain(pen, case.net + case.tax), Label.TOTAL if not case.rounding else None)],
        }
        _tax_line(pen, [sums[column] for column in columns], edges)


def _tax_columns(pen: Pen) -> list[str]:
    """The columns of a tax table in one of the usual orders; the rate stands first."""
    rest = ["net", "tax", "gross"] if pen.chance(0.6) else ["net", "tax"]
    if pen.chance(0.25):
        rest = pen.rng.choice((["tax", "net", "gross"], ["gross", "net", "tax"], ["tax", "net"], ["gross", "tax"]))
    return ["rate", *rest]


def _plain(pen: Pen, value: Decimal) -> str:
    return pen.style.totals_money.plain(value)


def _tax_line(pen: Pen, cells: Sequence[Rich], edges: Sequence[float]) -> None:
    for index, (cell, edge) in enumerate(zip(cells, edges, strict=False)):
        room = abs(edges[index] - edges[index - 1]) - 2 if index else abs(edges[1] - edges[0]) * 0.6
        size = pen.size * 0.95
        size *= max(0.5, min(1.0, room / max(1.0, pen.canvas.text_width(cell, size))))
        pen.canvas.line(cell, edge, pen.y, size, align="left" if index == 0 else "right")
    pen.y += pen.step


def any_totals(pen: Pen) -> None:
    """Totals in any arrangement, with or without a tax table."""
    if pen.sums_drawn:
        return
    draw = pen.rng.random()
    several = len(pen.case.taxes) > 1
    if draw < (0.45 if several else 0.08):
        if pen.chance(0.5):
            tax_table(pen)
            pen.skip(0.5)
            totals_block(pen, sum_rows(pen, taxes=pen.chance(0.4)))
        else:
            totals_block(pen, sum_rows(pen, taxes=pen.chance(0.5)))
            pen.skip(0.5)
            tax_table(pen)
    elif draw < 0.88:
        totals_block(pen)
    elif draw < 0.95:
        totals_row(pen)
    else:
        totals_lines(pen)
