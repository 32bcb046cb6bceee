"""Receipts of particular tills: malls, supermarkets, guest checks, card slips, car parks, petrol stations."""

from dataclasses import replace
from decimal import Decimal

from models.training.generator.blocks import meta, parties, totals
from models.training.generator.blocks.card import card_slip_lines, suggested_tips
from models.training.generator.blocks.receipt import (
    clock,
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
    tender,
    trim,
)
from models.training.generator.blocks.table import remember
from models.training.generator.core.canvas import Rich, join
from models.training.generator.core.lists import wording
from models.training.generator.core.numbers import quantize
from models.training.generator.core.pen import Pen
from models.training.generator.facts.countries import fill
from models.training.generator.families.receipts import SHOP
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_EAST = ("MY", "MY", "SG", "HK", "PH", "IN", "AE", "AU")


def beside(pen: Pen, text: Rich | str, value: Rich, *, grow: float = 1.0, bold: bool = False) -> None:
    """Caption left, amount right; smaller where both do not fit."""
    size = pen.size * grow
    while size > 4 and pen.canvas.text_width(text, size) + pen.canvas.text_width(value, size) + 4 > pen.width:
        size *= 0.9
    pen.canvas.line(text, pen.left, pen.y, size, bold=bold)
    pen.line(value, pen.right, size=size, bold=bold, align="right")


@family(replace(SHOP, countries=_EAST, goods=("menu", "food", "goods"), rows=(1, 10), service=0.45), weight=2.2)
def mall_receipt(pen: Pen) -> None:
    """Counts, sub-total, service charge, tax, rounding, net total, cash, change, and a summary of the tax."""
    paper(pen)
    head(pen)
    if pen.chance(0.7):
        pen.line(pen.word("title_receipt"), pen.style.width / 2, align="center", bold=pen.chance(0.5))
    rule(pen)
    data(pen)
    rule(pen)
    pen.rng.choice((items_one_line, items_two_lines, items_columns))(pen)
    rule(pen)
    if pen.chance(0.5):
        count = sum((item.quantity for item in pen.case.items), Decimal(0)).normalize()
        beside(pen, pen.label("items_count"), join(f"{count:f}"))
    for text, value, strong in totals.sum_rows(pen):
        beside(pen, text, value, grow=1.25 if strong and pen.chance(0.5) else 1.0, bold=strong)
    tender(pen)
    rule(pen)
    totals.tax_table(pen, width=pen.width)
    foot(pen)
    trim(pen)


@family(
    replace(
        SHOP,
        countries=("DE", "AT", "CH", "NL", "FR", "IT", "PL", "CZ", "PT", "ES"),
        goods=("food", "food", "goods"),
        rows=(2, 25),
        gross_share=1.0,
        several_rates=0.7,
        scale=0.06,
    ),
    weight=2.0,
)
def supermarket(pen: Pen) -> None:
    """Prices with a letter for their tax rate; the sum; cards; tax by letter; signatures of the till."""
    paper(pen)
    head(pen)
    rule(pen)
    pen.line(pen.style.totals_money.mark, pen.right, align="right")
    pen.style.label_bold = True  # marks behind the amounts
    pen.rng.choice((items_one_line, items_one_line, items_two_lines))(pen)
    rule(pen)
    rows = totals.total_rows(pen)
    for text, value, strong in rows:
        beside(pen, text, value, grow=pen.rng.choice((1.0, 1.4)), bold=strong)
    tender(pen)
    rule(pen)
    totals.tax_table(pen, width=pen.width)
    rule(pen)
    data(pen)
    for name in pen.rng.sample(
        ("TSE-Signatur", "TSE-Transaktion", "UID", "Seriennr.", "NF525", "SN", "EKASA", "ATCUD"), 3
    ):
        if pen.chance(0.4):
            pen.line(join(name, ": ", [(fill("##??##??####", pen.rng), Label.OTHER_NUMBER)]))
    foot(pen)
    trim(pen)


@family(
    replace(
        SHOP,
        countries=("US", "CA", "GB", "AU", "IE", "NZ", "ZA"),
        goods=("menu",),
        rows=(1, 9),
        gross_share=0.2,
        scale=0.15,
        several_rates=0,
    ),
    weight=1.8,
)
def guest_check(pen: Pen) -> None:
    """Server, table, guests, check number; items; tax; total; suggested tips or a card slip."""
    paper(pen)
    head(pen)
    rule(pen)
    case, rng = pen.case, pen.rng
    words = ("Server", "Table", "Guests", "Cashier", "Station", "Seat")
    rows: list[Rich] = [join(f"{word}: {rng.randint(1, 60)}") for word in rng.sample(words, rng.randint(1, 3))]
    rows.append(join(rng.choice(("Check #", "Chk ", "Check: ", "Order #", "Bill No ", "Tab ")), meta.number(pen)))
    rows.append(join(meta.issued(pen, short=True), " ", clock(pen)))
    rng.shuffle(rows)
    for row in rows:
        pen.line(row)
    rule(pen)
    items_one_line(pen)
    rule(pen)
    sums(pen)
    if pen.chance(0.55):
        suggested_tips(pen, case.lines_sum)
    if pen.chance(0.4):
        rule(pen)
        card_slip_lines(pen)
    foot(pen)
    trim(pen)


