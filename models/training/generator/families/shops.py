"""Receipts whose shop is hard to name: logos, slogans, owners, and slips of the same shop below them."""

from dataclasses import replace

from models.training.generator.blocks import meta, parties, totals
from models.training.generator.blocks.card import card_slip_lines
from models.training.generator.blocks.names import logo, registered_name
from models.training.generator.blocks.receipt import (
    clock,
    data,
    foot,
    head,
    items_columns,
    items_one_line,
    items_two_lines,
    paper,
    rule,
    sums,
    trim,
)
from models.training.generator.core.canvas import Text, join
from models.training.generator.core.pen import Pen
from models.training.generator.families.receipts import SHOP
from models.training.generator.families.registry import family
from models.training.generator.families.tills import beside
from serve_app.domain.labels import Label

_EAST = ("MY", "MY", "SG", "IN", "PH", "AE", "TR")
_ITEMS = (items_one_line, items_two_lines, items_columns)


@family(replace(SHOP, goods=("menu", "food", "goods"), rows=(1, 9), service=0.15), weight=2.0)
def logo_receipt(pen: Pen) -> None:
    """A brand as logo, then `owned by` and the company's name, its number and address."""
    paper(pen)
    middle = pen.style.width / 2
    logo(pen, middle, pen.size * pen.rng.choice((1.6, 2.2, 3.0)), "center")
    name = registered_name(pen) if pen.chance(0.4) else parties.seller(pen)
    if pen.chance(0.4):
        name = join(pen.fresh("owner"), " ", name)
    pen.y = pen.canvas.paragraph(name, pen.left, pen.y, pen.width, pen.size, align="center")
    for line in (*parties.address_lines(pen, pen.case.seller), *parties.contact_lines(pen, pen.case.seller)):
        pen.y = pen.canvas.paragraph(line, pen.left, pen.y, pen.width, pen.size, align="center")
    rule(pen)
    data(pen)
    rule(pen)
    pen.rng.choice(_ITEMS)(pen)
    rule(pen)
    sums(pen)
    foot(pen)
    trim(pen)


@family(replace(SHOP, rows=(1, 10)), weight=1.4)
def slogans_first(pen: Pen) -> None:
    """Slogans, opening hours and greetings above the name, which is no larger than they are."""
    paper(pen)
    align = pen.rng.choice(("center", "center", "left"))
    lines: list[Text] = [pen.fresh("slogan"), pen.fresh("thanks"), pen.fresh("ads"), pen.fresh("section")]
    for line in pen.rng.sample(lines, pen.rng.randint(1, 3)):
        pen.y = pen.canvas.paragraph(line, pen.left, pen.y, pen.width, pen.size, align=align)
    pen.y = pen.canvas.paragraph(parties.seller(pen), pen.left, pen.y, pen.width, pen.size, align=align)
    for line in parties.address_lines(pen, pen.case.seller):
        pen.y = pen.canvas.paragraph(line, pen.left, pen.y, pen.width, pen.size, align=align)
    rule(pen)
    data(pen)
    pen.rng.choice(_ITEMS)(pen)
    rule(pen)
    sums(pen)
    foot(pen)
    trim(pen)


@family(
    replace(SHOP, countries=_EAST, goods=("menu", "food"), rows=(1, 9), service=0.7, gross_share=0.6, untaxed=0.05),
    weight=1.6,
)
def coded_taxes(pen: Pen) -> None:
    """Codes behind the prices, service charge, rounding, a total with its tax inside, and a summary by code."""
    paper(pen)
    head(pen)
    rule(pen)
    pen.line(pen.word("title_receipt"), pen.style.width / 2, align="center")
    data(pen)
    rule(pen)
    pen.style.label_bold = True  # marks behind the amounts
    pen.rng.choice((items_one_line, items_two_lines))(pen)
    rule(pen)
    for text, value, strong in totals.sum_rows(pen):
        beside(pen, text, value, grow=1.2 if strong else 1.0, bold=strong)
    for key in ("cash", "change"):
        given = pen.case.total if key == "cash" else pen.case.total * 0
        beside(pen, pen.label(key), pen.money(given, None))
    rule(pen)
    totals.tax_table(pen, width=pen.width)
    foot(pen)
    trim(pen)


@family(replace(SHOP, rows=(1, 5), goods=("menu", "goods", "travel")), weight=1.2)
def receipt_and_slip(pen: Pen) -> None:
    """A receipt, and on the same paper the terminal's slip: the shop, the date and the total once more."""
    paper(pen)
    head(pen)
    rule(pen)
    data(pen)
    pen.rng.choice(_ITEMS)(pen)
    rule(pen)
    sums(pen)
    rule(pen)
    pen.line(parties.seller(pen), pen.style.width / 2, align="center")
    pen.line(join(meta.issued(pen, short=True), " ", clock(pen)))
    card_slip_lines(pen)
    foot(pen)
    trim(pen)


@family(replace(SHOP, rows=(1, 8)), weight=1.0, held_out=True)
def owner_at_the_end(pen: Pen) -> None:
    """The brand on top, the company with its tax number only below the sums."""
    paper(pen)
    logo(pen, pen.style.width / 2, pen.size * 2, "center")
    rule(pen)
    data(pen)
    pen.rng.choice(_ITEMS)(pen)
    rule(pen)
    sums(pen)
    rule(pen)
    pen.y = pen.canvas.paragraph(registered_name(pen), pen.left, pen.y, pen.width, pen.size, align="center")
    pen.line([(pen.case.seller.vat, Label.OTHER_NUMBER)], pen.style.width / 2, align="center")
    foot(pen)
    trim(pen)
