"""Bills of everyday issuers: furniture shops, marketplaces, meter readers, tradesmen, public offices, builders."""

from collections.abc import Sequence
from decimal import Decimal

from models.training.generator.blocks import meta, parties, small_print, totals
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import Rich, Text, join
from models.training.generator.core.numbers import quantize
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.items import ZERO
from models.training.generator.families.business import dotted_items
from models.training.generator.families.letters import body
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

# Shorter numbers are not broken over lines.
_BREAKABLE = 12


def _captions_below(pen: Pen, pairs: Sequence[meta.Pair], x: float, width: float) -> None:
    """Values in columns, each with its caption in small print below it."""
    columns = pen.rng.randint(2, 3)
    cell, small = width / columns, pen.size * pen.rng.choice((0.7, 0.75, 0.8, 0.9))
    for start in range(0, len(pairs), columns):
        row = pairs[start : start + columns]
        for index, (_, value) in enumerate(row):
            pen.canvas.line(value, x + index * cell, pen.y, pen.size, bold=pen.style.value_bold)
        pen.y += pen.size * 1.15
        for index, (key, _) in enumerate(row):
            pen.canvas.line(pen.label(key), x + index * cell, pen.y, small)
        pen.y += small * 1.2 + pen.rng.uniform(4, 12)


@family(Brief(rows=(1, 10), prepaid=0.35, gross_share=0.5), weight=1.6)
def captions_below(pen: Pen) -> None:
    """A shop's bill for what was delivered: every caption stands below its value."""
    small_print.any_footer(pen, 0.6)
    top = pen.y
    parties.letterhead(pen, pen.left, contacts=False)
    address = pen.y
    if pen.chance(0.4):
        pen.y = top
        pen.lines(parties.contact_lines(pen, pen.case.seller), pen.right, size=pen.size * 0.9, align="right")
    pen.y = max(address, pen.y)
    pen.skip(1)
    x = pen.left + pen.width * pen.rng.uniform(0.45, 0.6)
    pairs = meta.fields(pen, extra=pen.rng.randint(1, 5), due=0.25)

    def data(pen: Pen, x: float) -> None:
        meta.title(pen, x)
        _captions_below(pen, pairs, x, pen.right - x)

    parties.side_by_side(pen, [(pen.left, lambda pen, x: parties.buyer_block(pen, x, heading=True)), (x, data)])
    pen.skip(1)
    body(pen)


def _broken(pen: Pen, number: str) -> Rich:
    """A long number as a narrow column prints it: over two lines, broken behind a dash."""
    places = [place + 1 for place, mark in enumerate(number[:-1]) if mark in "-/" and place > 1]
    text = number
    if len(number) >= _BREAKABLE and places:
        place = pen.rng.choice(places)
        text = f"{number[:place]} {number[place:]}"
    return [(text, Label.INVOICE_NUMBER)]


def _narrow_list(pen: Pen, pairs: Sequence[meta.Pair], x: float, width: float) -> None:
    """Captions at the left; values at the right edge of a narrow column, wrapped; both centred on their row."""
    cell = width * pen.rng.uniform(0.4, 0.5)
    for key, value in pairs:
        lines = pen.canvas.wrap(pen.canvas.tokens(value), cell, pen.size, pen.style.value_bold)
        if _ends_in_dash(value) and len(lines) == 1:
            lines = [[token] for token in lines[0]]
        middle = pen.y + pen.size * 1.15 * (len(lines) - 1) / 2
        pen.canvas.line(pen.label(key), x, middle, pen.size, bold=pen.style.label_bold)
        for tokens in lines:
            pen.canvas.put(tokens, x + width, pen.y, pen.size, bold=pen.style.value_bold, align="right")
            pen.y += pen.size * 1.15
        pen.y += pen.rng.uniform(1, 5)


def _ends_in_dash(value: Rich) -> bool:
    return any(label is Label.INVOICE_NUMBER and " " in text for text, label in value)


@family(Brief(goods=("goods",), rows=(1, 5), gross_share=0.7, buyer_person=0.85, prepaid=0.1), weight=1.6)
def marketplace_order(pen: Pen) -> None:
    """What a marketplace writes in a seller's name: paid, sold by whom, addresses in columns, order data below."""
    small_print.any_footer(pen, 0.3)
    case = pen.case
    number = _broken(pen, case.number) if pen.chance(0.5) else meta.number(pen)
    pairs: list[meta.Pair] = [
        ("method", [(pen.fresh("method_values"), None)]),
        ("sold_by", parties.seller(pen)),
        ("vat_id", [(case.seller.vat, Label.OTHER_NUMBER)]),
        ("issue_date", meta.issued(pen)),
        (meta.number_key(pen), number),
        ("total", pen.money(case.total, Label.TOTAL)),
    ]
    pairs = [pair for pair in pairs if pen.chance(0.85)]
    x = pen.left + pen.width * pen.rng.uniform(0.5, 0.6)

    def data(pen: Pen, x: float) -> None:
        meta.title(pen, pen.right, align="right")
        _narrow_list(pen, pairs, x, pen.right - x)

    parties.side_by_side(pen, [(pen.left, lambda pen, x: parties.buyer_block(pen, x, heading=False)), (x, data)])
    pen.skip(1)
    columns: list[tuple[float, parties.Block]] = [
        (pen.left, lambda pen, x: parties.buyer_block(pen, x, heading=True)),
        (pen.left + pen.width * 0.35, parties.ship_block),
        (pen.left + pen.width * 0.7, parties.seller_block),
    ]
    parties.side_by_side(pen, columns if pen.chance(0.7) else columns[::2])
    pen.skip(1)
    for key in pen.rng.sample(("order_number", "other_number", "delivery_number"), 2):
        pen.line(join(pen.label(key), " ", [(case.numbers[key], Label.OTHER_NUMBER)]))
    pen.line(join(pen.label("other_date"), " ", pen.day(case.other_date, Label.OTHER_DATE)))
    pen.skip(0.5)
    draw_table(pen)
    totals.any_totals(pen)
    small_print.notes(pen, 2)


