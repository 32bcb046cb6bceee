"""Invoices that look like business letters."""

from functools import partial

from models.training.generator.blocks import extras, meta, parties, small_print, totals
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.families.registry import family


def body(pen: Pen) -> None:
    """Greeting, table, totals and what follows."""
    if pen.chance(0.3):
        pen.line(pen.sentence("salute"))
        pen.skip(0.5)
    if pen.chance(0.4):
        pen.paragraph(pen.sentence("intro"))
        pen.skip(0.5)
    draw_table(pen)
    pen.skip(pen.rng.uniform(0.3, 1.5))
    totals.any_totals(pen)
    if pen.chance(0.03):
        extras.restated(pen)
    small_print.closing(pen)


def repeated_head(pen: Pen) -> None:
    """On further pages: the name and number again, sometimes."""

    def draw() -> None:
        if pen.chance(0.5):
            pen.line(parties.seller(pen))
        if pen.chance(0.5):
            pen.line(join(pen.tagged(meta.number_key(pen)), " ", meta.number(pen)))
        pen.skip(1)

    if pen.chance(0.7):
        pen.on_new_page = draw


@family(weight=1.6)
def window_letter(pen: Pen) -> None:
    """Sender line over the address window, meta data at the right, footer of columns."""
    small_print.any_footer(pen, 0.85)
    repeated_head(pen)
    if pen.chance(0.6):
        side = pen.rng.choice(("left", "right", "center"))
        x = {"left": pen.left, "right": pen.right, "center": pen.style.width / 2}[side]
        parties.letterhead(pen, x, align=side, contacts=pen.chance(0.3))
    pen.y = max(pen.y, pen.rng.uniform(90, 140))

    def address(pen: Pen, x: float) -> None:
        if pen.chance(0.75):
            parties.sender_line(pen, x)
        parties.buyer_block(pen, x, heading=False)

    x = pen.left + pen.width * pen.rng.uniform(0.5, 0.68)
    inside = pen.chance(0.6)
    block = partial(meta.meta_list, width=pen.right - x)
    pairs = meta.fields(pen, with_number=inside or pen.chance(0.2))
    parties.side_by_side(pen, [(pen.left, address), (x, lambda pen, x: block(pen, pairs, x))])
    pen.skip(pen.rng.uniform(1, 3))
    if inside and pen.chance(0.7):
        meta.title(pen, pen.left)
    else:
        meta.title_line(pen, pen.left)
    pen.skip(1)
    body(pen)


@family(weight=1.0)
def centered_head(pen: Pen) -> None:
    """Everything about the issuer centred on top, then title, customer and meta data."""
    small_print.any_footer(pen, 0.3)
    parties.letterhead(pen, pen.style.width / 2, align="center")
    pen.skip(1)
    meta.title(pen, pen.style.width / 2, align="center")
    pen.skip(1)
    pairs = meta.fields(pen)
    x = pen.left + pen.width * 0.58
    parties.side_by_side(
        pen,
        [(pen.left, parties.buyer_block), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))],
    )
    pen.skip(1.5)
    body(pen)


@family(weight=1.0)
def right_head(pen: Pen) -> None:
    """The issuer aligned at the right edge, the customer below at the left."""
    small_print.any_footer(pen, 0.5)
    repeated_head(pen)
    parties.letterhead(pen, pen.right, align="right")
    pen.skip(0.5)
    parties.buyer_block(pen, pen.left)
    pen.skip(2)
    meta.title(pen, pen.left)
    meta.any_meta(pen, meta.fields(pen))
    pen.skip(1)
    body(pen)


@family(weight=0.8, held_out=True)
def footer_only(pen: Pen) -> None:
    """The issuer's name is only in the footer (and perhaps in a sender line)."""
    pen.bottom_margin = 80
    pen.rng.choice((small_print.columns_footer, small_print.line_footer))(pen)
    pen.y = pen.rng.uniform(60, 130)
    if pen.chance(0.3):
        parties.sender_line(pen, pen.left)
    parties.buyer_block(pen, pen.left, heading=False)
    pen.skip(2)
    meta.title(pen, pen.left)
    meta.any_meta(pen, meta.fields(pen))
    pen.skip(1)
    body(pen)


@family(Brief(goods=("services",), rows=(1, 3), long_share=0), weight=0.9)
def prose_bill(pen: Pen) -> None:
    """A lawyer's or craftsman's letter: place and date in a line, few positions, sums in running text."""
    small_print.any_footer(pen, 0.5)
    parties.letterhead(pen, pen.rng.choice((pen.left, pen.left + pen.width * 0.55)))
    pen.skip(1)
    parties.buyer_block(pen, pen.left, heading=False)
    pen.skip(2)
    city = pen.case.seller.place.split()[-1]
    side = pen.rng.choice(("right", "right", "left"))
    pen.line(join(f"{city}, ", meta.issued(pen)), align=side)
    pen.skip(1)
    meta.title_line(pen, pen.left, with_date=False)
    others = meta.decoys(pen, pen.rng.randint(0, 3))
    for key, value in others:
        pen.pair(key, value, pen.left)
    pen.skip(1)
    pen.line(pen.sentence("salute"))
    pen.paragraph(pen.sentence("intro"))
    pen.skip(1)
    draw_table(pen, ["description", "line_total"] if pen.chance(0.6) else None)
    totals.totals_block(pen)
    small_print.closing(pen)


@family(weight=0.9)
def freelancer(pen: Pen) -> None:
    """Minimal: name and address, a big title, a few facts, a small table."""
    title_first = pen.chance(0.5)
    if title_first:
        meta.title(pen, pen.left, size=pen.size * 2.6)
        pen.skip(1)
    parties.letterhead(pen, pen.left, big=pen.size * 1.2)
    pen.skip(1)
    if not title_first:
        meta.title(pen, pen.left)
    meta.meta_list(pen, meta.fields(pen, extra=pen.rng.choice((0, 0, 1))), pen.left, pen.width * 0.5)
    pen.skip(1)
    parties.buyer_block(pen, pen.left)
    pen.skip(1.5)
    body(pen)
