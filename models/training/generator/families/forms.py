"""Invoices of two parties on a form: columns, grids and boxes."""

from functools import partial

from models.training.generator.blocks import meta, parties, small_print, totals
from models.training.generator.blocks.in_words import amount_in_words
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.families.letters import body, repeated_head
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label


@family(Brief(countries=("US", "CA", "GB", "AU", "NZ", "IN", "ZA", "AE", "PH", "MX", "ES", "IE")), weight=1.8)
def bill_and_ship(pen: Pen) -> None:
    """Company left, a big INVOICE with its data right, then bill-to and ship-to, a row of order data, the table."""
    small_print.any_footer(pen, 0.25)
    repeated_head(pen)
    x = pen.left + pen.width * pen.rng.uniform(0.55, 0.66)

    def head(pen: Pen, x: float) -> None:
        right = pen.chance(0.5)
        meta.title(pen, pen.right if right else x, align="right" if right else "left", size=pen.size * 2.4)
        meta.meta_list(pen, meta.fields(pen, extra=pen.rng.choice((0, 1, 2))), x, pen.right - x)

    parties.side_by_side(pen, [(pen.left, parties.letterhead), (x, head)])
    pen.skip(1.5)
    blocks: list[tuple[float, parties.Block]] = [
        (pen.left, partial(parties.buyer_block, heading=True)),
        (pen.left + pen.width / 2, parties.ship_block),
    ]
    parties.side_by_side(pen, blocks if pen.chance(0.65) else blocks[:1])
    pen.skip(1)
    if pen.chance(0.5):
        pairs = meta.decoys(pen, pen.rng.randint(2, 6))
        meta.meta_grid(pen, pairs, pen.left, pen.width, len(pairs))
        pen.skip(0.5)
    draw_table(pen)
    pen.skip(0.5)
    totals.any_totals(pen)
    small_print.closing(pen)


@family(weight=1.5)
def two_parties(pen: Pen) -> None:
    """Title and data, then seller and buyer side by side under headings, in either order."""
    small_print.any_footer(pen, 0.25)
    meta.title(pen, pen.left)
    pen.skip(0.5)
    before = pen.chance(0.6)
    pairs = meta.fields(pen)
    if before:
        meta.any_meta(pen, pairs)
        pen.skip(1)
    blocks: list[parties.Block] = [parties.seller_block, partial(parties.buyer_block, heading=True)]
    if pen.chance(0.35):
        blocks.reverse()
    parties.side_by_side(pen, [(pen.left, blocks[0]), (pen.left + pen.width * pen.rng.uniform(0.45, 0.6), blocks[1])])
    pen.skip(1)
    if not before:
        meta.any_meta(pen, pairs)
        pen.skip(1)
    body(pen)


