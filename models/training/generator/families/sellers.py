"""Pages whose issuer is hard to identify."""

from collections.abc import Callable
from functools import partial

from models.training.generator.blocks import extras, heads, meta, parties, small_print, totals
from models.training.generator.blocks.names import broken_name, registered_name, role_name
from models.training.generator.blocks.strips import strip
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import Text, join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.families.letters import body
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_OWN = Brief(goods=("services",), rows=(1, 5), long_share=0.02, seller="practice", untaxed=0.35, credit_share=0.02)


def _buyer_head(pen: Pen, x: float) -> None:
    """The customer where others have their letterhead."""
    size = pen.size * pen.rng.choice((1.0, 1.3, 1.8, 2.4))
    pen.line(parties.buyer(pen), x, size=size, bold=pen.chance(0.7))
    pen.lines(parties.address_lines(pen, pen.case.buyer), x)


@family(weight=1.3)
def inline_roles(pen: Pen) -> None:
    """`From: ACME, street, city` and `To: ...` as lines, captions and names side by side, in either order."""
    small_print.any_footer(pen, 0.2)
    if pen.chance(0.5):
        meta.title(pen, pen.left)
        pen.skip(0.5)
    rows = [("sold_by", parties.seller(pen), pen.case.seller), ("bill_to", parties.buyer(pen), pen.case.buyer)]
    if pen.chance(0.4):
        rows.reverse()
    column = pen.rng.choice((None, 70.0, 100.0))
    for key, name, party in rows:
        tail = join(", ", ", ".join(party.address)) if pen.chance(0.35) else []
        if column is None:
            pen.paragraph(join(role_name(pen, name, key), tail))
        else:
            pen.pair(key, join(name, tail), pen.left, gap=column)
        if not tail:
            pen.lines(parties.address_lines(pen, party), pen.left + (column or 0.0))
        pen.skip(0.5)
    pen.skip(0.5)
    meta.any_meta(pen, meta.fields(pen))
    pen.skip(1)
    body(pen)


@family(Brief(rows=(1, 7), credit_share=0.02), weight=1.0)
def cheque_only(pen: Pen) -> None:
    """No letterhead: the name stands in "make cheques payable to" at the end, the customer's on top."""
    x = pen.left + pen.width * pen.rng.uniform(0.52, 0.62)
    pairs = meta.fields(pen, extra=pen.rng.choice((0, 1, 2, 3)), due=0.6)
    if pen.chance(0.6):
        meta.title(pen, pen.rng.choice((pen.left, x)))
        pen.skip(0.5)
    head: Callable[[Pen, float], None] = _buyer_head if pen.chance(0.5) else parties.buyer_block
    parties.side_by_side(pen, [(pen.left, head), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))])
    pen.skip(1)
    draw_table(pen)
    totals.any_totals(pen)
    pen.skip(1)
    small_print.payment(pen)
    pen.room(80)
    pen.skip(1)
    slip: meta.Pair = ("amount_due", pen.money(pen.case.amount_due, Label.AMOUNT_DUE))
    sides: list[tuple[float, parties.Block]] = [
        (pen.left, heads.remittance),
        (x, lambda pen, x: meta.meta_list(pen, [(meta.number_key(pen), meta.number(pen)), slip], x, pen.right - x)),
    ]
    parties.side_by_side(pen, sides if pen.chance(0.5) else sides[:1])
    if pen.chance(0.3):
        small_print.notes(pen, 2)


