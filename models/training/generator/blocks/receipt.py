"""The parts of a receipt: paper, head, the till's data, items, sums and what follows."""

from models.training.generator.blocks import meta, parties, totals
from models.training.generator.blocks.names import logo, registered_name
from models.training.generator.blocks.table import remember
from models.training.generator.core.canvas import Rich, Text, join
from models.training.generator.core.fonts import Font
from models.training.generator.core.pen import Pen
from models.training.generator.facts.items import Item
from serve_app.domain.labels import Label

_WEEKDAYS = {
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "de": ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"),
    "fr": ("lun", "mar", "mer", "jeu", "ven", "sam", "dim"),
    "es": ("lun", "mar", "mié", "jue", "vie", "sáb", "dom"),
}


def paper(pen: Pen) -> None:
    """Narrow paper as long as its text; sometimes photographed with a margin around it."""
    rng = pen.rng
    pen.style.width = rng.choice((164.0, 204.0, 226.0, 226.0, 226.0, 260.0, 300.0))
    pen.style.margin = rng.uniform(6, 26)
    pen.style.size = rng.choice((7.0, 7.5, 8.0, 8.5, 9.0)) * pen.style.width / 226
    pen.style.leading = rng.uniform(1.1, 1.5)
    pen.style.font = pen.canvas.font = rng.choices((Font.MONO, Font.SANS, Font.SERIF), (60, 35, 5))[0]
    if pen.style.font is Font.MONO and pen.style.width < 220:
        pen.style.size *= 0.85
    pen.style.height = 10_000.0
    pen.canvas.page.width = pen.style.width
    pen.y = rng.uniform(6, 40)


def trim(pen: Pen) -> None:
    """Cuts the paper below the last line; some are photographed or scanned on a larger ground."""
    page, rng = pen.canvas.page, pen.rng
    page.height = pen.style.height = pen.y + rng.uniform(8, 60)
    if rng.random() < 0.3:
        aside, down = (rng.choice((rng.uniform(0, 40), rng.uniform(20, 250))) for _ in range(2))
        for ink in page.inks:
            ink.x += aside
            ink.y += down
        page.width += aside + rng.uniform(0, 250)
        page.height += down + rng.uniform(0, 150)


def head(pen: Pen) -> None:
    """Name, address and numbers, centred as a rule."""
    align = pen.rng.choices(("center", "left"), (80, 20))[0]
    x = pen.style.width / 2 if align == "center" else pen.left
    if pen.chance(0.16):
        pen.line(pen.fresh("slogan"), x, align=align, size=pen.size * pen.rng.choice((1.0, 1.3)))
    if pen.chance(0.14):
        logo(pen, x, pen.size * pen.rng.choice((1.4, 2.0, 2.6)), align)
    name = registered_name(pen)
    numbered = pen.chance(0.12) and pen.canvas.text_width(name, pen.size) < pen.width
    if numbered:
        pen.line(name, x, align=align)
    else:
        parties.wrapped_name(pen, x, pen.size * pen.rng.choice((1.0, 1.15, 1.4, 1.7, 2.2)), align, width=pen.width)
    parties.beside_name(pen, x, align)
    if not numbered and pen.chance(0.25):
        pen.line(join("(", [(pen.case.seller.tax_no, Label.OTHER_NUMBER)], ")"), x, align=align)
    lines = [*parties.address_lines(pen, pen.case.seller), *parties.contact_lines(pen, pen.case.seller)]
    for line in lines:
        pen.y = pen.canvas.paragraph(line, pen.left, pen.y, pen.width, pen.size, align=align)
    if pen.chance(0.15):
        pen.line(pen.fresh("slogan"), x, align=align)


