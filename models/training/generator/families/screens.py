"""Receipts sent by mail and shown on screens: narrow, label left and value right, brand names, no table."""

from models.training.generator.blocks import extras, meta, parties, small_print, totals
from models.training.generator.blocks.receipt import clock
from models.training.generator.blocks.table import draw_table, remember
from models.training.generator.core.canvas import Rich, Text, join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.countries import fill
from models.training.generator.facts.names import brand
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_MAIL = Brief(
    goods=("software", "goods", "travel", "food"), rows=(1, 4), long_share=0, gross_share=0.6, buyer_person=0.9,
    credit_share=0.02, untaxed=0.2,
)  # fmt: skip


def narrow(pen: Pen) -> None:
    """A column in the middle of the page, as mail programs print it."""
    pen.style.margin = pen.rng.choice((pen.style.margin, 110.0, 140.0, 160.0))


def spread(pen: Pen, text: Text, value: Rich, *, bold: bool = False) -> None:
    """Label at the left edge, value at the right one."""
    pen.room(pen.step)
    pen.canvas.line(text, pen.left, pen.y, pen.size, bold=bold)
    pen.line(value, pen.right, align="right", bold=bold)
    pen.skip(pen.rng.choice((0.0, 0.2)))


def screen_items(pen: Pen) -> None:
    """`Name x 2   12.00`, with a grey line of details below."""
    counted = pen.chance(0.6)
    for item in pen.case.items:
        pen.room(pen.step * 2)
        number: Rich = [(f"{item.quantity.normalize():f}", Label.LINE_QUANTITY)]
        text: Rich = [(item.description, Label.LINE_DESCRIPTION)]
        mark = pen.rng.choice((" x ", " × ", " - Qty: "))
        pen.canvas.line(join(text, mark, number) if counted else text, pen.left, pen.y, pen.size)
        pen.line(pen.money(item.total, Label.LINE_TOTAL), pen.right, align="right")
        if pen.chance(0.3):
            pen.line(
                join(
                    pen.day(pen.case.period[0], Label.OTHER_DATE), " - ", pen.day(pen.case.period[1], Label.OTHER_DATE)
                )
            )
        remember(pen, item.description, item, quantity=counted, price=False)


def _sums(pen: Pen) -> None:
    for text, value, strong in totals.sum_rows(pen):
        spread(pen, text, value, bold=strong)


@family(_MAIL, weight=1.5)
def mail_receipt(pen: Pen) -> None:
    """`Receipt from X`: the amount big, then data, items and sums in a narrow column."""
    narrow(pen)
    case = pen.case
    head = pen.chance(0.8)
    if head:
        parties.wrapped_name(pen, pen.left, pen.size * pen.rng.choice((1.2, 1.6, 2.2)))
    pen.skip(1)
    if pen.chance(0.6):
        pen.line(pen.fresh("thanks"), size=pen.size * pen.rng.choice((1.0, 1.4)))
    if not head or pen.chance(0.4):
        pen.line(join(pen.word("title_receipt"), " - ", parties.seller(pen)), size=pen.size * 1.3, bold=True)
    if pen.chance(0.4):
        pen.line(pen.money(case.total, Label.TOTAL), size=pen.size * 2.2, bold=True)
        pen.line(join(pen.word("paid"), " ", meta.issued(pen)))
    pen.skip(1)
    pairs = meta.fields(pen, extra=pen.rng.randint(0, 3), due=0.05)
    for key, value in pairs:
        spread(pen, pen.label(key), value)
    if pen.chance(0.4):
        spread(pen, pen.label("bill_to"), parties.buyer(pen))
    pen.skip(1)
    screen_items(pen)
    pen.skip(0.5)
    _sums(pen)
    if pen.chance(0.5):
        spread(pen, pen.label("card"), join("•••• ", fill("####", pen.rng)))
    pen.skip(1)
    small_print.notes(pen, 2)
    if pen.chance(0.6):
        pen.paragraph(join(parties.seller(pen), ", ", ", ".join(case.seller.address)), size=pen.size * 0.8)


