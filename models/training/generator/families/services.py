"""Bills for work and use, mostly American: jobs, patients, seats of software, meters."""

from datetime import timedelta
from decimal import Decimal
from functools import partial

from models.training.generator.blocks import meta, parties, small_print, totals
from models.training.generator.blocks.strips import strip
from models.training.generator.blocks.table import draw_table, remember
from models.training.generator.core.canvas import Rich, Text, join
from models.training.generator.core.numbers import quantize
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.countries import fill
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_AMERICA = ("US", "US", "CA", "GB", "AU", "NZ", "IE")


@family(Brief(countries=_AMERICA, goods=("services", "goods"), rows=(1, 7), long_share=0.03), weight=1.2)
def job_ticket(pen: Pen) -> None:
    """A craftsman's job: licence, customer and site, technician, what was found, labour and parts, a signature."""
    case, rng = pen.case, pen.rng
    parties.letterhead(pen, rng.choice((pen.left, pen.style.width / 2)), align="left")
    if pen.chance(0.5):
        pen.line(join("Lic. #", [(fill("######", rng), Label.OTHER_NUMBER)], "  Licensed, Bonded & Insured"))
    pen.skip(0.5)
    x = pen.left + pen.width * 0.55
    pairs = meta.fields(pen, extra=rng.randint(1, 4))
    data = partial(meta.meta_list, pen, pairs)
    parties.side_by_side(
        pen, [(pen.left, partial(parties.buyer_block, heading=True)), (x, lambda pen, x: data(x, pen.right - x))]
    )
    parties.ship_block(pen, pen.left) if pen.chance(0.4) else None
    pen.skip(0.5)
    meta.title(pen, pen.left)
    if pen.chance(0.5):
        pen.paragraph(join("Work requested: ", pen.sentence("letter")))
    draw_table(pen)
    totals.any_totals(pen)
    small_print.closing(pen)
    pen.line("X ______________________   Date ____________")
    pen.line(case.buyer.person)


@family(
    Brief(
        countries=_AMERICA, goods=("services",), rows=(1, 8), long_share=0.05, seller="practice", untaxed=1.0,
        prepaid=0.8, credit_share=0, buyer_person=1.0,
    ),
    weight=1.0,
)  # fmt: skip
def patient_bill(pen: Pen) -> None:
    """A practice's bill: patient and account, services by day and code, what the insurance paid, the patient's part."""
    case, rng = pen.case, pen.rng
    x = pen.left + pen.width * 0.55
    pairs = meta.fields(pen, extra=1)
    pairs += [
        ("patient", join(case.buyer.person)),
        ("birth_date", pen.day(case.issued - timedelta(days=rng.randint(1000, 30_000)), Label.OTHER_DATE)),
    ]

    def head(pen: Pen, x: float) -> None:
        pen.line(pen.rng.choice(("PATIENT INVOICE", "Medical bill", "Invoice for services", "Invoice")), x, bold=True)
        meta.meta_list(pen, list(dict(pairs).items()), x, pen.right - x)

    parties.side_by_side(pen, [(pen.left, parties.letterhead), (x, head)])
    pen.skip(1)
    parties.buyer_block(pen, pen.left + pen.width * rng.choice((0.0, 0.05)), heading=pen.chance(0.4))
    pen.skip(1)
    draw_table(
        pen, rng.choice((["day", "code", "description", "line_total"], ["day", "description", "line_total"], None))
    )
    rows: list[totals.Row] = [("Total charges", pen.money(case.total, Label.TOTAL), False)]
    if case.paid:
        rows.append(("Insurance payments", pen.money(-case.paid, Label.PAID), False))
    rows.append(("Adjustments", pen.money(Decimal(0), None), False))
    due = rng.choice(("Patient balance", "Your responsibility", "Pay this amount", "Amount due from patient"))
    rows.append((due, pen.money(case.amount_due, Label.AMOUNT_DUE), True))
    totals.totals_block(pen, rows)
    pen.skip(1)
    pen.line("- " * 50)
    strip(
        pen,
        [
            ("amount_due", pen.money(case.amount_due, Label.AMOUNT_DUE)),
            ("customer_number", join([(case.numbers["customer_number"], Label.OTHER_NUMBER)])),
            ("paid", []),
        ],
    )
    if pen.chance(0.5):
        pen.line(join("Make checks payable to: ", parties.seller(pen)))


@family(
    Brief(goods=("software",), rows=(1, 5), long_share=0.02, prepaid=0.25, credit_share=0.03, gross_share=0.05),
    weight=1.3,
)
def seats(pen: Pen) -> None:
    """Software by subscription: periods below the descriptions, parts of months, credit that was applied."""
    pen.style.leading = max(pen.style.leading, 1.35)
    meta.title(pen, pen.left, size=pen.size * pen.rng.choice((1.6, 2.2)))
    data = meta.fields(pen, due=0.8, extra=pen.rng.choice((0, 1)))
    meta.meta_list(pen, data, pen.left, pen.width * pen.rng.choice((0.35, 0.45)))
    pen.skip(1)
    half = pen.left + pen.width * pen.rng.uniform(0.38, 0.55)
    parties.side_by_side(
        pen,
        [
            (pen.left, partial(parties.seller_block, heading=pen.chance(0.15))),
            (half, partial(parties.buyer_block, heading=True)),
        ],
    )
    pen.skip(1.5)
    edges = [pen.right - pen.width * part for part in (0.36, 0.18, 0.0)]
    for key, edge in zip(("quantity", "unit_price", "line_total"), edges, strict=True):
        pen.canvas.line(pen.label(key), edge, pen.y, pen.size * 0.85, align="right")
    pen.line(pen.label("description"), size=pen.size * 0.85)
    ranged = pen.chance(0.7)
    for item in pen.case.items:
        pen.room(pen.step * 3)
        _seat_row(pen, edges, item.description, item.quantity, item.unit_price, item.total)
        if ranged:
            first, last = (pen.day(day, Label.OTHER_DATE) for day in pen.case.period)
            pen.line(join(first, pen.rng.choice((" – ", " - ", " to ")), last), size=pen.size * 0.85)
        remember(pen, item.description, item)
        pen.skip(0.4)
    totals.totals_block(pen, left=half)
    small_print.closing(pen)