def rule(pen: Pen) -> None:
    draw = pen.rng.random()
    if draw < 0.35:
        pen.skip(0.4)
        return
    mark = pen.rng.choice("--==*_.")
    count = int(pen.width / pen.canvas.text_width(mark, pen.size))
    text = " ".join(mark * (count // 2 - 1)) if draw > 0.93 and count > 12 else mark * count
    pen.line(text)


def clock(pen: Pen) -> str:
    return f"{pen.rng.randint(7, 22):02}:{pen.rng.randint(0, 59):02}" + (
        f":{pen.rng.randint(0, 59):02}" if pen.chance(0.5) else ""
    )


def dated(pen: Pen) -> Rich:
    """The date with the time beside it, behind it or glued to it."""
    day = meta.issued(pen, short=True)
    draw = pen.rng.random()
    if draw < 0.3:
        return day
    names = _WEEKDAYS.get(pen.case.language)
    if names and pen.chance(0.12):
        day = join(names[pen.case.issued.weekday()], pen.rng.choice((" ", ", ", ". ")), day)
    glue = pen.rng.choices((" ", "", "  ", " / ", " - ", "T"), (70, 10, 8, 4, 4, 4))[0]
    time = clock(pen) + (pen.rng.choice((" AM", " PM", "PM")) if pen.case.language == "en" and pen.chance(0.3) else "")
    return join(day, glue, time) if draw < 0.92 else join(time, " ", day)


def data(pen: Pen) -> None:
    """Receipt number, date and the till's own numbers."""
    rows: list[Text] = []
    if pen.chance(0.85):
        rows.append(labelled(pen, meta.till_key(pen), meta.number(pen)))
    if pen.chance(0.96):
        rows.append(labelled(pen, "issue_date", dated(pen)) if pen.chance(0.6) else dated(pen))
    for _ in range(pen.rng.randint(0, 4)):
        value = str(pen.rng.randint(1, 10 ** pen.rng.randint(1, 9)))
        rows.append(
            join(pen.fresh("member"), pen.rng.choice((":", " ", ": ", "#", " #")), [(value, Label.OTHER_NUMBER)])
        )
    if pen.chance(0.35):
        rows.append(join(pen.tagged("contact"), " ", pen.case.seller.person.split()[0]))
    if pen.chance(0.12):
        rows.append(join(pen.tagged("bill_to"), " ", parties.buyer(pen)))
    pen.rng.shuffle(rows)
    paired = pen.chance(0.3)
    while rows:
        if paired and len(rows) > 1 and _fits(pen, rows[0], rows[1]):
            pen.canvas.line(rows.pop(0), pen.left, pen.y, pen.size)
            pen.line(rows.pop(0), pen.right, align="right")
        else:
            pen.line(rows.pop(0))


def _fits(pen: Pen, left: Text, right: Text) -> bool:
    return pen.canvas.text_width(left, pen.size) + pen.canvas.text_width(right, pen.size) + 6 < pen.width


def labelled(pen: Pen, key: str, value: Rich) -> Rich:
    return join(pen.label(key), pen.rng.choice((": ", ": ", ":", " ", " : ", " # ")), value)


def _total(pen: Pen, item: Item) -> Rich:
    mark = pen.rng.choice(("", "", "", " A", " B", "*", " SR", " T1")) if pen.style.label_bold else ""
    return join(pen.money(item.total, Label.LINE_TOTAL, style=pen.style.table_money), mark)


def _number(pen: Pen, item: Item) -> str:
    own = max(0, -int(item.quantity.normalize().as_tuple().exponent))
    return pen.style.table_money.numbers.format(item.quantity, own)


def _name(pen: Pen, item: Item, width: float) -> None:
    """The description, on two lines where it does not fit."""
    tokens = pen.canvas.tokens([(item.description, Label.LINE_DESCRIPTION)])
    for index, line in enumerate(pen.canvas.wrap(tokens, width, pen.size)):
        if index:
            pen.y += pen.step
        pen.canvas.put(line, pen.left, pen.y, pen.size)


def items_one_line(pen: Pen) -> None:
    """`2 Coffee 5.00`"""
    quantity = pen.chance(0.6)
    mark = pen.rng.choice(("", "x", " x"))
    for item in pen.case.items:
        number: Rich = join([(_number(pen, item), Label.LINE_QUANTITY)], mark, " ") if quantity else []
        tokens = pen.canvas.tokens(join(number, [(item.description, Label.LINE_DESCRIPTION)]))
        top = pen.y
        for index, line in enumerate(pen.canvas.wrap(tokens, pen.width * 0.72, pen.size)):
            pen.y = top + index * pen.step
            pen.canvas.put(line, pen.left, pen.y, pen.size)
        pen.line(_total(pen, item), pen.right, align="right")
        remember(pen, item.description, item, quantity=quantity, price=False)


def items_two_lines(pen: Pen) -> None:
    """The name first, `2 x 2.50   5.00` below (or above) it."""
    code, above = pen.chance(0.35), pen.chance(0.12)
    mark = pen.rng.choice((" x ", " X ", "x ", " @ ", " * ", " x"))
    unit = pen.chance(0.15)
    for item in pen.case.items:
        price = pen.money(item.unit_price, Label.LINE_UNIT_PRICE, style=pen.style.table_money)
        sums = join(
            f"{item.code} " if code else "",
            [(_number(pen, item), Label.LINE_QUANTITY)],
            f" {item.unit}" if unit else "",
            mark,
            price,
        )
        if not above:
            _name(pen, item, pen.width)
            pen.y += pen.step
        pen.canvas.line(sums, pen.left + (10 if not code else 0), pen.y, pen.size)
        pen.line(_total(pen, item), pen.right, align="right")
        if above:
            _name(pen, item, pen.width)
            pen.y += pen.step
        remember(pen, item.description, item)


def items_columns(pen: Pen) -> None:
    """A header of QTY, PRICE and AMOUNT, the names on lines of their own or in the first column."""
    edges = (pen.left + pen.width * 0.55, pen.left + pen.width * 0.76, pen.right)
    keys = ("quantity", "unit_price", "line_total")
    if pen.chance(0.85):
        name = pen.label("description")
        wide = pen.canvas.text_width(name, pen.size) > pen.width * 0.42
        pen.canvas.line(name.split()[0] if wide else name, pen.left, pen.y, pen.size)
        for key, edge in zip(keys, edges, strict=True):
            pen.canvas.line(pen.label(key).split()[0], edge, pen.y, pen.size * 0.9, align="right")
        pen.y += pen.step
        rule(pen)
    own_line = pen.chance(0.6)
    for item in pen.case.items:
        _name(pen, item, pen.width if own_line else pen.width * 0.42)
        pen.y += pen.step if own_line else 0
        if own_line and pen.chance(0.5):
            pen.canvas.line(item.code[:8], pen.left, pen.y, pen.size)
        cells: tuple[Rich, ...] = (
            [(_number(pen, item), Label.LINE_QUANTITY)],
            [(pen.style.table_money.plain(item.unit_price), Label.LINE_UNIT_PRICE)],
            [(pen.style.table_money.plain(item.total), Label.LINE_TOTAL)],
        )
        for cell, edge in zip(cells, edges, strict=True):
            pen.canvas.line(cell, edge, pen.y, pen.size, align="right")
        pen.y += pen.step
        remember(pen, item.description, item)


def sums(pen: Pen) -> None:
    """Totals, then how it was paid; the total is often bigger."""
    rows = totals.sum_rows(pen)
    grow = pen.rng.choice((1.0, 1.0, 1.3, 1.6))
    beside = pen.chance(0.12)
    for text, value, strong in rows:
        size = pen.size * grow if strong else pen.size
        while size > 4 and pen.canvas.text_width(text, size) + pen.canvas.text_width(value, size) + 4 > pen.width:
            size *= 0.9
        if beside:
            pen.line(join(text, " ", value), size=size, bold=strong)
            continue
        pen.canvas.line(text, pen.left, pen.y, size, bold=strong)
        pen.line(value, pen.right, size=size, bold=strong, align="right")
    tender(pen)


def tender(pen: Pen) -> None:
    """Cash and change, or a card: not advance payments, so none of it is labelled."""
    case = pen.case
    if pen.chance(0.45) and not case.paid:
        given = case.total + pen.rng.choice((0, 0, 1, 5, 10, 20)) - (case.total % 1 if pen.chance(0.5) else 0)
        given = max(given, case.total)
        change = pen.money(given - case.total, None)
        for key, value in (("cash", pen.money(given, None)), ("change", change)):
            pen.canvas.line(pen.label(key), pen.left, pen.y, pen.size)
            pen.line(value, pen.right, align="right")
    elif pen.chance(0.6):
        pen.canvas.line(pen.label("card"), pen.left, pen.y, pen.size)
        pen.line(pen.money(case.total, None), pen.right, align="right")
        if pen.chance(0.5):
            pen.line(join("XXXX XXXX XXXX ", [(str(pen.rng.randint(1000, 9999)), Label.OTHER_NUMBER)]))
    if pen.chance(0.3):
        pen.line(f"{pen.label('items_count')}: {len(case.items)}")
    if len(case.taxes) > 1 or pen.chance(0.2):
        pen.skip(0.3)
        totals.tax_table(pen, width=pen.width)


def foot(pen: Pen) -> None:
    align = pen.rng.choice(("center", "left"))
    for _ in range(pen.rng.randint(0, 4)):
        pen.y = pen.canvas.paragraph(
            pen.sentence(pen.rng.choice(("thanks", "ads", "legal", "thanks"))),
            pen.left,
            pen.y,
            pen.width,
            pen.size,
            align=align,
        )
    for _ in range(pen.rng.randint(0, 3)):
        value = "".join(pen.rng.choices("0123456789", k=pen.rng.randint(4, 14)))
        pen.line(join(pen.fresh("member"), ": ", [(value, Label.OTHER_NUMBER)]))
    if pen.chance(0.1):
        pen.line(parties.seller(pen), pen.style.width / 2, align="center")
