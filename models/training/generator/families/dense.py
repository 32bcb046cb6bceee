"""Forms: three columns of captions and values, captions inside cells, numbered boxes, print-outs, fax."""

from collections.abc import Sequence
from functools import partial

from models.training.generator.blocks import meta, parties, small_print, totals
from models.training.generator.blocks.marks import fax_header
from models.training.generator.blocks.table import draw_table, remember
from models.training.generator.core.canvas import Rich, join
from models.training.generator.core.fonts import Font
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.countries import fill
from models.training.generator.families.letters import body
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label


def caption_cells(pen: Pen, rows: Sequence[meta.Pair], columns: int) -> None:
    """Cells with a tiny caption in the upper left corner and the value below it."""
    cell, tiny = pen.width / columns, max(4.5, pen.size * pen.rng.choice((0.6, 0.7, 0.8)))
    numbered, low = pen.chance(0.2), pen.rng.uniform(1.0, 1.5)
    for start in range(0, len(rows), columns):
        pen.room(pen.step * 3)
        deepest = top = pen.y
        for index, (key, value) in enumerate(rows[start : start + columns]):
            x = pen.left + index * cell
            caption = f"{start + index + 1} {pen.label(key)}" if numbered else pen.label(key)
            pen.canvas.line(caption, x, top, tiny)
            deepest = max(deepest, pen.canvas.paragraph(value, x + 3, top + tiny * low, cell - 8, pen.size))
        pen.y = deepest + pen.rng.uniform(2, 8)


