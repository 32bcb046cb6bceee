"""Designed pages: wordmarks, much white, everything at one edge, spaced blocks."""

from functools import partial

from models.training.generator.blocks import extras, meta, parties, small_print, totals
from models.training.generator.blocks.marks import payable_to
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.families.letters import body
from models.training.generator.families.registry import family

_SMALL = Brief(goods=("services", "services", "software", "goods"), rows=(1, 5), long_share=0.03)
_OWN = Brief(goods=("services",), rows=(1, 4), long_share=0, seller="practice", untaxed=0.35, credit_share=0.02)


def stacked(pen: Pen, pairs: list[meta.Pair], x: float, *, align: str = "left", space: float = 0.6) -> None:
    """Small captions above their values, one below the other."""
    small = pen.size * pen.rng.choice((0.75, 0.85, 1.0))
    for key, value in pairs:
        pen.line(pen.label(key), x, size=small, bold=pen.style.label_bold, align=align)
        pen.line(value, x, bold=pen.style.value_bold, align=align)
        pen.skip(space)


@family(_SMALL, weight=1.3)
def wordmark_page(pen: Pen) -> None:
    """A big wordmark and much white; the address only in the footer, or nowhere."""
    small_print.any_footer(pen, 0.75)
    align = pen.rng.choice(("left", "left", "right", "center"))
    x = {"left": pen.left, "right": pen.right, "center": pen.style.width / 2}[align]
    parties.wrapped_name(pen, x, pen.size * pen.rng.choice((2.0, 2.6, 3.4)), align)
    if pen.chance(0.3):
        parties.beside_name(pen, x, align)
    pen.skip(pen.rng.uniform(2, 6))
    half = pen.left + pen.width * pen.rng.uniform(0.45, 0.65)
    pairs = meta.fields(pen, extra=pen.rng.choice((0, 0, 1, 2)))

    def data(pen: Pen, x: float) -> None:
        meta.meta_list(pen, pairs, x, pen.right - x) if pen.chance(0.4) else stacked(pen, pairs, x)

    parties.side_by_side(pen, [(pen.left, parties.buyer_block), (half, data)])
    pen.skip(2)
    if pen.chance(0.8):
        meta.title(pen, pen.left)
        pen.skip(1)
    body(pen)


@family(_SMALL, weight=0.8)
def flush_right(pen: Pen) -> None:
    """Everything but the table is at the right edge."""
    if pen.chance(0.6):
        meta.title(pen, pen.right, align="right")
        pen.skip(1)
    parties.letterhead(pen, pen.right, align="right")
    pen.skip(1)
    pen.line(pen.label("bill_to"), pen.right, align="right", bold=pen.style.label_bold)
    pen.line(parties.buyer(pen), pen.right, align="right")
    pen.lines(parties.address_lines(pen, pen.case.buyer), pen.right, align="right")
    pen.skip(1)
    pairs = meta.fields(pen, extra=pen.rng.choice((0, 1, 2)))
    if pen.chance(0.5):
        stacked(pen, pairs, pen.right, align="right", space=0.2)
    else:
        meta.meta_list(pen, pairs, pen.left + pen.width * 0.6, pen.width * 0.4)
    pen.skip(1.5)
    draw_table(pen)
    totals.totals_block(pen, left=pen.left + pen.width * 0.6)
    small_print.closing(pen)


@family(_OWN, weight=1.2)
def designer(pen: Pen) -> None:
    """A freelancer's own design: the person's name in large or small letters, contacts in a row, few items."""
    contacts = parties.contact_lines(pen, pen.case.seller)
    small = pen.chance(0.3)
    name_x = pen.rng.choice((pen.left, pen.left + pen.width * 0.6))
    if pen.chance(0.4):
        meta.title(pen, pen.left, size=pen.size * pen.rng.choice((2.5, 3.5)))
        pen.skip(1)
    parties.wrapped_name(pen, name_x, pen.size * (1.0 if small else pen.rng.choice((1.6, 2.2, 3.0))))
    if pen.chance(0.5):
        pen.line(pen.fresh("profession"), name_x)
    pen.lines([", ".join(pen.case.seller.address), *contacts], name_x, size=pen.size * 0.85)
    pen.skip(2)
    x = pen.left + pen.width * 0.6
    pairs = meta.fields(pen, extra=pen.rng.choice((0, 0, 1)))
    buyer = partial(parties.buyer_block, heading=pen.chance(0.6))
    parties.side_by_side(pen, [(pen.left, buyer), (x, lambda pen, x: stacked(pen, pairs, x, space=0.3))])
    pen.skip(2)
    draw_table(pen, pen.rng.choice((None, ["description", "line_total"], ["quantity", "description", "line_total"])))
    totals.totals_block(pen)
    extras.exempt_note(pen)
    if pen.chance(0.3):
        payable_to(pen)
    small_print.closing(pen)


@family(_OWN, weight=0.9)
def unheaded(pen: Pen) -> None:
    """No letterhead: the issuer is next to the bank account, named as payee or under the letter."""
    if pen.chance(0.5):
        pen.line(pen.case.seller.mail, pen.right, align="right")
    x = pen.left + pen.width * 0.58
    pairs = meta.fields(pen, extra=pen.rng.choice((0, 1, 2)))
    data = partial(meta.meta_list, pen, pairs)
    parties.side_by_side(pen, [(pen.left, parties.buyer_block), (x, lambda pen, x: data(x, pen.right - x))])
    pen.skip(2)
    meta.title(pen, pen.left)
    pen.skip(1)
    draw_table(pen)
    totals.any_totals(pen)
    pen.skip(1)
    small_print.payment(pen)
    signed = pen.chance(0.5)
    if signed:
        pen.line(pen.fresh("regards"))
        pen.line(parties.seller(pen))
    if not signed or pen.chance(0.4):
        payable_to(pen)
        pen.lines(small_print.bank_lines(pen))


@family(_SMALL, weight=0.9, held_out=True)
def airy_columns(pen: Pen) -> None:
    """Four narrow columns of captions and values over wide white, the wordmark at the bottom."""
    pen.style.leading = max(pen.style.leading, 1.5)
    meta.title(pen, pen.left, size=pen.size * 3)
    pen.skip(3)
    quarter = pen.width / 4
    pairs = meta.fields(pen, extra=pen.rng.choice((0, 1, 2)))
    middle = (len(pairs) + 1) // 2
    blocks: list[tuple[float, parties.Block]] = [
        (pen.left, lambda pen, x: stacked(pen, pairs[:middle], x)),
        (pen.left + quarter, lambda pen, x: stacked(pen, pairs[middle:], x)),
        (pen.left + 2 * quarter, partial(parties.buyer_block, heading=True)),
        (pen.left + 3 * quarter, partial(parties.seller_block, heading=pen.chance(0.5))),
    ]
    parties.side_by_side(pen, blocks)
    pen.skip(3)
    draw_table(pen)
    totals.totals_block(pen, left=pen.left + 2 * quarter)
    pen.skip(2)
    small_print.closing(pen)
    parties.wrapped_name(pen, pen.left, pen.size * 2)