def _sector_rows(pen: Pen) -> list[list[Rich]]:
    """A row for each rate of tax: what it is for, net, rate, tax, gross, paid in advance, what is left."""
    case = pen.case
    left, rows = case.paid, []
    for number, row in enumerate(case.taxes):
        is_last = number == len(case.taxes) - 1
        paid = left if is_last else quantize(case.paid * row.gross / (case.total or Decimal(1)), case.currency)
        left -= paid
        numbers: list[Rich] = [
            join(_plain(pen, row.net)),
            join(pen.rate(row.rate)),
            [(_plain(pen, row.tax), Label.TAX if len(case.taxes) == 1 else Label.TAX_LINE)],
            join(_plain(pen, row.gross)),
            join(_plain(pen, paid)),
            join(_plain(pen, row.gross - paid)),
        ]
        rows.append([join(pen.fresh("section")), *numbers])
    if len(rows) > 1:
        ends: list[Rich] = [
            [(_plain(pen, case.net), Label.SUBTOTAL)],
            [],
            [(_plain(pen, case.tax), Label.TAX)],
            [(_plain(pen, case.total), Label.TOTAL)],
            [(_plain(pen, case.paid), Label.PAID)] if case.paid else [],
            [(_plain(pen, case.amount_due), Label.AMOUNT_DUE)],
        ]
        rows.append([join(pen.word("total").split()[0]), *ends])
    return rows


def _plain(pen: Pen, value: Decimal) -> str:
    return pen.style.totals_money.plain(value)


def _sector_table(pen: Pen) -> None:
    heads = ("description", "tax_head_net", "tax_head_rate", "tax_head_tax", "tax_head_gross", "paid", "amount_due")
    edges = [pen.left, *(pen.left + pen.width * share for share in (0.32, 0.42, 0.55, 0.69, 0.84, 1.0))]
    rows: list[list[Rich]] = [[join(pen.label(head)) for head in heads], *_sector_rows(pen)]
    pen.room(pen.step * (len(rows) + 2))
    for row in rows:
        for number, (cell, edge) in enumerate(zip(row, edges, strict=True)):
            size = pen.size * 0.9
            room = pen.width * (0.2 if number == 0 else 0.125)
            size *= max(0.6, min(1.0, room / max(1.0, pen.canvas.text_width(cell, size)))) if cell else 1.0
            pen.canvas.line(cell, edge, pen.y, size, align="left" if number == 0 else "right")
        pen.skip(1.1)


@family(
    Brief(
        goods=("usage",), rows=(2, 8), long_share=0, several_rates=0.7, untaxed=0.02, prepaid=0.85, withheld=0,
        buyer_person=0.8, credit_share=0,
    ),
    weight=1.3,
)  # fmt: skip
def year_of_supply(pen: Pen) -> None:
    """A year's bill of a public utility: one table of what each supply cost and what was paid of it already."""
    small_print.any_footer(pen, 0.7)
    if pen.chance(0.5):
        parties.letterhead(pen, pen.rng.choice((pen.left, pen.left + pen.width * 0.6)))
        pen.skip(1)
    x = pen.left + pen.width * 0.55
    pairs = meta.fields(pen, extra=pen.rng.randint(2, 5), due=0.1)

    def window(pen: Pen, x: float) -> None:
        parties.sender_line(pen, x)
        parties.buyer_block(pen, x, heading=False)

    parties.side_by_side(pen, [(pen.left, window), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))])
    pen.skip(1)
    meta.title(pen, pen.left)
    pen.paragraph(pen.sentence("letter"))
    _sector_table(pen)
    due = join(pen.label("amount_due"), ", ", pen.word("due_date"), " ", pen.day(pen.case.due, Label.DUE_DATE))
    pen.canvas.line(due, pen.left, pen.y, pen.size, bold=True)
    pen.line(pen.money(pen.case.amount_due, Label.AMOUNT_DUE), pen.right, align="right", bold=True)
    small_print.notes(pen)
    if pen.chance(0.6):
        pen.new_page()
        draw_table(pen)
    if Label.SELLER not in pen.canvas.first:
        small_print.columns_footer(pen)