@family(weight=1.3)
def crowded_page(pen: Pen) -> None:
    """A head in one size of letters: slogan, street, city, numbers and trade around the name."""
    small_print.any_footer(pen, 0.25)
    align = pen.rng.choice(("left", "left", "center", "right"))
    x = {"left": pen.left, "right": pen.right, "center": pen.style.width / 2}[align]
    heads.crowded_head(pen, x, align=align)
    pen.skip(1)
    right = pen.left + pen.width * 0.55
    pairs = meta.fields(pen)
    parties.side_by_side(
        pen, [(pen.left, parties.buyer_block), (right, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(1)
    meta.title(pen, pen.left)
    body(pen)


@family(weight=0.9, held_out=True)
def account_holder(pen: Pen) -> None:
    """The issuer's name is only next to the bank account or tax number below the sums."""
    parties.side_by_side(
        pen,
        [
            (pen.left, partial(parties.buyer_block, heading=pen.chance(0.5))),
            (pen.left + pen.width * 0.55, lambda pen, x: meta.title(pen, x)),
        ],
    )
    pen.skip(1)
    strip(pen, meta.fields(pen)) if pen.chance(0.3) else meta.any_meta(pen, meta.fields(pen))
    pen.skip(1)
    draw_table(pen)
    totals.any_totals(pen)
    pen.skip(1)
    lines: list[Text] = [*small_print.bank_lines(pen), parties.number_pair(pen, "vat_id", pen.case.seller.vat)]
    if Label.SELLER not in pen.canvas.first:
        lines.insert(pen.rng.randint(0, len(lines)), role_name(pen, parties.seller(pen), "account_name"))
    pen.room(len(lines) * pen.step)
    pen.lines(lines, pen.rng.choice((pen.left, pen.left + pen.width * 0.4)))
    small_print.payment(pen)


@family(weight=1.2)
def buyer_letterhead(pen: Pen) -> None:
    """The customer comes first and is largest; the supplier is one field among many, or a line below the sums."""
    _buyer_head(pen, pen.rng.choice((pen.left, pen.left + pen.width * 0.5)))
    pen.skip(1)
    meta.title(pen, pen.rng.choice((pen.left, pen.style.width / 2)))
    pairs = meta.fields(pen, extra=pen.rng.randint(1, 4))
    late = pen.chance(0.35)
    if not late:
        pairs.insert(pen.rng.randint(0, len(pairs)), ("sold_by", parties.seller(pen)))
    meta.any_meta(pen, pairs)
    if not late and pen.chance(0.6):
        pen.lines(parties.address_lines(pen, pen.case.seller))
    pen.skip(1)
    draw_table(pen)
    totals.any_totals(pen)
    if late:
        pen.skip(1)
        parties.seller_block(pen, pen.rng.choice((pen.left, pen.left + pen.width * 0.5)))
    small_print.closing(pen)


@family(weight=1.2)
def tight_neighbours(pen: Pen) -> None:
    """Two columns set so tightly that a name runs into the words beside it."""
    small_print.any_footer(pen, 0.3)
    case = pen.case
    left: list[Text] = [parties.seller(pen), *case.seller.address, *parties.contact_lines(pen, case.seller)[:2]]
    pairs = meta.fields(pen, extra=pen.rng.choice((0, 1, 2)))
    right: list[Text] = [join(pen.tagged(key), " ", value) for key, value in pairs]
    if pen.chance(0.5):
        right = [role_name(pen, parties.buyer(pen), "bill_to"), *case.buyer.address]
    else:
        right.insert(0, meta.title_text(pen))
    if pen.chance(0.3):
        left, right = right, left
    heads.tight_columns(pen, left, right, space=pen.size * pen.rng.choice((0.5, 0.8, 1.2, 2.0)))
    pen.skip(1)
    if Label.BUYER not in pen.canvas.first:
        parties.buyer_block(pen, pen.left)
    if Label.INVOICE_NUMBER not in pen.canvas.first:
        meta.any_meta(pen, pairs)
    pen.skip(1)
    body(pen)


@family(Brief(countries=("DE", "AT", "MY", "IN", "GB", "IT", "ES", "TR", "BR", "PL", "US", "FR")), weight=1.1)
def broken_names(pen: Pen) -> None:
    """Three narrow columns: names break over two or three lines, numbers and streets follow in the same size."""
    small_print.any_footer(pen, 0.3)
    third = pen.width / 3
    pairs = meta.fields(pen, extra=pen.rng.choice((0, 1, 2)))

    def issuer(pen: Pen, x: float) -> None:
        if pen.chance(0.4):
            pen.line(pen.label("sold_by"), x)
        broken_name(pen, x, pen.size * pen.rng.choice((1.0, 1.0, 1.5)), lines=pen.rng.choice((2, 3)))
        pen.line(parties.number_pair(pen, "tax_number", pen.case.seller.tax_no), x)
        pen.lines(list(pen.case.seller.address), x)

    blocks: list[parties.Block] = [
        issuer,
        partial(parties.buyer_block, heading=True),
        lambda pen, x: meta.meta_list(pen, pairs, x, third - 8),
    ]
    if pen.chance(0.5):
        pen.rng.shuffle(blocks)
    parties.side_by_side(pen, [(pen.left + index * third, block) for index, block in enumerate(blocks)])
    pen.skip(1)
    meta.title(pen, pen.left)
    body(pen)


@family(weight=1.0)
def small_footer(pen: Pen) -> None:
    """The name only in a sentence at the bottom: `ACME Ltd. Registered in England No. 4711, High Street 1 ...`."""
    party, size = pen.case.seller, max(5.0, pen.size * pen.rng.choice((0.65, 0.75, 0.9)))
    text = join(registered_name(pen), ". ", ", ".join(party.address), ". ", *parties.contact_lines(pen, party)[:2])

    def draw(_page: int, _pages: int) -> None:
        pen.canvas.paragraph(text, pen.left, pen.style.height - 52, pen.width, size, align="center")

    pen.on_finish.append(draw)
    pen.bottom_margin = 75
    x = pen.left + pen.width * 0.56
    if pen.chance(0.6):
        meta.title(pen, pen.rng.choice((pen.left, x)))
        pen.skip(1)
    pairs = meta.fields(pen)
    parties.side_by_side(
        pen, [(pen.left, parties.buyer_block), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(2)
    body(pen)


@family(_OWN, weight=1.1)
def own_name(pen: Pen) -> None:
    """A person's bill: the name as plain as the rest of the letter, above the street or as signature only."""
    signed = pen.chance(0.35)
    party = pen.case.seller
    if not signed:
        name = role_name(pen, parties.seller(pen), "sold_by") if pen.chance(0.3) else parties.seller(pen)
        lines: list[Text] = [name, *party.address, party.phone, party.mail]
        pen.lines(lines, pen.rng.choice((pen.left, pen.left + pen.width * 0.6)))
        pen.skip(1)
    parties.buyer_block(pen, pen.left, heading=pen.chance(0.4))
    pen.skip(1)
    meta.title_line(pen, pen.left) if pen.chance(0.5) else meta.title(pen, pen.left)
    meta.any_meta(pen, meta.fields(pen, extra=pen.rng.choice((0, 0, 1))))
    pen.skip(1)
    draw_table(pen, pen.rng.choice((None, ["description", "line_total"], ["quantity", "description", "line_total"])))
    totals.totals_block(pen)
    extras.exempt_note(pen)
    small_print.payment(pen)
    if signed:
        pen.line(pen.fresh("regards"))
        pen.line(parties.seller(pen))
    pen.lines(small_print.bank_lines(pen))


@family(Brief(rows=(1, 6), credit_share=0.02), weight=0.9)
def logo_page(pen: Pen) -> None:
    """A brand as logo, the company that owns it in small letters below, in the footer or behind "operated by"."""
    small_print.any_footer(pen, 0.5)
    side = pen.rng.choice(("left", "left", "right", "center"))
    x = {"left": pen.left, "right": pen.right, "center": pen.style.width / 2}[side]
    heads.head_with_logo(pen, x, align=side)
    pen.skip(1)
    half = pen.left + pen.width * 0.58
    pairs = meta.fields(pen)
    parties.side_by_side(
        pen, [(pen.left, parties.buyer_block), (half, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(1)
    meta.title(pen, pen.left)
    body(pen)
    pen.line(join(pen.fresh("owner"), " ", parties.seller(pen)), size=pen.size * 0.8)