@family(weight=1.0)
def buyer_on_top(pen: Pen) -> None:
    """The customer's form: their name is the letterhead, the supplier is a field."""
    pen.line(parties.buyer(pen), size=pen.size * 1.6, bold=pen.chance(0.7))
    pen.lines(parties.address_lines(pen, pen.case.buyer))
    pen.skip(1)
    meta.title(pen, pen.left if pen.chance(0.6) else pen.style.width / 2)
    pen.skip(0.5)
    pairs = meta.fields(pen, extra=pen.rng.randint(2, 5))
    x = pen.left + pen.width * 0.52
    parties.side_by_side(
        pen, [(pen.left, parties.seller_block), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(1)
    body(pen)


@family(weight=1.2)
def boxed_grid(pen: Pen) -> None:
    """Boxes with small labels above the values, parties among them; the sums in a row at the end."""
    small_print.any_footer(pen, 0.3)
    x = pen.left + pen.width * 0.5
    head: list[tuple[float, parties.Block]] = [
        (pen.left, partial(parties.letterhead, contacts=True)),
        (x, partial(parties.buyer_block, heading=True)),
    ]
    parties.side_by_side(pen, head)
    pen.skip(1)
    if pen.chance(0.7):
        meta.title(pen, pen.left)
    pairs = meta.fields(pen, extra=pen.rng.randint(3, 8))
    meta.meta_grid(pen, pairs, pen.left, pen.width, pen.rng.randint(3, 6))
    pen.skip(0.5)
    draw_table(pen)
    pen.skip(1)
    if pen.chance(0.5):
        totals.tax_table(pen, width=pen.width * 0.7)
        pen.skip(0.5)
    totals.totals_row(pen) if pen.chance(0.6) else totals.totals_block(pen)
    small_print.closing(pen)


@family(Brief(goods=("software", "software", "services"), rows=(1, 4)), weight=1.3)
def clean_columns(pen: Pen) -> None:
    """An online service's invoice: airy, two columns, the amount due as a headline."""
    pen.style.leading = max(pen.style.leading, 1.4)
    small_print.page_numbers(pen)
    title_left = pen.chance(0.6)
    meta.title(pen, pen.left if title_left else pen.right, align="left" if title_left else "right", size=pen.size * 2)
    pen.skip(1)
    meta.meta_list(pen, meta.fields(pen, extra=pen.rng.choice((0, 0, 1, 2)), due=0.8), pen.left, pen.width * 0.45)
    pen.skip(1)
    x = pen.left + pen.width * pen.rng.uniform(0.4, 0.55)
    parties.side_by_side(
        pen,
        [
            (pen.left, partial(parties.seller_block, heading=pen.chance(0.3))),
            (x, partial(parties.buyer_block, heading=True)),
        ],
    )
    pen.skip(1.5)
    if pen.chance(0.6) and not pen.case.paid:
        headline(pen)
    draw_table(pen)
    pen.skip(0.5)
    totals.totals_block(pen, left=pen.left + pen.width * 0.5)
    small_print.closing(pen)


def headline(pen: Pen) -> None:
    """`$12.00 due March 1, 2024` over the table."""
    amount = pen.money(pen.case.amount_due, Label.AMOUNT_DUE)
    pen.line(
        join(amount, " ", pen.word("due_date").lower(), " ", pen.day(pen.case.due, Label.DUE_DATE)),
        size=pen.size * 1.6,
        bold=True,
    )
    pen.skip(1)


@family(weight=0.8, held_out=True)
def sidebar(pen: Pen) -> None:
    """A narrow column with issuer and data beside the letter."""
    split = pen.left + pen.width * 0.3
    column_left = pen.chance(0.5)
    side_x = pen.left if column_left else pen.left + pen.width * 0.72
    main_x = split if column_left else pen.left

    def side(pen: Pen, x: float) -> None:
        parties.letterhead(pen, x, big=pen.size * 1.1)
        pen.skip(1)
        for key, value in meta.fields(pen):
            pen.line(pen.label(key), x, bold=pen.style.label_bold)
            pen.line(value, x)
            pen.skip(0.4)

    def main(pen: Pen, x: float) -> None:
        meta.title(pen, x)
        pen.skip(1)
        parties.buyer_block(pen, x)

    parties.side_by_side(pen, [(side_x, side), (main_x, main)])
    pen.skip(1)
    body(pen)


@family(Brief(countries=("IN", "IN", "AE", "MY", "SG"), several_rates=0.5), weight=1.1)
def tax_form(pen: Pen) -> None:
    """A boxed tax form: seller, consignee and buyer stacked at the left, many small fields at the right."""
    meta.title(pen, pen.style.width / 2, align="center", size=pen.size * 1.2)
    pairs = meta.fields(pen, extra=pen.rng.randint(5, 9))

    def left(pen: Pen, x: float) -> None:
        parties.letterhead(pen, x, big=pen.size * 1.1)
        if pen.chance(0.4):
            parties.ship_block(pen, x)
        parties.buyer_block(pen, x, heading=True, extras=True)

    x = pen.left + pen.width * 0.52
    parties.side_by_side(pen, [(pen.left, left), (x, lambda pen, x: meta.meta_grid(pen, pairs, x, pen.right - x, 2))])
    pen.skip(0.5)
    draw_table(pen)
    totals.totals_block(pen, left=pen.left + pen.width * 0.45)
    pen.paragraph(join(pen.word("amount_words"), ": ", amount_in_words(pen.case.total, pen.case.currency)))
    if pen.chance(0.5):
        totals.tax_table(pen, width=pen.width * 0.8)
    small_print.closing(pen)
