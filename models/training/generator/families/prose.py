"""Bills with items and sums in sentences or lines of text, without a table."""

from decimal import Decimal

from models.training.generator.blocks import extras, meta, parties, small_print, totals
from models.training.generator.blocks.table import remember
from models.training.generator.core.canvas import Rich, join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.families.business import edge_letterhead
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_PLAIN = Brief(goods=("services",), rows=(1, 4), long_share=0, seller="practice", untaxed=0.3, credit_share=0.03)


def free_items(pen: Pen) -> None:
    """`Consulting in March: 1,200.00`, `3 hours of consulting at 80.00 = 240.00`, one a line."""
    bullet = pen.rng.choice(("", "", "- ", "• ", "* "))
    counted = pen.chance(0.35)
    for number, item in enumerate(pen.case.items, 1):
        pen.room(pen.step * 2)
        text: Rich = [(item.description, Label.LINE_DESCRIPTION)]
        total = pen.money(item.total, Label.LINE_TOTAL)
        lead = bullet or pen.rng.choice(("", "", f"{number}. ", f"{number}) "))
        if counted and item.quantity != 1:
            amount = pen.style.totals_money.numbers.format(item.quantity, _places(item.quantity))
            price = pen.money(item.unit_price, Label.LINE_UNIT_PRICE)
            unit = f" {item.unit}" if pen.chance(0.7) else ""
            head = join(
                lead, text, ", ", [(amount, Label.LINE_QUANTITY)], unit, pen.rng.choice((" x ", " à ", " @ ")), price
            )
            pen.paragraph(join(head, pen.rng.choice((" = ", ": ", "  ")), total))
        else:
            pen.paragraph(join(lead, text, pen.rng.choice((": ", " - ", "   ", " ... ")), total))
        remember(
            pen, item.description, item, quantity=counted and item.quantity != 1, price=counted and item.quantity != 1
        )
        pen.skip(pen.rng.choice((0.0, 0.5)))


def _places(value: Decimal) -> int:
    return max(0, -int(value.normalize().as_tuple().exponent))


def _opening(pen: Pen) -> None:
    """Letterhead, customer, place and date as a letter has them."""
    edge_letterhead(pen, ("left", "right", "center"))
    pen.skip(1)
    parties.buyer_block(pen, pen.left, heading=False)
    pen.skip(1)
    city = pen.case.seller.place.split()[-1]
    pen.line(join(f"{city}, " if pen.chance(0.6) else "", meta.issued(pen)), align=pen.rng.choice(("left", "right")))
    pen.skip(1)


@family(_PLAIN, weight=1.1)
def plain_lines(pen: Pen) -> None:
    """Items as lines of text, sums as more lines."""
    small_print.any_footer(pen, 0.4)
    _opening(pen)
    meta.title_line(pen, pen.left, with_date=False)
    meta.any_meta(pen, meta.decoys(pen, pen.rng.randint(1, 2))) if pen.chance(0.3) else None
    pen.paragraph(pen.sentence("intro"))
    pen.skip(0.5)
    free_items(pen)
    totals.totals_lines(pen)
    extras.exempt_note(pen)
    small_print.closing(pen)


@family(_PLAIN, weight=0.9)
def stated_total(pen: Pen) -> None:
    """The total is only in a sentence; taxes and number are in sentences, too."""
    _opening(pen)
    meta.title_line(pen, pen.left)
    pen.skip(1)
    pen.line(pen.sentence("salute"))
    pen.paragraph(pen.sentence("intro"))
    free_items(pen)
    pen.skip(0.5)
    if pen.case.paid:
        totals.totals_lines(pen)
    else:
        extras.total_prose(pen)
        for text, value, _ in totals.tax_rows(pen):
            pen.paragraph(join(text, " ", value))
    extras.exempt_note(pen)
    small_print.payment(pen)
    pen.skip(1)
    pen.line(pen.fresh("regards"))
    pen.skip(1)
    pen.line(parties.seller(pen) if pen.chance(0.7) else pen.case.seller.person)
    small_print.bank_details(pen)


@family(Brief(goods=("services",), rows=(1, 1), long_share=0, untaxed=0.3), weight=0.9)
def one_item(pen: Pen) -> None:
    """One item, described in a paragraph; its amount is in the column of sums."""
    small_print.any_footer(pen, 0.5)
    x = pen.left + pen.width * 0.58
    pairs = meta.fields(pen, extra=pen.rng.randint(0, 3))
    parties.side_by_side(
        pen, [(pen.left, parties.letterhead), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(1)
    parties.buyer_block(pen, pen.left)
    pen.skip(1)
    meta.title(pen, pen.left)
    item = pen.case.items[0]
    text: Rich = [(item.description, Label.LINE_DESCRIPTION)]
    pen.skip(0.5)
    tail = pen.sentence("letter") if pen.chance(0.5) else ""
    top = pen.y
    pen.paragraph(join(text, ". " if tail else "", tail), width=pen.width * 0.6)
    pen.canvas.line(pen.money(item.total, Label.LINE_TOTAL), pen.right, top, pen.size, align="right")
    remember(pen, item.description, item, quantity=False, price=False)
    pen.skip(1)
    totals.totals_block(pen)
    small_print.closing(pen)


@family(Brief(goods=("services",), rows=(1, 5), long_share=0, scale=3, untaxed=0.2), weight=0.8)
def fee_letter(pen: Pen) -> None:
    """Lawyers, agents: "Our ref", "Your ref", a matter, a narrative of work done, then fees and expenses."""
    small_print.any_footer(pen, 0.7)
    edge_letterhead(pen, ("left", "right", "center"))
    pen.skip(1)
    x = pen.left + pen.width * 0.6
    pairs = meta.fields(pen, extra=pen.rng.randint(1, 3))
    parties.side_by_side(
        pen, [(pen.left, parties.buyer_block), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(1)
    meta.title(pen, pen.left)
    pen.line(join(pen.word("for"), ": ", pen.fresh("services"), " / ", pen.case.buyer.person), bold=True)
    for _ in range(pen.rng.randint(1, 3)):
        pen.paragraph(pen.sentence("letter"))
        pen.skip(0.3)
    free_items(pen)
    totals.totals_block(pen)
    small_print.closing(pen)
