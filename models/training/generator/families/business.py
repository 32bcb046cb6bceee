"""Bills of particular trades: utilities, hotels, workshops, freight, online shops."""

from functools import partial

from models.training.generator.blocks import meta, parties, small_print, totals
from models.training.generator.blocks.columns import make_plan
from models.training.generator.blocks.table import Table, draw_table, remember
from models.training.generator.core.canvas import Rich, join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.countries import fill
from models.training.generator.families.letters import repeated_head
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label


def summary(pen: Pen, x: float, width: float) -> None:
    """The sums as a box on the first page, far from the details."""
    rows = totals.sum_rows(pen)
    if pen.chance(0.4):
        previous = pen.money(pen.case.lines_sum + 7, None)
        rows = [(pen.word("previous"), previous, False), *rows]
    totals.totals_block(pen, rows, left=x, right=x + width)


def edge_letterhead(pen: Pen, sides: tuple[str, ...]) -> None:
    """The letterhead at an edge or in the middle of the page."""
    side = pen.rng.choice(sides)
    x = {"left": pen.left, "right": pen.right, "center": pen.style.width / 2}[side]
    parties.letterhead(pen, x, align=side)


def dotted_items(pen: Pen) -> None:
    """Items without a table: text, dots, amount."""
    for item in pen.case.items:
        pen.room(pen.step)
        amount = pen.money(item.total, Label.LINE_TOTAL, style=pen.style.table_money)
        text: Rich = [(item.description, Label.LINE_DESCRIPTION)]
        space = pen.width * 0.8 - pen.canvas.text_width(text, pen.size)
        dots = "." * max(3, int(space / pen.canvas.text_width(".", pen.size)) - 2)
        pen.canvas.line(join(text, " ", dots) if pen.chance(0.8) else text, pen.left, pen.y, pen.size)
        pen.line(amount, pen.right, align="right")
        remember(pen, item.description, item, quantity=False, price=False)