@family(_MAIL, weight=1.1)
def subscription(pen: Pen) -> None:
    """A subscription's receipt: three captions over the paid sum, plan with its period, the next date."""
    case = pen.case
    parties.wrapped_name(pen, pen.left, pen.size * 1.8) if pen.chance(0.5) else meta.title(pen, pen.left)
    pen.skip(1)
    pairs: list[meta.Pair] = [
        *meta.fields(pen, extra=0, due=0.3),
        ("next_date", pen.day(case.due.replace(day=1), Label.OTHER_DATE)),
    ]
    pen.rng.choice((meta.any_meta, lambda pen, pairs: meta.meta_grid(pen, pairs, pen.left, pen.width)))(pen, pairs)
    x = pen.left + pen.width * 0.5
    parties.side_by_side(pen, [(pen.left, parties.seller_block), (x, parties.buyer_block)])
    pen.skip(1)
    if pen.chance(0.5):
        text = join(pen.money(case.amount_due, Label.AMOUNT_DUE), " ", pen.word("paid").lower(), " ", meta.issued(pen))
        pen.line(text, size=pen.size * 1.7, bold=True)
        pen.skip(1)
    screen_items(pen) if pen.chance(0.4) else draw_table(pen)
    pen.skip(0.5)
    totals.totals_block(pen, left=x) if pen.chance(0.6) else _sums(pen)
    small_print.notes(pen, 2)


@family(
    Brief(goods=("goods", "food"), rows=(1, 5), long_share=0.02, gross_share=0.6, buyer_person=0.9),
    weight=1.0,
    held_out=True,
)
def marketplace(pen: Pen) -> None:
    """The platform's name on top, the seller in a line among the order's data."""
    platform = brand(pen.rng)
    pen.line(platform, size=pen.size * 2, bold=True)
    pen.skip(0.5)
    meta.title(pen, pen.left)
    pairs = meta.fields(pen, extra=pen.rng.randint(2, 4), due=0.05)
    for key, value in [*pairs, ("sold_by", parties.seller(pen))]:
        pen.pair(key, value, pen.left, gap=pen.width * 0.35)
    if pen.chance(0.6):
        pen.lines(parties.address_lines(pen, pen.case.seller), pen.left + pen.width * 0.35)
    pen.skip(1)
    parties.side_by_side(pen, [(pen.left, parties.buyer_block), (pen.left + pen.width * 0.5, parties.ship_block)])
    pen.skip(1)
    draw_table(pen)
    totals.any_totals(pen)
    pen.paragraph(f"{platform} {pen.rng.choice(('S.à r.l.', 'Inc.', 'Marketplace', 'GmbH'))} - {pen.fresh('legal')}")


@family(
    Brief(goods=("travel",), rows=(1, 3), long_share=0, gross_share=0.7, buyer_person=1.0, credit_share=0), weight=0.8
)
def ride(pen: Pen) -> None:
    """A trip: the total on top, fares and surcharges, times and places, the driver."""
    narrow(pen)
    case, rng = pen.case, pen.rng
    parties.wrapped_name(pen, pen.left, pen.size * 2)
    pen.line(meta.issued(pen), pen.right if pen.chance(0.4) else pen.left, align="left")
    if pen.chance(0.7):
        pen.line(join(pen.fresh("thanks").rstrip("."), ", ", case.buyer.person.split()[0]), size=pen.size * 1.5)
    spread(pen, pen.label("total"), pen.money(case.total, Label.TOTAL), bold=True)
    pen.skip(1)
    if pen.chance(0.6):
        pen.pair(meta.number_key(pen), meta.number(pen), pen.left)
    screen_items(pen)
    _sums(pen)
    pen.skip(1)
    for _ in range(2):
        pen.line(f"{clock(pen)}  {rng.choice((case.seller.street, case.buyer.street))}, {case.buyer.place}")
    pen.line(f"{rng.randint(1, 40)}.{rng.randint(0, 9)} km, {rng.randint(3, 55)} min")
    pen.line(join(pen.tagged("contact"), " ", case.seller.person))
    if pen.chance(0.2):
        extras.restated(pen)
    small_print.notes(pen, 2)
