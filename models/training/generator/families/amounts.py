"""Invoices with several sums: deposits, retentions, open balances, home currencies, credits."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial

from models.training.generator.blocks import extras, meta, parties, small_print, totals
from models.training.generator.blocks.strips import strip
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import join
from models.training.generator.core.numbers import quantize
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.families.letters import repeated_head
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_RATES = {"EUR": 1.0, "USD": 1.08, "GBP": 0.86, "CHF": 0.95, "PLN": 4.31, "CZK": 25.1, "TRY": 33.4, "SEK": 11.3}


def _head(pen: Pen, *, extra: int = 2) -> None:
    """Letterhead, customer, title and data in one of the usual arrangements."""
    small_print.any_footer(pen, 0.4)
    repeated_head(pen)
    x = pen.left + pen.width * pen.rng.uniform(0.5, 0.6)
    pairs = meta.fields(pen, extra=pen.rng.randint(0, extra))
    if pen.chance(0.5):
        data: parties.Block = lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x)  # noqa: E731
        parties.letterhead(pen, pen.rng.choice((pen.left, x)))
        pen.skip(1)
        parties.side_by_side(pen, [(pen.left, parties.buyer_block), (x, data)])
        pen.skip(1)
        meta.title(pen, pen.left)
    else:
        parties.side_by_side(pen, [(pen.left, parties.letterhead), (x, partial(parties.buyer_block, heading=True))])
        pen.skip(1)
        meta.title(pen, pen.left)
        meta.any_meta(pen, pairs)
    pen.skip(0.5)


def _advance(pen: Pen) -> list[totals.Row]:
    """`Deposit received 12.03.2024, invoice 4711: -500.00`, then what is due."""
    case = pen.case
    text = pen.label("deposit")
    if pen.chance(0.6):
        number: Sequence[tuple[str, Label | None]] = [(case.numbers["other_number"], Label.OTHER_NUMBER)]
        when = pen.day(case.other_date, Label.OTHER_DATE)
        caption = join(text, " ", list(number), " ", when) if pen.chance(0.5) else join(text, " ", when)
    else:
        caption = join(text)
    due = pen.money(case.amount_due, Label.AMOUNT_DUE)
    return [
        (caption, pen.money(-case.paid if pen.chance(0.7) else case.paid, Label.PAID), False),
        (pen.label("amount_due"), due, pen.chance(0.8)),
    ]


@family(Brief(rows=(1, 7), prepaid=1.0, credit_share=0, scale=2), weight=1.3)
def deposit_paid(pen: Pen) -> None:
    """A deposit with its date and number between the total and what is due; what is due again on top."""
    _head(pen)
    if pen.chance(0.3):
        strip(
            pen,
            [("contract_sum", pen.money(pen.case.total, None)), ("due_date", pen.day(pen.case.due, Label.DUE_DATE))],
        )
    draw_table(pen)
    if not pen.sums_drawn:
        rows = totals.sum_rows(pen)
        last = next(index for index, row in enumerate(rows) if row[2])
        totals.totals_block(pen, [*rows[: last + 1], *_advance(pen)])
    small_print.closing(pen)


@family(
    Brief(goods=("services",), rows=(1, 6), withheld=1.0, prepaid=0, credit_share=0, gross_share=0, scale=6), weight=1.1
)
def held_back(pen: Pen) -> None:
    """Contract sum, work to date, earlier claims; a retention or a withheld tax between total and what is due."""
    _head(pen, extra=4)
    case = pen.case
    before = quantize(case.net * Decimal(str(round(pen.rng.uniform(0.5, 4), 1))), case.currency)
    rows: list[totals.Row] = [
        (pen.fresh("contract_sum"), pen.money(before * 3, None), False),
        (pen.fresh("contract_sum"), pen.money(before + case.net, None), False),
        (pen.sentence("earlier_invoice"), pen.money(-before, None), False),
    ]
    early = pen.chance(0.5)
    if early:
        totals.totals_block(pen, rows)
        pen.skip(0.5)
    draw_table(pen)
    totals.totals_block(pen)
    if not early and pen.chance(0.5):
        pen.skip(1)
        totals.totals_block(pen, rows)
    small_print.closing(pen)


@family(Brief(rows=(1, 8), arrears=0.8, credit_share=0, untaxed=0.3), weight=1.1)
def open_balance(pen: Pen) -> None:
    """This invoice and what is open from before; how long it has been open, in a strip of sums."""
    _head(pen)
    draw_table(pen)
    totals.any_totals(pen)
    pen.skip(0.5)
    parts = [pen.case.amount_due] + [
        quantize(pen.case.total * Decimal(str(round(pen.rng.random(), 2))), pen.case.currency) for _ in range(4)
    ]
    ages = [f"{low}-{low + 29}" for low in (1, 31, 61)]
    cell = pen.width / 5
    pen.room(pen.step * 3)
    for index, age in enumerate([pen.word("current_charges"), *ages, "> 90"]):
        pen.canvas.line(age, pen.left + index * cell, pen.y, pen.size * 0.8)
    pen.skip(1)
    for index, value in enumerate(parts):
        amount = pen.money(value if pen.chance(0.5) else value * 0, None)
        pen.canvas.line(amount, pen.left + index * cell, pen.y, pen.size)
    pen.skip(1)
    small_print.closing(pen)


@family(Brief(rows=(1, 6), gross_share=0, credit_share=0.03, prepaid=0), weight=1.2)
def home_currency(pen: Pen) -> None:
    """All sums twice: in the invoice's currency, and beside or below it in the seller's own."""
    _head(pen)
    draw_table(pen)
    case = pen.case
    other = pen.rng.choice([code for code in _RATES if code != case.currency])
    rate = Decimal(str(round(_RATES[other] / _RATES.get(case.currency, 7.5) * pen.rng.uniform(0.95, 1.05), 4)))
    rate = max(rate, Decimal("0.0123"))
    if pen.sums_drawn or pen.chance(0.4):
        totals.any_totals(pen)
        extras.restated(pen)
        small_print.closing(pen)
        return
    _two_columns(pen, other, lambda value: quantize(value * rate, other))
    pen.line(
        f"{pen.word('exchange_rate')}: 1 {case.currency} = {pen.style.totals_money.numbers.format(rate, 4)} {other}"
    )
    small_print.closing(pen)


def _two_columns(pen: Pen, other: str, exchanged: Callable[[Decimal], Decimal]) -> None:
    """Captions, amounts, and the same amounts in another currency, unlabelled."""
    case, plain = pen.case, pen.style.totals_money.plain
    start = pen.left + pen.width * pen.rng.choice((0.3, 0.4, 0.5))
    edges = [pen.right - pen.width * 0.2, pen.right]
    if pen.chance(0.3):
        edges.reverse()
    pen.canvas.line([(case.currency, Label.CURRENCY)], edges[0], pen.y, pen.size, bold=True, align="right")
    pen.line(other, edges[1], bold=True, align="right")
    pen.currency_shown = True
    rows: list[tuple[str, Decimal, Label]] = [
        ("subtotal", case.net, Label.SUBTOTAL),
        ("tax_total", case.tax, Label.TAX),
        ("total", case.net + case.tax, Label.TOTAL),
    ]
    if case.rounding:
        rows[2:] = [("rounding", case.rounding, Label.ROUNDING), ("total", case.total, Label.TOTAL)]
    if case.withheld:
        rows.append(("amount_due", case.amount_due, Label.AMOUNT_DUE))
    for key, value, label in rows:
        bold = key == "total" and pen.chance(0.7)
        pen.canvas.line(pen.label(key), start, pen.y, pen.size, bold=bold)
        pen.canvas.line([(plain(value), label)], edges[0], pen.y, pen.size, bold=bold, align="right")
        pen.line(plain(exchanged(value)), edges[1], align="right", bold=bold)


@family(Brief(rows=(1, 5), credit_share=1.0, prepaid=0), weight=1.0)
def credited(pen: Pen) -> None:
    """A credit note: the invoice it cancels with its number, date and sum; its own sums with or without a sign."""
    small_print.any_footer(pen, 0.4)
    x = pen.left + pen.width * 0.55
    parties.letterhead(pen, pen.rng.choice((pen.left, x)))
    pen.skip(1)
    parties.buyer_block(pen, pen.left)
    pen.skip(1)
    meta.title_line(pen, pen.left) if pen.chance(0.4) else meta.title(pen, pen.left)
    old = join([(pen.case.numbers["other_number"], Label.OTHER_NUMBER)])
    pairs = meta.fields(pen, due=0.15, extra=pen.rng.choice((0, 1, 2)))
    pairs += [("original", old), ("other_date", pen.day(pen.case.other_date, Label.OTHER_DATE))]
    pairs = list(dict(pairs).items())
    if pen.chance(0.4):
        pairs.append(("contract_sum", pen.money(abs(pen.case.total) * 3, None)))
    meta.any_meta(pen, pairs)
    pen.skip(0.5)
    draw_table(pen)
    totals.any_totals(pen)
    small_print.closing(pen)


@family(Brief(rows=(1, 6), prepaid=0.5, arrears=0.2, gross_share=0.3, credit_share=0), weight=0.9, held_out=True)
def many_sums(pen: Pen) -> None:
    """Sums everywhere: a headline, a strip, the block, another currency and a discount for early payment."""
    _head(pen)
    case = pen.case
    pen.line(join(pen.label("amount_due"), "  ", pen.money(case.amount_due, Label.AMOUNT_DUE)), bold=True)
    draw_table(pen)
    totals.totals_block(pen)
    small_print.early_discount(pen)
    extras.restated(pen) if pen.chance(0.5) else None
    slip: list[meta.Pair] = [
        (meta.number_key(pen), meta.number(pen)),
        ("contract_sum", pen.money(quantize(case.total * 2, case.currency), None)),
        ("amount_due", pen.money(case.amount_due, Label.AMOUNT_DUE)),
    ]
    strip(pen, slip)
    small_print.closing(pen)
