"""Long and dense bills of trade: wholesalers, spare parts, couriers, settlements of card payments."""

from functools import partial

from models.training.generator.blocks import extras, meta, parties, small_print, totals
from models.training.generator.blocks.columns import make_plan
from models.training.generator.blocks.table import Table, draw_table
from models.training.generator.core.canvas import Rich, join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.countries import fill
from models.training.generator.families.letters import repeated_head
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_ARTICLES = (
    ["pos", "code", "description", "quantity", "unit", "unit_price", "discount_rate", "line_total"],
    ["code", "description", "ordered", "quantity", "list_price", "discount_rate", "unit_price", "line_total"],
    ["quantity", "unit", "code", "description", "unit_price", "tax_code", "line_total"],
    ["code", "quantity", "description", "list_price", "unit_price", "line_total", "tax_rate"],
    ["pos", "description", "code", "quantity", "unit_price", "tax_rate", "tax_amount", "line_total"],
    ["description", "unit_price", "quantity", "line_total", "tax_code"],
    ["line_total", "quantity", "unit_price", "description"],
)


def _head(pen: Pen, most: int) -> None:
    x = pen.left + pen.width * pen.rng.uniform(0.5, 0.6)
    pairs = meta.fields(pen, extra=pen.rng.randint(2, most))
    parties.side_by_side(
        pen, [(pen.left, parties.letterhead), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(0.5)
    blocks: list[tuple[float, parties.Block]] = [
        (pen.left, partial(parties.buyer_block, heading=True)),
        (x, parties.ship_block),
    ]
    parties.side_by_side(pen, blocks if pen.chance(0.5) else blocks[:1])
    pen.skip(0.5)


@family(
    Brief(
        goods=("goods", "food"), rows=(3, 20), long_share=0.25, gross_share=0.02, several_rates=0.4, credit_share=0.08
    ),
    weight=1.2,
)
def wholesale_pages(pen: Pen) -> None:
    """Articles with codes, list prices and discounts; delivery notes between them; carry-overs; sums at the end."""
    small_print.any_footer(pen, 0.5)
    repeated_head(pen)
    _head(pen, 7)
    meta.title(pen, pen.left)
    plan = make_plan(pen, list(pen.rng.choice(_ARTICLES)))
    plan.carry, plan.remarks, plan.details = pen.chance(0.6), pen.chance(0.4), pen.chance(0.6)
    plan.sections = pen.chance(0.2)
    Table(pen, plan).draw()
    totals.any_totals(pen)
    small_print.closing(pen)


@family(Brief(goods=("services", "travel"), rows=(3, 16), long_share=0.2, untaxed=0.15, gross_share=0), weight=0.9)
def courier_bill(pen: Pen) -> None:
    """Shipments by waybill with weights; surcharges; a summary of products; tax codes."""
    repeated_head(pen)
    small_print.any_footer(pen, 0.5)
    _head(pen, 6)
    meta.title_line(pen, pen.left) if pen.chance(0.3) else meta.title(pen, pen.left)
    if pen.chance(0.4):
        totals.totals_block(pen, left=pen.left, right=pen.left + pen.width * 0.6)
        pen.skip(1)
    for _ in range(pen.rng.randint(0, 2)):
        waybill: Rich = [(fill("## #### ####", pen.rng), Label.OTHER_NUMBER)]
        weight = f"{pen.rng.randint(1, 70)}.{pen.rng.randint(0, 9)} kg"
        pen.line(
            join(
                pen.word("delivery_number"),
                " ",
                waybill,
                "  ",
                pen.day(pen.case.other_date, Label.OTHER_DATE),
                f"  {weight}",
            )
        )
    columns = ["day", "code", "description", "quantity", "unit_price", "line_total"]
    draw_table(pen, pen.rng.choice((columns, ["code", "day", "description", "line_total", "tax_code"], None)))
    totals.any_totals(pen)
    if pen.chance(0.2):
        extras.restated(pen)
    small_print.closing(pen)


@family(
    Brief(goods=("services", "software"), rows=(2, 9), long_share=0.05, gross_share=0, credit_share=0.03), weight=0.7
)
def settlement(pen: Pen) -> None:
    """Fees for card payments or a market place: turnover that is paid out stands beside the fees that are billed."""
    small_print.any_footer(pen, 0.5)
    _head(pen, 4)
    meta.title(pen, pen.left)
    turnover = pen.case.total * pen.rng.randint(12, 60)
    draw_table(pen)
    totals.totals_block(pen)
    pen.skip(1)
    for key, value in (("payments_received", turnover), ("balance_forward", turnover - pen.case.total)):
        pen.line(join(pen.tagged(key), " ", pen.money(value, None)))
    small_print.closing(pen)


@family(
    Brief(goods=("services",), rows=(2, 8), long_share=0.05, gross_share=0, credit_share=0, prepaid=0.85), weight=0.8
)
def final_account(pen: Pen) -> None:
    """A builder's final invoice: progress invoices with their numbers and dates are deducted."""
    small_print.any_footer(pen, 0.5)
    repeated_head(pen)
    parties.letterhead(pen, pen.rng.choice((pen.left, pen.left + pen.width * 0.5)))
    pen.skip(1)
    parties.buyer_block(pen, pen.left)
    pen.skip(1)
    meta.title_line(pen, pen.left) if pen.chance(0.5) else meta.title(pen, pen.left)
    meta.any_meta(pen, meta.fields(pen, extra=pen.rng.randint(1, 4)))
    pen.skip(0.5)
    draw_table(pen)
    rows = totals.sum_rows(pen)
    if pen.case.paid > 0:
        kept = next(index for index, row in enumerate(rows) if row[2]) + 1
        rows = [*rows[:kept], *extras.earlier_invoices(pen)] if not pen.sums_drawn else extras.earlier_invoices(pen)
    if pen.case.paid > 0 or not pen.sums_drawn:
        totals.totals_block(pen, rows)
    small_print.closing(pen)