def _seat_row(pen: Pen, edges: list[float], name: str, quantity: Decimal, price: Decimal, total: Decimal) -> None:
    numbers = pen.style.table_money.numbers
    own = max(0, -int(quantity.normalize().as_tuple().exponent))
    cells: list[Rich] = [
        [(numbers.format(quantity, own), Label.LINE_QUANTITY)],
        pen.money(price, Label.LINE_UNIT_PRICE),
        pen.money(total, Label.LINE_TOTAL),
    ]
    for cell, edge in zip(cells, edges, strict=True):
        pen.canvas.line(cell, edge, pen.y, pen.size, align="right")
    pen.y = pen.canvas.paragraph([(name, Label.LINE_DESCRIPTION)], pen.left, pen.y, edges[0] - pen.left - 50, pen.size)


@family(
    Brief(
        goods=("usage",), rows=(2, 7), long_share=0.03, arrears=0.4, prepaid=0.1, credit_share=0.01, buyer_person=0.8
    ),
    weight=1.1,
)
def meter_page(pen: Pen) -> None:
    """A utility: account and due date in strips, readings, charges in words and amounts, a part to send back."""
    case, rng = pen.case, pen.rng
    x = pen.left + pen.width * 0.5
    sides: list[parties.Block] = [parties.letterhead, partial(parties.buyer_block, heading=pen.chance(0.3))]
    parties.side_by_side(pen, [(pen.left, sides[0]), (x, sides[1])])
    pen.skip(1)
    pairs = meta.fields(pen, due=0.85, extra=rng.randint(1, 3))
    pairs.append(("amount_due", pen.money(case.amount_due, Label.AMOUNT_DUE)))
    strip(pen, pairs)
    reading = rng.randint(1000, 90000)
    used = rng.randint(10, 900)
    texts: list[Text] = [
        join("#", [(fill("########", rng), Label.OTHER_NUMBER)]),
        join(
            pen.day(case.period[0], Label.OTHER_DATE, short=True),
            " - ",
            pen.day(case.period[1], Label.OTHER_DATE, short=True),
        ),
        f"{reading}  {reading + used}  {used} {rng.choice(('kWh', 'm3', 'ccf', 'therms'))}",
    ]
    pen.line(join(pen.word("meter"), " ", *(join(text, "   ") for text in texts)))
    pen.skip(0.5)
    for item in case.items:
        pen.room(pen.step)
        pen.canvas.line([(item.description, Label.LINE_DESCRIPTION)], pen.left, pen.y, pen.size)
        amount = pen.money(item.total, Label.LINE_TOTAL, style=pen.style.table_money)
        pen.line(amount, pen.left + pen.width * 0.75, align="right")
        remember(pen, item.description, item, quantity=False, price=False)
    totals.totals_block(pen, right=pen.left + pen.width * 0.75)
    small_print.payment(pen)
    pen.room(80)
    pen.line("- " * 50)
    parties.side_by_side(
        pen,
        [
            (pen.left, partial(parties.buyer_block, heading=False, extras=False)),
            (
                x,
                lambda pen, x: strip(
                    pen,
                    [("customer_number", join([(case.numbers["customer_number"], Label.OTHER_NUMBER)])), ("paid", [])],
                    x,
                    pen.right - x,
                ),
            ),
        ],
    )
    pen.line(parties.seller(pen), x)
    pen.lines(list(case.seller.address), x)


@family(
    Brief(
        countries=_AMERICA, goods=("services",), rows=(2, 9), long_share=0.1, untaxed=0.7, credit_share=0.01, scale=2
    ),
    weight=0.9,
    held_out=True,
)
def hours_and_costs(pen: Pen) -> None:
    """Fees by day with hours and rate under section heads, a subtotal in the table, costs, a trust account."""
    small_print.any_footer(pen, 0.4)
    parties.letterhead(pen, pen.style.width / 2, align="center")
    pen.skip(1)
    x = pen.left + pen.width * 0.6
    pairs = meta.fields(pen, extra=pen.rng.randint(1, 3))
    parties.side_by_side(
        pen, [(pen.left, parties.buyer_block), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.line(join("Re: ", pen.fresh("services")), bold=True)
    pen.skip(0.5)
    draw_table(pen, ["day", "description", "quantity", "unit_price", "line_total"])
    totals.totals_block(pen)
    held = quantize(pen.case.total * Decimal("2.5"), pen.case.currency)
    pen.line(join("Trust account balance: ", pen.money(held, None)))
    small_print.closing(pen)