@family(weight=1.2)
def three_column_labels(pen: Pen) -> None:
    """`label: value` in three columns under the letterhead: dates, numbers, people, terms."""
    small_print.any_footer(pen, 0.3)
    parties.side_by_side(
        pen,
        [(pen.left, parties.letterhead), (pen.left + pen.width * 0.55, partial(parties.buyer_block, heading=True))],
    )
    pen.skip(1)
    meta.title(pen, pen.rng.choice((pen.left, pen.style.width / 2)))
    pairs = meta.fields(pen, extra=pen.rng.randint(4, 9))
    third, per_column = pen.width / 3, -(-len(pairs) // 3)
    top = deepest = pen.y
    for column in range(3):
        pen.y = top
        for key, value in pairs[column * per_column : (column + 1) * per_column]:
            pen.line(join(pen.tagged(key), " ", value), pen.left + column * third, size=pen.size * 0.85)
        deepest = max(deepest, pen.y)
    pen.y = deepest
    pen.skip(0.5)
    body(pen)


@family(Brief(rows=(1, 8), several_rates=0.35), weight=1.2)
def cells_page(pen: Pen) -> None:
    """Everything is a cell: parties, numbers, dates, even the sums."""
    rows: list[meta.Pair] = [
        ("sold_by", join(parties.seller(pen), ", ", ", ".join(pen.case.seller.address))),
        ("bill_to", join(parties.buyer(pen), ", ", ", ".join(pen.case.buyer.address))),
        *meta.fields(pen, extra=pen.rng.randint(4, 9)),
    ]
    if pen.chance(0.5):
        parties.letterhead(pen, pen.left)
        rows = rows[1:]
    if pen.chance(0.5):
        pen.rng.shuffle(rows)
    meta.title(pen, pen.rng.choice((pen.left, pen.style.width / 2)))
    caption_cells(pen, rows, pen.rng.choice((2, 3, 3, 4)))
    pen.skip(0.5)
    draw_table(pen)
    totals.totals_row(pen) if pen.chance(0.5) else totals.any_totals(pen)
    small_print.closing(pen)


@family(Brief(rows=(1, 6), long_share=0.02, untaxed=0.2), weight=0.7)
def numbered_boxes(pen: Pen) -> None:
    """An official form: numbered boxes with captions, amounts in a column of boxes at the right."""
    pen.line(f"{pen.rng.choice(('Form', 'F', 'Formular', 'Mod.'))} {fill('?-###', pen.rng)}", pen.right, align="right")
    meta.title(pen, pen.style.width / 2, align="center", size=pen.size * 1.3)
    rows: list[meta.Pair] = [
        ("name", parties.seller(pen)),
        ("street", join(", ".join(pen.case.seller.address))),
        ("tax_number", [(pen.case.seller.tax_no, Label.OTHER_NUMBER)]),
        ("bill_to", parties.buyer(pen)),
        ("ship_to", join(", ".join(pen.case.buyer.address))),
        *meta.fields(pen, extra=pen.rng.randint(2, 6)),
    ]
    columns = pen.rng.choice((1, 2, 2))
    number = 0
    cell = pen.width / columns
    for start in range(0, len(rows), columns):
        deepest = top = pen.y
        for index, (key, value) in enumerate(rows[start : start + columns]):
            number += 1
            x = pen.left + index * cell
            pen.canvas.line(f"{number}. {pen.label(key)}", x, top, pen.size * 0.8)
            deepest = max(deepest, pen.canvas.paragraph(value, x + 12, top + pen.step, cell - 16, pen.size))
        pen.y = deepest + 3
    draw_table(pen)
    for text, value, strong in totals.sum_rows(pen) if not pen.sums_drawn else []:
        number += 1
        pen.canvas.line(join(f"{number}. ", text), pen.left + pen.width * 0.4, pen.y, pen.size, bold=strong)
        pen.line(value, pen.right, align="right", bold=strong)
    small_print.closing(pen)


@family(Brief(rows=(1, 7)), weight=0.7)
def fax_page(pen: Pen) -> None:
    """A faxed typewriter page: fixed pitch, captions and values side by side, transmission line on top."""
    pen.style.font = pen.canvas.font = Font.MONO
    pen.style.size = min(pen.style.size, 9.0)
    fax_header(pen)
    parties.letterhead(pen, pen.left)
    pen.skip(1)
    for key, value in (("bill_to", parties.buyer(pen)), ("fax", join([(pen.case.buyer.fax, Label.OTHER_NUMBER)]))):
        pen.pair(key, value, pen.left, gap=90)
    for key, value in meta.fields(pen, extra=pen.rng.randint(0, 4)):
        pen.pair(key, value, pen.left, gap=90)
    pen.skip(1)
    body(pen)


def _entry(pen: Pen, key: str, value: Rich) -> None:
    pen.paragraph(join(pen.label(key), ": ", value))


@family(Brief(rows=(1, 6), long_share=0.03, gross_share=0, several_rates=0.4), weight=1.1)
def flat_print(pen: Pen) -> None:
    """A record printed field by field as `caption: value`, sums and items too; headings between the groups."""
    case, rng = pen.case, pen.rng
    head = meta.fields(pen, extra=rng.randint(3, 8))
    buyer: list[meta.Pair] = [
        ("bill_to", parties.buyer(pen)),
        ("street", join(case.buyer.street)),
        ("city", join(case.buyer.place)),
        ("vat_id", [(case.buyer.vat, Label.OTHER_NUMBER)]),
        ("customer_number", [(case.numbers["customer_number"], Label.OTHER_NUMBER)]),
    ]
    seller: list[meta.Pair] = [
        ("sold_by", parties.seller(pen)),
        ("street", join(case.seller.street)),
        ("city", join(case.seller.place)),
        ("vat_id", [(case.seller.vat, Label.OTHER_NUMBER)]),
        ("tax_number", [(case.seller.tax_no, Label.OTHER_NUMBER)]),
        ("account", [(case.seller.iban, Label.OTHER_NUMBER)]),
        ("phone", [(case.seller.phone, Label.OTHER_NUMBER)]),
    ]
    meta.title(pen, pen.left)
    groups = [("title_invoice", head), ("bill_to", buyer), ("sold_by", seller)]
    if rng.random() < 0.6:
        rng.shuffle(groups)
    for key, rows in groups:
        if rng.random() < 0.5:
            pen.line(pen.word(key), bold=True)
        for name, value in rows:
            if name == key or rng.random() < 0.8 or value[0][1] in (Label.INVOICE_NUMBER, Label.ISSUE_DATE):
                _entry(pen, name, value)
        pen.skip(0.5)
    steps = [_flat_items, _flat_sums]
    if rng.random() < 0.3:
        steps.reverse()
    for step in steps:
        step(pen)
    small_print.payment(pen)


def _flat_sums(pen: Pen) -> None:
    for text, value, _ in totals.sum_rows(pen):
        pen.line(join(text, " ", value))
    pen.skip(0.5)


def _flat_items(pen: Pen) -> None:
    """Each item as a block of fields, or all of it in one line."""
    pen.line(pen.word("description"), bold=True)
    in_line = pen.chance(0.4)
    for number, item in enumerate(pen.case.items, 1):
        numbers = pen.style.table_money.numbers
        quantity: Rich = [
            (
                numbers.format(item.quantity, max(0, -int(item.quantity.normalize().as_tuple().exponent))),
                Label.LINE_QUANTITY,
            )
        ]
        price = pen.money(item.unit_price, Label.LINE_UNIT_PRICE, style=pen.style.table_money)
        total = pen.money(item.total, Label.LINE_TOTAL, style=pen.style.table_money)
        text: Rich = [(item.description, Label.LINE_DESCRIPTION)]
        pen.room(pen.step * 5)
        if in_line:
            fields = (
                f"{number} ",
                text,
                f", {pen.word('quantity')}: ",
                quantity,
                f" {item.unit}, ",
                f"{pen.word('unit_price')}: ",
                price,
            )
            pen.paragraph(join(*fields, f", {pen.word('line_total')}: ", total))
        else:
            pairs = [("description", text), ("quantity", quantity), ("unit_price", price), ("line_total", total)]
            pen.line(f"{pen.word('pos')} {number}")
            for key, value in pairs:
                pen.line(join("   ", pen.label(key), ": ", value))
        remember(pen, item.description, item)
    pen.skip(0.5)


@family(Brief(rows=(2, 9), goods=("goods", "services"), scale=2), weight=0.8, held_out=True)
def letter_of_boxes(pen: Pen) -> None:
    """Sums in cells on top, the table in the middle, the parties and all numbers at the bottom."""
    meta.title_line(pen, pen.style.width * 0.3)
    rows: list[meta.Pair] = [
        ("issue_date", meta.issued(pen)),
        ("total", pen.money(pen.case.total, Label.TOTAL)),
        ("due_date", pen.day(pen.case.due, Label.DUE_DATE)),
    ]
    caption_cells(pen, rows, 3)
    pen.skip(1)
    draw_table(pen)
    totals.totals_block(pen)
    pen.skip(1)
    blocks: list[parties.Block] = [
        partial(parties.buyer_block, heading=True),
        partial(parties.seller_block, heading=True),
    ]
    pen.rng.shuffle(blocks)
    parties.side_by_side(pen, [(pen.left, blocks[0]), (pen.left + pen.width / 2, blocks[1])])
    pen.skip(0.5)
    caption_cells(pen, meta.decoys(pen, pen.rng.randint(2, 6)), 3)
    small_print.notes(pen)