@family(
    Brief(goods=("usage",), rows=(2, 8), long_share=0.05, several_rates=0.2, buyer_person=0.8, credit_share=0.02),
    weight=1.2,
)
def utility_bill(pen: Pen) -> None:
    """Energy, water or telephone: account numbers, readings, a summary before the details."""
    small_print.any_footer(pen, 0.6)
    repeated_head(pen)
    x = pen.left + pen.width * 0.55
    pairs = meta.fields(pen, extra=pen.rng.randint(2, 6), due=0.8)
    parties.side_by_side(
        pen, [(pen.left, parties.letterhead), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(1)
    parties.buyer_block(pen, pen.left, heading=pen.chance(0.3))
    pen.skip(1)
    meta.title(pen, pen.left)
    if pen.chance(0.6):
        pen.paragraph(pen.sentence("due_prose"))
    summary(pen, pen.left, pen.width * pen.rng.choice((0.6, 1.0)))
    pen.skip(1)
    for _ in range(pen.rng.randint(1, 4)):
        pen.line(
            join(
                pen.fresh("meter"), " ", fill("#####", pen.rng), " kWh  ", pen.day(pen.case.period[0], Label.OTHER_DATE)
            )
        )
    if pen.chance(0.3):
        pen.new_page()
    draw_table(pen) if pen.chance(0.7) else dotted_items(pen)
    small_print.closing(pen)


@family(
    Brief(
        goods=("travel", "travel", "menu"),
        rows=(2, 10),
        gross_share=0.6,
        several_rates=0.4,
        buyer_person=0.8,
        seller="shop",
    ),
    weight=1.0,
)
def hotel_folio(pen: Pen) -> None:
    """Guest, room, arrival and departure; charges by day."""
    edge_letterhead(pen, ("left", "center"))
    pen.skip(1)
    case = pen.case
    stay: list[tuple[str, Rich]] = [
        ("timetable", join(str(pen.rng.randint(1, 999)))),
        ("other_date", pen.day(case.period[0], Label.OTHER_DATE)),
        ("contact", join(case.seller.person.split()[0])),
    ]
    pairs = [*meta.fields(pen, extra=pen.rng.randint(0, 3), due=0.1), *stay]
    x = pen.left + pen.width * 0.55
    parties.side_by_side(
        pen, [(pen.left, parties.buyer_block), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    meta.title(pen, pen.left)
    pen.skip(0.5)
    columns = (
        ["day", "description", "quantity", "unit_price", "line_total"]
        if pen.chance(0.5)
        else ["day", "description", "line_total"]
    )
    draw_table(pen, columns)
    totals.any_totals(pen)
    small_print.closing(pen)


@family(Brief(goods=("goods", "services"), rows=(2, 10), seller="shop", buyer_person=0.7), weight=0.8, held_out=True)
def workshop(pen: Pen) -> None:
    """A garage: vehicle, mileage, labour and parts in sections."""
    small_print.any_footer(pen, 0.4)
    parties.letterhead(pen, pen.left)
    pen.skip(1)
    parties.buyer_block(pen, pen.left + pen.width * pen.rng.choice((0, 0.5)))
    pen.skip(1)
    meta.title_line(pen, pen.left)
    meta.any_meta(pen, meta.fields(pen, with_number=False, with_date=pen.chance(0.6)))
    for _ in range(pen.rng.randint(1, 3)):
        pen.line(join(pen.fresh("vehicle"), ": ", [(fill("??-?? ####", pen.rng), Label.OTHER_NUMBER)]))
    plan = make_plan(pen)
    plan.sections = True
    Table(pen, plan).draw()
    totals.any_totals(pen)
    small_print.closing(pen)


@family(Brief(goods=("services", "travel"), rows=(1, 6), untaxed=0.4, scale=3), weight=0.8)
def freight_bill(pen: Pen) -> None:
    """Shipper, consignee, waybill numbers, weights; charges as a list."""
    parties.side_by_side(
        pen, [(pen.left, parties.letterhead), (pen.left + pen.width * 0.6, lambda pen, x: meta.title(pen, x))]
    )
    pen.skip(0.5)
    meta.meta_grid(pen, meta.fields(pen, extra=pen.rng.randint(4, 8)), pen.left, pen.width)
    blocks: list[tuple[float, parties.Block]] = [
        (pen.left, partial(parties.buyer_block, heading=True)),
        (pen.left + pen.width / 2, parties.ship_block),
    ]
    parties.side_by_side(pen, blocks)
    pen.skip(0.5)
    rng = pen.rng
    load = f"{rng.randint(1, 40)} colli   {rng.randint(5, 24000)} kg   {rng.randint(1, 60)} m3"
    pen.line(f"{load}   {fill('????#######', rng)}")
    pen.skip(0.5)
    dotted_items(pen) if pen.chance(0.4) else draw_table(pen)
    totals.totals_block(pen)
    small_print.closing(pen)


@family(
    Brief(goods=("goods", "food", "software"), rows=(1, 5), gross_share=0.7, buyer_person=0.9, credit_share=0.03),
    weight=1.3,
)
def web_order(pen: Pen) -> None:
    """An online shop: order number and date, sold by, paid; prices include tax."""
    meta.title(pen, pen.left)
    if pen.chance(0.5):
        pen.line(pen.fresh("thanks"))
    pen.skip(0.5)
    pairs = meta.fields(pen, extra=pen.rng.randint(2, 4), due=0.1)
    seller = partial(parties.seller_block, heading=pen.chance(0.7))
    buyer = partial(parties.buyer_block, heading=True)
    third = pen.width / 3
    draw = pen.rng.random()
    if draw < 0.4:
        parties.side_by_side(
            pen, [(pen.left, buyer), (pen.left + third, parties.ship_block), (pen.left + 2 * third, seller)]
        )
        meta.any_meta(pen, pairs)
    elif draw < 0.7:
        meta.meta_list(pen, pairs, pen.left, pen.width * 0.5)
        pen.skip(0.5)
        parties.side_by_side(pen, [(pen.left, seller), (pen.left + pen.width / 2, buyer)])
    else:
        parties.side_by_side(pen, [(pen.left, buyer), (pen.left + pen.width * 0.5, seller)])
        meta.meta_columns(pen, pairs, pen.left, pen.width)
    pen.skip(1)
    draw_table(pen)
    totals.any_totals(pen)
    small_print.closing(pen)
