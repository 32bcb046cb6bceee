"""What card terminals and restaurants print below a bill."""

from decimal import Decimal

from models.training.generator.core.canvas import join
from models.training.generator.core.numbers import quantize
from models.training.generator.core.pen import Pen
from models.training.generator.facts.countries import fill
from serve_app.domain.labels import Label

_CARDS = ("VISA", "MASTERCARD", "Visa Debit", "AMEX", "girocard", "MAESTRO", "CB", "DISCOVER", "V PAY", "Debit MC")


def card_slip_lines(pen: Pen, *, total: bool = False) -> None:
    """Card, terminal and authorisation; the amount is the bill's total if `total`, else only a payment."""
    rng, case = pen.rng, pen.case
    label = Label.TOTAL if total else None
    rows = [
        join(rng.choice(_CARDS), " ", "*" * rng.choice((4, 8, 12)), [(fill("####", rng), Label.OTHER_NUMBER)]),
        join("TID ", [(fill("########", rng), Label.OTHER_NUMBER)]),
        join("MID: ", [(fill("###########", rng), Label.OTHER_NUMBER)]),
        join(f"{pen.fresh('approved')} ", [(fill("######", rng), Label.OTHER_NUMBER)]),
        join("AID A000000", fill("#######", rng)),
        join(pen.fresh("approved")),
    ]
    rows = [row for row in rows if rng.random() < 0.6]
    rng.shuffle(rows)
    middle = rng.randint(0, len(rows))
    pen.lines(list(rows[:middle]))
    caption = pen.label("total") if total or rng.random() < 0.5 else pen.label("card")
    pen.canvas.line(caption, pen.left, pen.y, pen.size, bold=total)
    pen.line(pen.money(case.total, label), pen.right, align="right", bold=total)
    if case.language == "en" and rng.random() < 0.4:
        pen.line(f"{pen.label('tip')} ____________")
        pen.line("TOTAL ____________")
    pen.lines(list(rows[middle:]))


def suggested_tips(pen: Pen, base: Decimal) -> None:
    """`18%: 4.50  20%: 5.00`: amounts that are not owed."""
    pen.line(f"{pen.word('tip')}:")
    for rate in pen.rng.choice(((15, 18, 20), (18, 20, 22), (10, 15))):
        tip = quantize(base * rate / 100, pen.case.currency)
        pen.line(join(f"{rate}% = ", pen.money(tip, None)))