@family(
    replace(SHOP, goods=("services", "goods"), rows=(1, 1), long_share=0, gross_share=1.0), weight=1.1, held_out=True
)
def card_slip(pen: Pen) -> None:
    """A card terminal's slip: merchant, terminal, card, the amount, authorisation; no items."""
    paper(pen)
    head(pen)
    rule(pen)
    if pen.chance(0.8):
        pen.line(labelled(pen, meta.till_key(pen), meta.number(pen)))
    pen.line(join(meta.issued(pen, short=True), "  ", clock(pen)))
    card_slip_lines(pen, total=True)
    foot(pen)
    trim(pen)


@family(replace(SHOP, goods=("travel",), rows=(1, 1), long_share=0, gross_share=1.0, scale=0.1), weight=1.0)
def parking_ticket(pen: Pen) -> None:
    """Entry and exit times, duration, fee with its tax."""
    paper(pen)
    head(pen)
    rule(pen)
    if pen.chance(0.7):
        pen.line(labelled(pen, meta.till_key(pen), meta.number(pen)))
    for caption in wording(pen.case.language, pen.profile).lists["timetable"][:2]:
        pen.line(join(caption, ": ", pen.day(pen.case.issued, Label.OTHER_DATE, short=True), " ", clock(pen)))
    if pen.chance(0.8):
        pen.line(labelled(pen, "issue_date", join(meta.issued(pen, short=True), " ", clock(pen))))
    rule(pen)
    for text, value, strong in totals.sum_rows(pen) if pen.chance(0.5) else totals.total_rows(pen):
        beside(pen, text, value, grow=1.5 if strong else 1.0, bold=strong)
    tender(pen)
    foot(pen)
    trim(pen)


@family(replace(SHOP, goods=("travel",), rows=(1, 1), long_share=0, gross_share=1.0, scale=0.6), weight=1.2)
def petrol_station(pen: Pen) -> None:
    """Pump, kind of fuel, litres and price a litre; the operator's name below the brand."""
    paper(pen)
    head(pen)
    if pen.chance(0.5):
        pen.line(f"{pen.fresh('branch')} {pen.case.seller.person}", pen.style.width / 2, align="center")
    rule(pen)
    data(pen)
    rule(pen)
    item = pen.case.items[0]
    fuel, pump = pen.fresh("fuel"), pen.rng.randint(1, 16)
    price = quantize(Decimal(str(round(pen.rng.uniform(1.05, 2.3), 3))) * 1000) / 1000
    beside(pen, join([(fuel, Label.LINE_DESCRIPTION)], f" *{pump}"), pen.money(item.total, Label.LINE_TOTAL))
    litres = (item.total / price).quantize(Decimal("0.01"))
    numbers = pen.style.totals_money.numbers
    pen.line(join(f"{numbers.format(litres)} l  x  {numbers.format(price, 3)} /l"))
    remember(pen, fuel, item, quantity=False, price=False)
    rule(pen)
    for text, value, strong in totals.sum_rows(pen):
        beside(pen, text, value, grow=1.3 if strong else 1.0, bold=strong)
    tender(pen)
    if pen.chance(0.4):
        card_slip_lines(pen)
    foot(pen)
    trim(pen)


@family(replace(SHOP, goods=("goods", "food", "menu"), rows=(1, 12)), weight=1.6)
def number_inside(pen: Pen) -> None:
    """The till's data in one dense line or below the sums, the total twice, parties' numbers all around."""
    paper(pen)
    head(pen)
    rule(pen)
    late = pen.chance(0.5)
    text = join(
        meta.issued(pen, short=True),
        f" {clock(pen)} ",
        fill("####", pen.rng),
        pen.rng.choice((" ", " #", " R ")),
        meta.number(pen),
        f" {pen.rng.randint(1, 99):02}",
    )
    if not late:
        pen.paragraph(text)
    pen.rng.choice((items_one_line, items_two_lines, items_columns))(pen)
    rule(pen)
    sums(pen)
    if pen.chance(0.4):
        beside(pen, pen.fresh("total"), pen.money(pen.case.total, Label.TOTAL), bold=True)
    rule(pen)
    if late:
        pen.paragraph(text)
    if pen.chance(0.3):
        pen.line(parties.buyer(pen))
    foot(pen)
    trim(pen)
