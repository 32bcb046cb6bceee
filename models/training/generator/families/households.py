"""Household bills: telephone, energy, insurance, public fees, doctors."""

from collections.abc import Callable
from functools import partial

from models.training.generator.blocks import extras, meta, parties, small_print, totals
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import Text, join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.countries import fill
from models.training.generator.families.business import dotted_items, edge_letterhead
from models.training.generator.families.letters import repeated_head
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_USAGE = Brief(
    goods=("usage",), rows=(2, 9), long_share=0.04, buyer_person=0.85, credit_share=0.02, arrears=0.3, scale=0.1
)


def _pay_slip(pen: Pen) -> None:
    """The part to pay with at the foot of the page: number, sum and payee once more."""
    pen.room(pen.step * 7)
    pen.line("- " * int(pen.width / pen.canvas.text_width("- ", pen.size)))
    case = pen.case
    rows: list[meta.Pair] = [
        ("payee", parties.seller(pen)),
        ("account", [(case.seller.iban, Label.OTHER_NUMBER)]),
        (meta.number_key(pen), meta.number(pen)),
        ("customer_number", [(case.numbers["customer_number"], Label.OTHER_NUMBER)]),
        ("amount_due", pen.money(case.amount_due, Label.AMOUNT_DUE)),
    ]
    rows = [row for row in rows if pen.chance(0.75)]
    pen.rng.shuffle(rows)
    pen.rng.choice((meta.any_meta, lambda pen, rows: meta.meta_list(pen, rows, pen.left, pen.width * 0.6)))(pen, rows)


def _account_box(pen: Pen, x: float) -> None:
    totals.totals_block(pen, extras.account_rows(pen), left=x, right=min(pen.right, x + pen.width * 0.55))


def consumption(pen: Pen) -> None:
    """Meters: numbers, old and new readings, days, what was used."""
    keys = ("meter", "service_period", "quantity", "tariff")
    edges = [pen.left + pen.width * share for share in (0, 0.22, 0.58, 0.75)]
    pen.room(pen.step * 4)
    for key, edge in zip(keys, edges, strict=True):
        pen.canvas.line(pen.fresh(key), edge, pen.y, pen.size * 0.9, bold=pen.style.label_bold)
    pen.skip(1)
    start, end = pen.case.period
    for _ in range(pen.rng.randint(1, 4)):
        period = join(pen.day(start, Label.OTHER_DATE), " - ", pen.day(end, Label.OTHER_DATE))
        cells: list[Text] = [
            [(fill("########", pen.rng), Label.OTHER_NUMBER)],
            period,
            f"{pen.rng.randint(3, 9000)} {pen.rng.choice(('kWh', 'm³', 'min', 'GB'))}",
            pen.fresh("tariff"),
        ]
        for cell, edge in zip(cells, edges, strict=True):
            pen.canvas.line(cell, edge, pen.y, pen.size * 0.9)
        pen.skip(1)


