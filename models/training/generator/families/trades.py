"""Bills of services and old systems: hours, construction, fees, donations, line printers, wide pages."""

from models.training.generator.blocks import meta, parties, small_print, totals
from models.training.generator.blocks.columns import make_plan
from models.training.generator.blocks.table import Table, draw_table
from models.training.generator.core.canvas import join
from models.training.generator.core.fonts import Font
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.families.business import dotted_items, edge_letterhead
from models.training.generator.families.letters import body, repeated_head
from models.training.generator.families.registry import family


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


@family(
    Brief(goods=("services",), rows=(2, 8), buyer_person=0.2, credit_share=0, gross_share=0, prepaid=0.4), weight=0.7
)
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
