"""Receipts on narrow paper: shops, restaurants, fuel, taxis."""

from collections.abc import Callable
from dataclasses import replace

from models.training.generator.blocks import meta, parties, totals
from models.training.generator.blocks.receipt import (
    data,
    foot,
    head,
    items_columns,
    items_one_line,
    items_two_lines,
    labelled,
    paper,
    rule,
    sums,
    trim,
)
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.families.registry import family

_ASIA = ("MY", "SG", "MY", "PH", "HK")
SHOP = Brief(
    goods=("food", "food", "goods"),
    rows=(1, 14),
    long_share=0.04,
    gross_share=0.75,
    several_rates=0.4,
    untaxed=0.12,
    seller="shop",
    cash=True,
    credit_share=0.005,
    scale=0.12,
)


def receipt(pen: Pen, items: Callable[[Pen], None], title: float = 0.45) -> None:
    """A whole receipt with its items in one of several ways."""
    paper(pen)
    head(pen)
    rule(pen)
    steps = [data, items]
    if pen.chance(title):
        pen.line(pen.word("title_receipt"), pen.style.width / 2, align="center", bold=pen.chance(0.6))
    if pen.chance(0.12):
        steps.reverse()
    for step in steps:
        step(pen)
        rule(pen)
        if step is items:
            sums(pen)
    foot(pen)
    trim(pen)


@family(SHOP, weight=3.4)
def till_one_line(pen: Pen) -> None:
    receipt(pen, items_one_line)


@family(SHOP, weight=3.2)
def till_two_lines(pen: Pen) -> None:
    receipt(pen, items_two_lines)


@family(replace(SHOP, countries=_ASIA, goods=("food", "goods", "menu")), weight=3.2)
def tax_invoice_till(pen: Pen) -> None:
    """A shop's tax invoice: columns, tax codes, a tax summary."""
    receipt(pen, items_columns, title=0.9)


@family(replace(SHOP, goods=("menu",), rows=(1, 8), scale=0.2), weight=2.2)
def restaurant(pen: Pen) -> None:
    receipt(pen, pen.rng.choice((items_one_line, items_two_lines)))


@family(replace(SHOP, goods=("travel",), rows=(1, 2), long_share=0, scale=0.6), weight=1.5, held_out=True)
def fuel_and_taxi(pen: Pen) -> None:
    """A single item between a station's or driver's numbers."""
    receipt(pen, pen.rng.choice((items_one_line, items_two_lines, items_columns)), title=0.7)


@family(replace(SHOP, rows=(1, 6)), weight=1.0)
def name_at_the_end(pen: Pen) -> None:
    """The shop's name and address below everything, data on top."""
    paper(pen)
    pen.line(pen.word("title_receipt"), pen.style.width / 2, align="center")
    data(pen)
    rule(pen)
    pen.rng.choice((items_one_line, items_two_lines))(pen)
    rule(pen)
    sums(pen)
    rule(pen)
    head(pen)
    trim(pen)


@family(replace(SHOP, goods=("travel", "services"), rows=(1, 1), long_share=0), weight=1.0)
def no_items(pen: Pen) -> None:
    """Parking, toll, card slips: numbers and one amount."""
    paper(pen)
    head(pen)
    rule(pen)
    data(pen)
    rule(pen)
    rows = totals.sum_rows(pen) if pen.chance(0.5) else totals.total_rows(pen)
    for text, value, strong in rows:
        pen.line(join(text, " ", value), size=pen.size * (1.4 if strong else 1.0), bold=strong)
    foot(pen)
    trim(pen)


@family(replace(SHOP, goods=("goods", "services", "food"), rows=(1, 7), seller="shop"), weight=1.2)
def cash_memo(pen: Pen) -> None:
    """A half page from a bill book: shop on top, number left and date right, a table."""
    pen.style.width, pen.style.height = pen.rng.choice(((420.0, 595.0), (298.0, 420.0), (420.0, 420.0)))
    page = pen.canvas.page
    page.width, page.height = pen.style.width, pen.style.height
    pen.style.margin = pen.rng.uniform(14, 30)
    pen.style.size = min(pen.style.size, 8.5)
    pen.bottom_margin = 20
    pen.y = pen.rng.uniform(12, 30)
    head(pen)
    pen.line(pen.word("title_receipt"), pen.style.width / 2, align="center", bold=True)
    pen.canvas.line(labelled(pen, meta.till_key(pen), meta.number(pen)), pen.left, pen.y, pen.size)
    pen.line(labelled(pen, "issue_date", meta.issued(pen)), pen.right, align="right")
    if pen.chance(0.6):
        pen.line(labelled(pen, "bill_to", parties.buyer(pen)))
    pen.skip(0.5)
    draw_table(
        pen,
        pen.rng.choice(
            (
                ["quantity", "description", "unit_price", "line_total"],
                ["pos", "description", "quantity", "unit_price", "line_total"],
                ["description", "quantity", "unit_price", "line_total"],
            )
        ),
    )
    totals.totals_block(pen)
    if pen.chance(0.5):
        pen.line(pen.sentence("thanks"))