@family(_USAGE, weight=1.1)
def telephone_bill(pen: Pen) -> None:
    """Account summary on the first page, charges of each line on the next, a slip at the foot."""
    small_print.any_footer(pen, 0.5)
    repeated_head(pen)
    x = pen.left + pen.width * 0.5
    pairs = meta.fields(pen, extra=pen.rng.randint(2, 5), due=0.7)
    parties.side_by_side(
        pen, [(pen.left, parties.letterhead), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(1)
    parties.buyer_block(pen, pen.left, heading=False)
    pen.skip(1)
    if pen.chance(0.5):
        meta.title(pen, pen.left)
    pen.line(pen.fresh("tariff"), size=pen.size * pen.rng.choice((1.0, 1.5)), bold=pen.chance(0.5))
    _account_box(pen, pen.rng.choice((pen.left, pen.left, x)))
    pen.skip(0.5)
    if pen.chance(0.5):
        pen.paragraph(pen.sentence("autopay"))
    if pen.chance(0.4):
        _pay_slip(pen)
    if pen.chance(0.5):
        pen.new_page()
    pen.skip(1)
    draw_table(pen) if pen.chance(0.6) else dotted_items(pen)
    totals.totals_block(pen, [row for row in totals.sum_rows(pen) if not row[2]])
    small_print.notes(pen)


@family(_USAGE, weight=0.9)
def energy_account(pen: Pen) -> None:
    """A year's energy: tariff, meters, costs, instalments with their dates."""
    small_print.any_footer(pen, 0.6)
    repeated_head(pen)
    edge_letterhead(pen, ("left", "right"))
    pen.skip(1)
    x = pen.left + pen.width * 0.55
    pairs = [
        *meta.fields(pen, extra=pen.rng.randint(2, 5), due=0.4),
        ("next_date", pen.day(pen.case.due, Label.OTHER_DATE)),
    ]
    parties.side_by_side(
        pen, [(pen.left, parties.buyer_block), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(1)
    meta.title(pen, pen.left)
    if pen.chance(0.5):
        pen.line(join(pen.word("terms"), ": ", pen.fresh("tariff")))
    steps: list[Callable[[Pen], object]] = [partial(_account_box, x=pen.left), consumption, draw_table]
    if pen.chance(0.5):
        pen.rng.shuffle(steps)
    for step in steps:
        step(pen)
        pen.skip(1)
    totals.totals_block(pen)
    if pen.chance(0.4) and Label.DUE_DATE not in pen.canvas.first:
        extras.instalments(pen)
    small_print.closing(pen)
    if pen.chance(0.3):
        _pay_slip(pen)


@family(
    Brief(goods=("services",), rows=(1, 4), long_share=0, untaxed=0.6, buyer_person=0.8, credit_share=0.02), weight=0.8
)
def premium_notice(pen: Pen) -> None:
    """Insurance: policy and period, premiums, instalments or direct debit."""
    small_print.any_footer(pen, 0.6)
    edge_letterhead(pen, ("left", "right", "center"))
    pen.skip(1)
    parties.buyer_block(pen, pen.left, heading=False)
    pen.skip(1)
    key = "title_insurance" if pen.chance(0.7) else None
    meta.title_line(pen, pen.left, key=key) if pen.chance(0.3) else meta.title(pen, pen.left, key=key)
    birth = join(
        pen.day(
            pen.case.period[0].replace(year=pen.case.issued.year - pen.rng.randint(20, 80), day=1), Label.OTHER_DATE
        )
    )
    pairs: list[meta.Pair] = [*meta.fields(pen, extra=pen.rng.randint(2, 4), due=0.3), ("patient", parties.buyer(pen))]
    meta.any_meta(pen, [*pairs, ("birth_date", birth)] if pen.chance(0.4) else pairs)
    pen.skip(0.5)
    dotted_items(pen) if pen.chance(0.5) else draw_table(pen)
    totals.totals_block(pen)
    if Label.DUE_DATE not in pen.canvas.first and pen.chance(0.6):
        extras.instalments(pen)
    elif pen.chance(0.4):
        pen.paragraph(pen.sentence("autopay"))
    small_print.closing(pen)


@family(
    Brief(goods=("services", "usage"), rows=(1, 6), long_share=0, untaxed=0.9, buyer_person=0.7, credit_share=0),
    weight=0.7,
    held_out=True,
)
def fee_notice(pen: Pen) -> None:
    """A public office's notice: file numbers, a legal basis, a sum to be paid by a date."""
    x = pen.left + pen.width * 0.55
    office = partial(parties.seller_block, heading=False)
    pairs = meta.fields(pen, extra=pen.rng.randint(2, 5), due=0.4)
    parties.side_by_side(pen, [(pen.left, parties.buyer_block), (x, office)])
    pen.skip(1)
    meta.meta_list(pen, pairs, pen.rng.choice((pen.left, x)), pen.width * 0.45)
    pen.skip(1)
    meta.title(pen, pen.left, key="title_notice")
    pen.paragraph(pen.sentence("letter"))
    pen.skip(0.5)
    dotted_items(pen) if pen.chance(0.6) else draw_table(pen)
    totals.totals_block(pen, totals.total_rows(pen))
    pen.paragraph(pen.sentence("due_prose"))
    for _ in range(pen.rng.randint(1, 4)):
        pen.paragraph(pen.sentence("letter"))
    small_print.bank_details(pen)
    if pen.chance(0.5):
        _pay_slip(pen)


@family(
    Brief(
        goods=("services",),
        rows=(2, 12),
        long_share=0.05,
        untaxed=0.85,
        seller="practice",
        buyer_person=1.0,
        credit_share=0,
    ),
    weight=0.9,
)
def doctors_bill(pen: Pen) -> None:
    """A practice's bill: patient, date of birth, codes of treatments by day; perhaps a clearing house is paid."""
    small_print.any_footer(pen, 0.4)
    edge_letterhead(pen, ("left", "right", "center"))
    pen.skip(1)
    parties.buyer_block(pen, pen.left, heading=False)
    pen.skip(1)
    meta.title_line(pen, pen.left) if pen.chance(0.4) else meta.title(pen, pen.left)
    meta.any_meta(pen, meta.fields(pen, extra=pen.rng.randint(0, 3)))
    born = pen.case.issued.replace(year=pen.case.issued.year - pen.rng.randint(3, 90), day=pen.rng.randint(1, 28))
    pen.line(
        join(
            pen.tagged("patient"),
            " ",
            pen.case.buyer.person,
            ", ",
            pen.word("birth_date"),
            " ",
            pen.day(born, Label.OTHER_DATE),
        )
    )
    if pen.chance(0.4):
        pen.line(f"Diagnose: {fill('?##.#', pen.rng)}, {fill('?##', pen.rng)}")
    pen.skip(0.5)
    draw_table(pen, ["day", "code", "description", "quantity", "line_total"] if pen.chance(0.6) else None)
    totals.totals_block(pen, totals.total_rows(pen)) if pen.chance(0.6) else totals.any_totals(pen)
    extras.exempt_note(pen)
    if pen.chance(0.25):
        pen.paragraph(pen.sentence("factor_note"))
    small_print.closing(pen)
