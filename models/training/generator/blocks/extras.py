"""What some bills add around their sums: old balances, earlier invoices, instalments, other currencies."""

from datetime import timedelta
from decimal import Decimal

from models.training.generator.blocks.totals import Row
from models.training.generator.core.canvas import join
from models.training.generator.core.numbers import SYMBOLS, quantize
from models.training.generator.core.pen import Pen
from models.training.generator.facts.items import ZERO
from serve_app.domain.labels import Label

# What one euro costs, roughly: enough for plausible exchange rates.
_RATES = {"EUR": "1", "USD": "1.08", "GBP": "0.86", "CHF": "0.95", "PLN": "4.31", "CZK": "25.1", "TRY": "33.4"}


def account_rows(pen: Pen) -> list[Row]:
    """The account of a household bill: old balance, payments, this period's charges, what is due."""
    case = pen.case
    open_before = max(ZERO, -case.paid)
    received = quantize(case.total * Decimal(str(round(pen.rng.uniform(0.6, 1.3), 2))), case.currency)
    rows: list[Row] = [
        (pen.label("balance_forward"), pen.money(received + open_before, None), False),
        (pen.label("payments_received"), pen.money(received * pen.rng.choice((1, -1)), None), False),
    ]
    if open_before or pen.chance(0.4):
        rows.append((pen.fresh("balance_forward"), pen.money(open_before, None), False))
    rows.append((pen.label("current_charges"), pen.money(case.total, Label.TOTAL), False))
    if case.paid > 0:
        rows.append((pen.label("paid"), pen.money(-case.paid, Label.PAID), False))
    rows.append((pen.label("amount_due"), pen.money(case.amount_due, Label.AMOUNT_DUE), True))
    return rows


def earlier_invoices(pen: Pen) -> list[Row]:
    """Progress invoices that are deducted, and their sum as what was paid."""
    case, rng = pen.case, pen.rng
    count, left = rng.randint(1, 3), case.paid
    rows: list[Row] = []
    for number in range(count, 0, -1):
        part = left if number == 1 else quantize(left / number, case.currency)
        left -= part
        rows.append((pen.sentence("earlier_invoice"), pen.money(-part, Label.PAID if count == 1 else None), False))
    if count > 1:
        rows.append((pen.label("paid"), pen.money(-case.paid, Label.PAID), False))
    rows.append((pen.label("amount_due"), pen.money(case.amount_due, Label.AMOUNT_DUE), True))
    return rows


def instalments(pen: Pen) -> None:
    """A table of due dates and parts of the sum: the first is what is due next."""
    case, count = pen.case, pen.rng.choice((2, 3, 4, 4, 6, 12))
    pen.room(pen.step * (count + 2))
    days = pen.rng.choice((30, 30, 91, 61))
    edges = (pen.left, pen.left + pen.width * 0.3, pen.left + pen.width * 0.6)
    for key, edge in zip(("instalment", "due_date", "amount_due"), edges, strict=True):
        pen.canvas.line(pen.label(key), edge, pen.y, pen.size, bold=True)
    pen.skip(1)
    part = quantize(case.total / count, case.currency)
    for number in range(count):
        label = Label.DUE_DATE if number == 0 else Label.OTHER_DATE
        pen.canvas.line(f"{number + 1}.", edges[0], pen.y, pen.size)
        pen.canvas.line(pen.day(case.due + timedelta(days=days * number), label), edges[1], pen.y, pen.size)
        pen.line(pen.money(part, None), edges[2])


def restated(pen: Pen) -> None:
    """The total once more in another currency, with the rate: not an amount to extract."""
    case, rng = pen.case, pen.rng
    other = rng.choice([code for code in _RATES if code != case.currency])
    rate = Decimal(_RATES[other]) / Decimal(_RATES.get(case.currency, "7.5"))
    rate = (rate * Decimal(str(round(rng.uniform(0.95, 1.05), 3)))).quantize(Decimal("0.0001")) or Decimal("0.0123")
    numbers = pen.style.totals_money.numbers
    mark = other if rng.random() < 0.7 else SYMBOLS[other][0]
    amounts = [case.total] if rng.random() < 0.6 else [case.net, case.tax, case.total]
    for amount in amounts:
        text = f"{pen.word('equivalent')} {mark}: {numbers.format(quantize(amount * rate))}"
        pen.line(text, pen.rng.choice((pen.left, pen.left + pen.width * 0.5)))
    pen.line(f"{pen.word('exchange_rate')}: 1 {case.currency} = {numbers.format(rate, 4)} {other}")


def total_prose(pen: Pen) -> None:
    """The total within a sentence."""
    pen.paragraph(pen.sentence("total_prose"))


def exempt_note(pen: Pen) -> None:
    """Why no tax is charged."""
    if not pen.case.tax:
        pen.paragraph(join(pen.fresh("exempt")))
