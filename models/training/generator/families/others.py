"""Pages that are not invoices: on them the right answer is nothing."""

from models.training.generator.blocks import meta, parties, small_print, totals
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.identifiers import invoice_number, other_number
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_PLAIN = Brief(credit_share=0, long_share=0.05)


def _order_like(pen: Pen, title: str, number_key: str, *, with_totals: bool, columns: list[str] | None = None) -> None:
    """The pages most like invoices: only the title and wording tell them apart."""
    small_print.any_footer(pen, 0.4)
    x = pen.left + pen.width * 0.55
    own: meta.Pair = (number_key, [(other_number(pen.rng, pen.case.issued), Label.OTHER_NUMBER)])
    pairs = [
        own,
        ("issue_date" if pen.chance(0.5) else "other_date", meta.issued(pen)),
        *meta.decoys(pen, pen.rng.randint(0, 5)),
    ]

    def head(pen: Pen, x: float) -> None:
        meta.title(pen, x, key=title)
        meta.meta_list(pen, pairs, x, pen.right - x)

    if pen.chance(0.5):
        parties.letterhead(pen, pen.left)
        pen.skip(1)
        parties.side_by_side(pen, [(pen.left, parties.buyer_block), (x, head)])
    else:
        parties.side_by_side(pen, [(pen.left, parties.letterhead), (x, head)])
        pen.skip(1)
        parties.side_by_side(pen, [(pen.left, parties.buyer_block), (x, parties.ship_block)])
    pen.skip(1)
    draw_table(pen, columns)
    if with_totals:
        totals.any_totals(pen)
    small_print.notes(pen)


@family(_PLAIN, weight=0.8, is_invoice=False)
def quote(pen: Pen) -> None:
    _order_like(pen, "title_quote", "other_number", with_totals=True)


@family(_PLAIN, weight=0.8, is_invoice=False)
def order_confirmation(pen: Pen) -> None:
    _order_like(pen, "title_order", "order_number", with_totals=True)


@family(_PLAIN, weight=0.55, is_invoice=False, held_out=True)
def delivery_note(pen: Pen) -> None:
    columns = pen.rng.choice(
        (
            ["pos", "code", "description", "quantity", "unit"],
            ["code", "description", "quantity"],
            ["description", "quantity"],
        )
    )
    _order_like(pen, "title_delivery", "delivery_number", with_totals=False, columns=columns)


@family(_PLAIN, weight=1.15, is_invoice=False)
def reminder(pen: Pen) -> None:
    """A reminder or statement: a list of open invoices with their dates and amounts."""
    parties.letterhead(pen, pen.rng.choice((pen.left, pen.left + pen.width * 0.5)))
    pen.skip(1)
    parties.buyer_block(pen, pen.left)
    pen.skip(1)
    meta.title(pen, pen.left, key=pen.rng.choice(("title_reminder", "title_statement")))
    meta.any_meta(pen, [("issue_date", meta.issued(pen)), *meta.decoys(pen, pen.rng.randint(1, 3))])
    pen.skip(1)
    pen.paragraph(pen.sentence("reminder"))
    pen.skip(0.5)
    edges = [pen.left + pen.width * share for share in (0, 0.25, 0.5, 0.75)]
    for key, edge in zip(("invoice_number", "issue_date", "due_date", "amount_due"), edges, strict=True):
        pen.canvas.line(pen.label(key), edge, pen.y, pen.size, bold=True)
    pen.y += pen.step
    for item in pen.case.items[:12]:
        pen.canvas.line([(invoice_number(pen.rng, item.day), Label.OTHER_NUMBER)], edges[0], pen.y, pen.size)
        pen.canvas.line(pen.day(item.day, Label.OTHER_DATE), edges[1], pen.y, pen.size)
        pen.canvas.line(pen.day(pen.case.due, Label.OTHER_DATE), edges[2], pen.y, pen.size)
        pen.line(pen.money(item.total, None), edges[3])
    pen.line(join(pen.label("total"), " ", pen.money(pen.case.lines_sum, None)), pen.right, align="right", bold=True)
    pen.paragraph(pen.sentence("reminder"))
    small_print.notes(pen)
    small_print.bank_details(pen)


@family(_PLAIN, weight=1.1, is_invoice=False)
def letter(pen: Pen) -> None:
    """A letter or contract: paragraphs, dates and amounts in running text."""
    small_print.any_footer(pen, 0.5)
    if pen.chance(0.7):
        parties.letterhead(pen, pen.left)
        pen.skip(1)
        parties.buyer_block(pen, pen.left, heading=False)
        pen.skip(1)
        pen.line(meta.issued(pen), pen.right, align="right")
    if pen.chance(0.6):
        meta.title(pen, pen.left, key=pen.rng.choice(("title_contract", "title_form", "title_cv", "title_order")))
    pen.line(pen.sentence("salute"))
    for number in range(1, pen.rng.randint(3, 16)):
        start = f"{number}. " if pen.chance(0.2) else ""
        sentences = [join(pen.sentence("letter"), " ") for _ in range(pen.rng.randint(1, 4))]
        pen.paragraph(join(start, *sentences))
        pen.skip(0.5)
    pen.line(pen.fresh("regards"))
    pen.skip(2)
    pen.line(pen.case.seller.person)


@family(_PLAIN, weight=0.8, is_invoice=False)
def form(pen: Pen) -> None:
    """A filled form, an application or a CV: labels and values down the page."""
    meta.title(pen, pen.left, key=pen.rng.choice(("title_form", "title_form", "title_cv", "title_contract")))
    pen.skip(1)
    party = pen.case.buyer
    rows = [("name", party.name), ("street", party.street), ("city", party.place), ("country", party.country.name)]
    for key, value in rows:
        pen.pair(key, value, pen.left, gap=pen.width * 0.3)
    for _ in range(pen.rng.randint(2, 6)):
        meta.any_meta(pen, meta.decoys(pen, pen.rng.randint(2, 5)))
        pen.skip(0.5)
        if pen.chance(0.4):
            pen.paragraph(pen.sentence("letter"))
    for item in pen.case.items[:6]:
        if pen.chance(0.4):
            pen.line(
                join(pen.day(item.day, Label.OTHER_DATE), "  ", item.description, "  ", pen.money(item.total, None))
            )