@family(
    Brief(
        goods=("services",), rows=(1, 6), long_share=0, untaxed=0.6, seller="practice", buyer_person=0.8, prepaid=0.3
    ),
    weight=1.3,
)
def tradesmans_note(pen: Pen) -> None:
    """Typed by a tradesman: title, to whom, work and prices without a table; his name only in the last lines."""
    meta.title(pen, pen.style.width / 2, align="center")
    if pen.chance(0.5):
        number: Text = [(pen.case.numbers["other_number"], Label.OTHER_NUMBER)]
        pen.line(join(pen.fresh("profession"), " ", number), pen.style.width / 2, align="center", size=pen.size * 0.8)
    pen.skip(1)
    top = pen.y
    parties.buyer_block(pen, pen.left, heading=True, extras=False)
    below, pen.y = pen.y, top
    pen.line(meta.issued(pen), pen.right, align="right")
    pen.line(join(pen.word("number"), " ", meta.number(pen)), pen.right, align="right")
    pen.y = max(below, pen.y)
    pen.skip(1)
    dotted_items(pen)
    totals.totals_block(pen)
    pen.paragraph(pen.sentence("term_prose"))
    if pen.chance(0.6):
        small_print.bank_details(pen)
    pen.skip(pen.rng.uniform(1, 6))
    name = parties.seller(pen)
    align = pen.rng.choice(("left", "center"))
    pen.line(join(name, pen.rng.choice(("  ", ", ", " - ")), ", ".join(pen.case.seller.address)), align=align)
    pen.lines(parties.contact_lines(pen, pen.case.seller), size=pen.size * 0.9, align=align)


@family(Brief(goods=("services", "usage"), rows=(1, 5), long_share=0, untaxed=0.7, buyer_person=0.3), weight=1.2)
def office_form(pen: Pen) -> None:
    """A public office's form: its name only beside its tax number, under the table, and on the slip to pay with."""
    meta.title(pen, pen.right, align="right")
    x = pen.left + pen.width * 0.55
    pairs = meta.fields(pen, extra=pen.rng.randint(2, 4), due=0.7)
    parties.side_by_side(
        pen, [(pen.left, parties.buyer_block), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(1)
    draw_table(pen)
    number: Text = [(pen.case.seller.vat, Label.OTHER_NUMBER)]
    pen.line(join(pen.word("vat_id"), " ", number, " ", parties.seller(pen)), size=pen.size * 0.9)
    totals.totals_block(pen)
    small_print.notes(pen, 2)
    pen.line("- " * int(pen.width / pen.canvas.text_width("- ", pen.size)))
    slip: list[meta.Pair] = [
        ("customer_number", [(pen.case.numbers["customer_number"], Label.OTHER_NUMBER)]),
        (meta.number_key(pen), meta.number(pen)),
        ("amount_due", pen.money(pen.case.amount_due, Label.AMOUNT_DUE)),
    ]
    if pen.chance(0.6):
        slip.insert(0, ("payee", parties.seller(pen)))
    meta.meta_grid(pen, slip, pen.left, pen.width)


@family(Brief(goods=("services",), rows=(6, 14), long_share=0.1, prepaid=0.5, credit_share=0), weight=1.0)
def building_works(pen: Pen) -> None:
    """A builder's final account: sections with sums of their own, put together once more before the tax."""
    small_print.any_footer(pen, 0.5)
    x = pen.left + pen.width * 0.5
    parties.side_by_side(
        pen,
        [(pen.left, lambda pen, x: parties.letterhead(pen, x, contacts=False)), (x, _address)],
    )
    pen.skip(1)
    parties.buyer_block(pen, pen.left, heading=False)
    pen.skip(1)
    meta.title(pen, pen.left)
    meta.meta_columns(pen, meta.fields(pen, extra=pen.rng.randint(2, 6), due=0.3), pen.left, pen.width)
    pen.skip(1)
    draw_table(pen)
    sections = _parts_of(pen, pen.case.lines_sum)
    for number, part in enumerate(sections, start=1):
        text = join(f"{number:02} ", pen.fresh("section"))
        pen.canvas.line(text, pen.left + pen.width * 0.2, pen.y, pen.size)
        pen.line(_plain(pen, part), pen.right, align="right")
    totals.totals_block(pen)
    small_print.closing(pen)


def _address(pen: Pen, x: float) -> None:
    """The full name, its address in the same line, and the contacts below."""
    pen.bound = pen.right
    pen.line(join(parties.seller(pen), ", ", ", ".join(pen.case.seller.address)), x, size=pen.size * 0.9)
    pen.lines(parties.contact_lines(pen, pen.case.seller), x, size=pen.size * 0.9)
    pen.bound = None


def _parts_of(pen: Pen, whole: Decimal) -> list[Decimal]:
    """A sum in two to four parts."""
    count, left = pen.rng.randint(2, 4), whole
    parts = []
    for number in range(count, 1, -1):
        part = quantize(left / number * Decimal(str(round(pen.rng.uniform(0.4, 1.6), 2))), pen.case.currency)
        parts.append(part)
        left -= part
    return [*parts, left] if left != ZERO else parts
