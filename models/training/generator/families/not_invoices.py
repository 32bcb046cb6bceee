"""More pages that are not invoices: bank statements, payslips, expense reports, price lists, tickets."""

from datetime import timedelta

from models.training.generator.blocks import meta, parties, small_print
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import Rich, Text, join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.countries import fill
from models.training.generator.facts.identifiers import invoice_number
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_PLAIN = Brief(credit_share=0, long_share=0.03)


def _rows(pen: Pen, rows: list[tuple[Text, ...]], shares: tuple[float, ...]) -> None:
    """Cells at shares of the width; the last one is aligned right."""
    for row in rows:
        pen.room(pen.step)
        for cell, share in zip(row[:-1], shares, strict=True):
            pen.canvas.line(cell, pen.left + pen.width * share, pen.y, pen.size)
        pen.line(row[-1], pen.right, align="right")


def _opened(pen: Pen, title: str, extra: int) -> None:
    parties.letterhead(pen, pen.rng.choice((pen.left, pen.left + pen.width * 0.55)))
    pen.skip(1)
    if pen.chance(0.8):
        parties.buyer_block(pen, pen.left, heading=False)
        pen.skip(1)
    meta.title(pen, pen.left, key=title)
    meta.any_meta(pen, [("issue_date", meta.issued(pen)), *meta.decoys(pen, extra)])
    pen.skip(1)


@family(_PLAIN, weight=0.6, is_invoice=False)
def bank_statement(pen: Pen) -> None:
    _opened(pen, "title_bank", pen.rng.randint(1, 4))
    balance = pen.case.total * 3
    rows: list[tuple[Text, ...]] = []
    for item in pen.case.items:
        balance -= item.total
        text = join(f"{pen.fresh('bank_item')} ", item.description)
        rows.append(
            (
                pen.day(item.day, Label.OTHER_DATE, short=True),
                text,
                pen.money(-item.total, None),
                pen.money(balance, None),
            )
        )
    _rows(pen, rows, (0, 0.2, 0.62))
    pen.line(join(pen.word("balance_forward"), "  ", pen.money(balance, None)), bold=True)
    small_print.notes(pen)


@family(_PLAIN, weight=0.5, is_invoice=False)
def payslip(pen: Pen) -> None:
    _opened(pen, "title_payslip", pen.rng.randint(2, 6))
    amount = pen.case.total
    rows: list[tuple[Text, ...]] = []
    for _ in range(pen.rng.randint(5, 14)):
        amount = amount * pen.rng.randint(30, 110) / 100
        rows.append((fill("####", pen.rng), pen.fresh("pay_item"), pen.money(amount, None)))
    _rows(pen, rows, (0, 0.15))
    pen.line(join(pen.word("total"), "  ", pen.money(pen.case.total, None)), pen.right, align="right", bold=True)
    pen.line(join("IBAN ", [(pen.case.buyer.iban, Label.OTHER_NUMBER)]))


@family(_PLAIN, weight=0.55, is_invoice=False)
def expense_report(pen: Pen) -> None:
    """A form with the receipts of a journey: shops, dates and sums that were paid to others."""
    meta.title(pen, pen.left, key="title_expenses")
    for key, value in (("name", join(pen.case.buyer.person)), *meta.decoys(pen, pen.rng.randint(2, 4))):
        pen.pair(key, value, pen.left, gap=pen.width * 0.3)
    pen.skip(1)
    rows: list[tuple[Text, ...]] = [
        (
            pen.day(item.day, Label.OTHER_DATE),
            item.description,
            pen.rng.choice(("", item.code)),
            pen.money(item.total, None),
        )
        for item in pen.case.items
    ]
    _rows(pen, rows, (0, 0.2, 0.7))
    pen.line(join(pen.label("total"), " ", pen.money(pen.case.lines_sum, None)), pen.right, align="right", bold=True)


@family(
    Brief(rows=(6, 24), credit_share=0, goods=("goods", "menu", "software")),
    weight=0.4,
    is_invoice=False,
    held_out=True,
)
def price_list(pen: Pen) -> None:
    parties.letterhead(pen, pen.style.width / 2, align="center")
    meta.title(pen, pen.style.width / 2, align="center", key="title_price_list")
    pen.skip(1)
    columns = (
        ["code", "description", "unit_price"],
        ["description", "unit", "unit_price"],
        ["description", "unit_price"],
    )
    draw_table(pen, pen.rng.choice(columns))
    small_print.notes(pen)


@family(_PLAIN, weight=0.6, is_invoice=False)
def remittance(pen: Pen) -> None:
    """A payment advice: which invoices of the reader were paid."""
    _opened(pen, "title_remittance", pen.rng.randint(1, 4))
    rows: list[tuple[Text, ...]] = [(pen.label("invoice_number"), pen.label("issue_date"), pen.label("line_total"))]
    for item in pen.case.items[:14]:
        number: Rich = [(invoice_number(pen.rng, item.day), Label.OTHER_NUMBER)]
        rows.append((number, pen.day(item.day, Label.OTHER_DATE), pen.money(item.total, None)))
    _rows(pen, rows, (0, 0.4))
    pen.line(join(pen.label("total"), " ", pen.money(pen.case.lines_sum, None)), pen.right, align="right", bold=True)
    small_print.bank_details(pen)


@family(_PLAIN, weight=0.6, is_invoice=False)
def itinerary(pen: Pen) -> None:
    """A journey or timetable: times, places, booking numbers, no price."""
    if pen.chance(0.7):
        parties.letterhead(pen, pen.left)
        pen.skip(1)
    meta.title(pen, pen.left, key="title_ticket")
    meta.any_meta(pen, [("issue_date", meta.issued(pen)), *meta.decoys(pen, pen.rng.randint(1, 4))])
    pen.skip(1)
    day = pen.case.issued
    for _ in range(pen.rng.randint(2, 14)):
        day += timedelta(days=pen.rng.choice((0, 0, 1, 3)))
        time = f"{pen.rng.randint(5, 23):02}:{pen.rng.randint(0, 59):02}"
        code: Rich = [(fill("?? ####", pen.rng), Label.OTHER_NUMBER)]
        place = pen.rng.choice((pen.case.seller.place, pen.case.buyer.place))
        pen.line(join(pen.day(day, Label.OTHER_DATE, short=True), f"  {time}  {place}  ", code))
    pen.line(join(pen.word("name"), ": ", pen.case.buyer.person))
    small_print.notes(pen)
