"""Bills of particular trades: utilities, hotels, workshops, freight, shops on the internet."""

from functools import partial

from models.training.generator.blocks import meta, parties, small_print, totals
from models.training.generator.blocks.table import Table, draw_table, make_plan, remember
from models.training.generator.core.canvas import Rich, join
from models.training.generator.core.fonts import Font
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.countries import fill
from models.training.generator.families.letters import body, repeated_head
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
    """The letterhead at one of the page's edges or in its middle."""
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


@family(Brief(goods=("services",), rows=(3, 14), long_share=0.15, gross_share=0), weight=0.9)
def time_sheet(pen: Pen) -> None:
    """Hours by day with a rate."""
    small_print.any_footer(pen, 0.3)
    x = pen.left + pen.width * 0.6
    parties.side_by_side(pen, [(pen.left, parties.buyer_block), (x, parties.letterhead)])
    pen.skip(1)
    meta.title_line(pen, pen.left) if pen.chance(0.4) else meta.title(pen, pen.left)
    meta.any_meta(pen, meta.fields(pen))
    pen.skip(1)
    draw_table(pen, ["day", "description", "quantity", "unit_price", "line_total"])
    totals.totals_block(pen)
    small_print.closing(pen)


@family(Brief(goods=("services",), rows=(2, 8), buyer_person=0.2, credit_share=0, gross_share=0), weight=0.7)
def progress_bill(pen: Pen) -> None:
    """Construction: positions of a contract, earlier payments deducted."""
    small_print.any_footer(pen, 0.6)
    repeated_head(pen)
    parties.letterhead(pen, pen.left)
    pen.skip(1)
    parties.buyer_block(pen, pen.left)
    pen.skip(1)
    meta.title_line(pen, pen.left, with_date=False)
    pen.line(join(pen.word("for"), ": ", pen.fresh("services"), ", ", pen.case.buyer.place), bold=True)
    meta.meta_list(pen, meta.fields(pen, with_number=False, extra=3), pen.left, pen.width * 0.5)
    pen.skip(1)
    plan = make_plan(pen, ["pos", "description", "quantity", "unit", "unit_price", "line_total"])
    plan.sections = pen.chance(0.6)
    plan.carry = pen.chance(0.7)
    Table(pen, plan).draw()
    totals.any_totals(pen)
    small_print.closing(pen)


@family(
    Brief(goods=("services", "software"), rows=(1, 2), long_share=0, untaxed=0.5, buyer_person=0.9, credit_share=0),
    weight=0.7,
)
def membership(pen: Pen) -> None:
    """Fees, insurance, rent, tuition: one amount, much text, sums inside it."""
    small_print.any_footer(pen, 0.6)
    edge_letterhead(pen, ("left", "right"))
    pen.y += 4
    parties.buyer_block(pen, pen.left, heading=False)
    pen.skip(1)
    meta.title_line(pen, pen.left) if pen.chance(0.5) else meta.title(pen, pen.left)
    meta.any_meta(pen, meta.fields(pen, due=0.7))
    pen.skip(1)
    pen.line(pen.sentence("salute"))
    pen.paragraph(pen.sentence("intro"))
    pen.skip(0.5)
    dotted_items(pen) if pen.chance(0.6) else draw_table(pen)
    totals.totals_lines(pen) if pen.chance(0.5) else totals.totals_block(pen)
    pen.paragraph(pen.sentence("letter"))
    small_print.closing(pen)


@family(
    Brief(goods=("services",), rows=(1, 1), long_share=0, untaxed=1.0, buyer_person=0.9, credit_share=0), weight=0.35
)
def donation(pen: Pen) -> None:
    """A receipt for a donation: donor, amount, date."""
    parties.letterhead(pen, pen.style.width / 2, align="center")
    pen.skip(1)
    meta.title(pen, pen.style.width / 2, align="center", key="title_donation")
    pen.skip(1)
    meta.meta_list(pen, meta.fields(pen, extra=1, due=0.0), pen.left, pen.width * 0.5)
    pen.line(join(pen.word("donor"), ": ", parties.buyer(pen)))
    pen.skip(1)
    totals.totals_block(pen, totals.total_rows(pen), left=pen.left)
    small_print.notes(pen)


@family(Brief(rows=(2, 14), long_share=0.3), weight=1.0)
def line_printer(pen: Pen) -> None:
    """An old business system: fixed pitch, upper case labels, rules of dashes."""
    pen.style.font = pen.canvas.font = Font.MONO
    pen.style.label_case = pen.rng.choice(("upper", "as is"))
    pen.style.size = pen.rng.choice((7.0, 7.5, 8.0))
    rule = "-" * int(pen.width / pen.canvas.text_width("-", pen.size))
    x = pen.left + pen.width * 0.58
    pairs = meta.fields(pen, extra=pen.rng.randint(1, 5))
    parties.side_by_side(
        pen, [(pen.left, parties.letterhead), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.line(rule)
    parties.side_by_side(pen, [(pen.left, parties.buyer_block), (x, lambda pen, x: meta.title(pen, x, size=pen.size))])
    pen.line(rule)
    plan = make_plan(pen)
    plan.rules, plan.carry = pen.rng.choice("-=-"), pen.chance(0.6)
    Table(pen, plan).draw()
    totals.totals_block(pen)
    pen.line(rule)
    small_print.closing(pen)


@family(weight=0.7)
def landscape(pen: Pen) -> None:
    """A wide page with a wide table."""
    pen.style.width, pen.style.height = pen.style.height, pen.style.width
    page = pen.canvas.page
    page.width, page.height = page.height, page.width
    small_print.any_footer(pen, 0.3)
    third = pen.width / 3
    pairs = meta.fields(pen, extra=4)
    blocks: list[tuple[float, parties.Block]] = [
        (pen.left, parties.letterhead),
        (pen.left + third, parties.buyer_block),
        (pen.left + 2 * third, lambda pen, x: meta.meta_list(pen, pairs, x, third)),
    ]
    parties.side_by_side(pen, blocks)
    pen.skip(1)
    meta.title(pen, pen.left)
    body(pen)
