"""Pages with their data in strips: captions in a row, values in the row below, not quite under them."""

from functools import partial

from models.training.generator.blocks import meta, parties, small_print, totals
from models.training.generator.blocks.strips import strip
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import join
from models.training.generator.core.fonts import Font
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.families.letters import body, repeated_head
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_EMPTY = ("contact", "order_number", "delivery_number", "terms", "method", "supplier_number", "other_number")


def strip_pairs(
    pen: Pen, *, extra: int | None = None, total: float = 0.35, due: float = 0.6, with_number: bool = True
) -> list[meta.Pair]:
    """The pairs of a strip: the invoice's own data and look-alikes, often a sum, some captions without a value."""
    few = pen.rng.choice((0, 1, 2, 3)) if extra is None else extra
    pairs = meta.fields(pen, extra=few, due=due, with_number=with_number)
    if pen.chance(total):
        pairs.append(_sum(pen))
    used = {key for key, _ in pairs}
    for key in pen.rng.sample(_EMPTY, pen.rng.choice((0, 0, 0, 1, 2))):
        if key not in used:
            pairs.insert(pen.rng.randint(0, len(pairs)), (key, []))
    return pairs


def _sum(pen: Pen) -> meta.Pair:
    if pen.case.amount_due != pen.case.total or pen.chance(0.3):
        return "amount_due", pen.money(pen.case.amount_due, Label.AMOUNT_DUE)
    return "total", pen.money(pen.case.total, Label.TOTAL)


@family(weight=1.4)
def caption_strip(pen: Pen) -> None:
    """Parties on top, then one strip of all data over the table."""
    small_print.any_footer(pen, 0.4)
    repeated_head(pen)
    x = pen.left + pen.width * pen.rng.uniform(0.5, 0.62)
    heads: list[parties.Block] = [parties.letterhead, parties.buyer_block]
    if pen.chance(0.2):
        heads.reverse()
    parties.side_by_side(pen, [(pen.left, heads[0]), (x, heads[1])])
    pen.skip(1)
    if pen.chance(0.8):
        meta.title(pen, pen.rng.choice((pen.left, x)))
    strip(pen, strip_pairs(pen))
    pen.skip(0.5)
    body(pen)


@family(Brief(countries=("US", "CA", "GB", "AU", "IN", "MX", "ES", "IT", "FR", "TR", "NL"), rows=(1, 9)), weight=1.3)
def two_strips(pen: Pen) -> None:
    """Number and date in a strip beside the letterhead; order, terms, carrier and due date in one over the table."""
    small_print.any_footer(pen, 0.25)
    x = pen.left + pen.width * pen.rng.uniform(0.5, 0.6)
    first = meta.fields(pen, extra=pen.rng.choice((0, 1)), due=0.1)

    def head(pen: Pen, x: float) -> None:
        meta.title(pen, pen.right, align="right", size=pen.size * pen.rng.choice((1.6, 2.2)))
        strip(pen, first, x, pen.right - x)

    parties.side_by_side(pen, [(pen.left, parties.letterhead), (x, head)])
    pen.skip(1)
    buyers: list[tuple[float, parties.Block]] = [
        (pen.left, partial(parties.buyer_block, heading=True)),
        (x, parties.ship_block),
    ]
    parties.side_by_side(pen, buyers if pen.chance(0.6) else buyers[:1])
    pen.skip(1)
    second = meta.decoys(pen, pen.rng.randint(2, 5))
    if Label.DUE_DATE not in pen.canvas.first and pen.chance(0.5):
        second.insert(pen.rng.randint(0, len(second)), ("due_date", pen.day(pen.case.due, Label.DUE_DATE)))
    strip(pen, second)
    draw_table(pen)
    totals.any_totals(pen)
    small_print.closing(pen)


@family(Brief(rows=(1, 8), prepaid=0.2), weight=0.9, held_out=True)
def strip_with_total(pen: Pen) -> None:
    """Number, dates and the total in one strip on top; sums in a second one at the end; a part to send back."""
    parties.letterhead(pen, pen.rng.choice((pen.left, pen.left + pen.width * 0.5)))
    pen.skip(1)
    meta.title(pen, pen.left)
    strip(pen, strip_pairs(pen, total=1.0, extra=pen.rng.choice((0, 1, 2))))
    parties.buyer_block(pen, pen.left + pen.width * pen.rng.choice((0.0, 0.1, 0.5)))
    pen.skip(1)
    draw_table(pen)
    totals.totals_row(pen)
    small_print.closing(pen)
    pen.room(90)
    pen.line("- " * 50)
    strip(pen, [(meta.number_key(pen), meta.number(pen)), _sum(pen), ("paid", [])])


@family(Brief(rows=(2, 10), long_share=0.2), weight=0.9)
def preprinted(pen: Pen) -> None:
    """A printer's output on a pre-printed form: values in fixed pitch, not quite where their captions are."""
    pen.style.font = pen.canvas.font = Font.MONO
    pen.style.size = min(pen.style.size, 8.5)
    pen.style.label_bold = False
    parties.side_by_side(pen, [(pen.left, parties.buyer_block), (pen.left + pen.width * 0.55, parties.letterhead)])
    pen.skip(1)
    for _ in range(pen.rng.choice((1, 1, 2))):
        first = Label.INVOICE_NUMBER not in pen.canvas.first
        strip(pen, strip_pairs(pen, extra=3, due=0.7) if first else meta.decoys(pen, 4))
    draw_table(pen)
    pen.y = max(pen.y, pen.style.height * 0.7) if pen.chance(0.4) else pen.y + pen.step
    totals.totals_row(pen) if pen.chance(0.6) else totals.any_totals(pen)
    small_print.notes(pen, 2)


@family(Brief(rows=(1, 7)), weight=1.1)
def strip_at_the_right(pen: Pen) -> None:
    """Strips of two or three captions in the right half, on one height with the addresses at the left."""
    small_print.any_footer(pen, 0.5)
    x = pen.left + pen.width * pen.rng.uniform(0.42, 0.55)
    pairs = strip_pairs(pen, extra=pen.rng.randint(1, 4))

    def left(pen: Pen, x: float) -> None:
        parties.letterhead(pen, x, big=pen.size * 1.3)
        pen.skip(1)
        parties.buyer_block(pen, x)

    def right(pen: Pen, x: float) -> None:
        if pen.chance(0.7):
            meta.title(pen, x)
        for start in range(0, len(pairs), 3):
            strip(pen, pairs[start : start + 3], x, pen.right - x)

    parties.side_by_side(pen, [(pen.left, left), (x, right)])
    pen.skip(1)
    body(pen)


@family(Brief(rows=(1, 5), buyer_person=0.5), weight=0.9)
def parties_in_strips(pen: Pen) -> None:
    """Issuer and customer are cells of the strips, too: their captions in one row, the names in the next."""
    strip(pen, [("sold_by", parties.seller(pen)), ("bill_to", parties.buyer(pen))][:: pen.rng.choice((1, -1))])
    strip(pen, [("street", join(pen.case.seller.street)), ("street", join(pen.case.buyer.street))])
    meta.title(pen, pen.rng.choice((pen.left, pen.style.width / 2)))
    for _ in range(pen.rng.choice((1, 2))):
        first = Label.INVOICE_NUMBER not in pen.canvas.first
        strip(pen, strip_pairs(pen, extra=2, due=0.7) if first else meta.decoys(pen, pen.rng.randint(2, 5)))
    pen.skip(1)
    body(pen)
