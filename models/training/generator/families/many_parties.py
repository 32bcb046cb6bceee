"""Forms that name more than seller and buyer: payees, agents, factors, invoicees, consignees."""

from collections.abc import Callable
from functools import partial

from models.training.generator.blocks import extras, meta, parties, small_print, totals
from models.training.generator.blocks.table import draw_table
from models.training.generator.core.canvas import Text, join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.build import Brief
from models.training.generator.facts.countries import fill
from models.training.generator.facts.names import brand
from models.training.generator.families.letters import body
from models.training.generator.families.registry import family
from serve_app.domain.labels import Label

_TRADE = Brief(rows=(1, 8), scale=3, gross_share=0.03, credit_share=0.06)
_ROLES = ("payee", "fiscal_rep", "ship_to", "contact")


def third_party(pen: Pen, x: float, role: str) -> None:
    """A party with another role, neither seller nor buyer: its name is unlabelled."""
    case, rng = pen.case, pen.rng
    suffix = rng.choice(("Financial Services", "Bank", "Factoring", "Group", "Logistics", "Holding", case.country.name))
    own = case.seller.name.split()[0] if rng.random() < 0.4 else brand(rng)
    pen.line(pen.tagged(role), x, bold=pen.style.label_bold)
    pen.line(f"{own} {suffix}", x)
    lines: list[Text] = [
        rng.choice((case.seller.street, case.buyer.street)),
        rng.choice((case.seller.place, case.buyer.place)),
        parties.number_pair(pen, "vat_id", fill(case.country.vat, rng)),
        parties.number_pair(pen, "tax_number", fill(case.country.tax_no, rng)),
    ]
    pen.lines([line for line in lines if pen.chance(0.6)], x)


def _cells(pen: Pen, blocks: list[parties.Block], columns: int) -> None:
    """Party blocks as a grid."""
    width = pen.width / columns
    for start in range(0, len(blocks), columns):
        row = blocks[start : start + columns]
        parties.side_by_side(pen, [(pen.left + index * width, block) for index, block in enumerate(row)])
        pen.skip(0.7)


def _roles(pen: Pen, count: int) -> list[parties.Block]:
    picked = pen.rng.sample(_ROLES, count)
    return [partial(third_party, role=role) for role in picked]


@family(_TRADE, weight=1.2)
def party_grid(pen: Pen) -> None:
    """A grid of parties with headings: seller, buyer, and one to three others, in any order."""
    if pen.chance(0.7):
        meta.title(pen, pen.rng.choice((pen.left, pen.style.width / 2)))
    before = pen.chance(0.5)
    pairs = meta.fields(pen, extra=pen.rng.randint(2, 6))
    if before:
        meta.any_meta(pen, pairs)
        pen.skip(1)
    blocks: list[parties.Block] = [
        partial(parties.seller_block, heading=True),
        partial(parties.buyer_block, heading=True, extras=pen.chance(0.5)),
        *_roles(pen, pen.rng.randint(1, 3)),
    ]
    if pen.chance(0.5):
        pen.rng.shuffle(blocks)
    _cells(pen, blocks, pen.rng.choice((2, 2, 3)))
    if not before:
        meta.any_meta(pen, pairs)
    pen.skip(1)
    body(pen)


@family(_TRADE, weight=0.8)
def assigned_claim(pen: Pen) -> None:
    """A factor or clearing house is to be paid: its name and bank stand out, the seller wrote the letter."""
    small_print.any_footer(pen, 0.5)
    x = pen.left + pen.width * 0.55
    parties.letterhead(pen, pen.rng.choice((pen.left, x)))
    pen.skip(1)
    pairs = meta.fields(pen, extra=pen.rng.randint(1, 4))
    parties.side_by_side(
        pen, [(pen.left, parties.buyer_block), (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x))]
    )
    pen.skip(1)
    meta.title(pen, pen.left)
    if pen.chance(0.4):
        pen.paragraph(pen.sentence("factor_note"))
    draw_table(pen)
    totals.any_totals(pen)
    pen.paragraph(pen.sentence("factor_note"))
    pen.skip(0.5)
    third_party(pen, pen.left, "payee")
    small_print.closing(pen)


@family(Brief(rows=(2, 8), untaxed=0.8, scale=6, gross_share=0, credit_share=0.01), weight=0.8, held_out=True)
def export_form(pen: Pen) -> None:
    """An export invoice: exporter, consignee, notify party in boxes at the left, references and transport right."""
    meta.title(pen, pen.style.width / 2, align="center", size=pen.size * 1.5)
    pairs = meta.fields(pen, extra=pen.rng.randint(4, 8))

    def left(pen: Pen, x: float) -> None:
        parties.seller_block(pen, x)
        pen.skip(0.7)
        parties.buyer_block(pen, x, heading=True)
        pen.skip(0.7)
        third_party(pen, x, "ship_to")

    x = pen.left + pen.width * 0.5
    parties.side_by_side(pen, [(pen.left, left), (x, lambda pen, x: meta.meta_grid(pen, pairs, x, pen.right - x, 2))])
    rng = pen.rng
    pen.line(f"{rng.choice(('FOB', 'CIF', 'EXW', 'DDP', 'DAP'))} {pen.case.buyer.place}   {fill('????#######', rng)}")
    pen.skip(0.5)
    draw_table(pen)
    totals.totals_block(pen)
    extras.exempt_note(pen)
    extras.restated(pen) if pen.chance(0.5) else None
    small_print.closing(pen)


@family(Brief(rows=(1, 8), credit_share=0.0), weight=0.8)
def self_billed(pen: Pen) -> None:
    """Self-billing: the customer writes the invoice in the supplier's name, under their own letterhead."""
    pen.line(parties.buyer(pen), size=pen.size * pen.rng.choice((1.4, 2.0)), bold=True)
    pen.lines(parties.address_lines(pen, pen.case.buyer), size=pen.size * 0.9)
    pen.skip(1.5)
    x = pen.left + pen.width * 0.58
    pairs = [
        *meta.fields(pen, extra=pen.rng.randint(1, 4)),
        ("supplier_number", join([(pen.case.numbers["supplier_number"], Label.OTHER_NUMBER)])),
    ]
    heading = pen.chance(0.75)
    parties.side_by_side(
        pen,
        [
            (pen.left, partial(parties.seller_block, heading=heading)),
            (x, lambda pen, x: meta.meta_list(pen, pairs, x, pen.right - x)),
        ],
    )
    pen.skip(1)
    meta.title(pen, pen.left)
    body(pen)


@family(Brief(goods=("services", "travel", "goods"), rows=(1, 5), scale=2), weight=0.9)
def agency_bill(pen: Pen) -> None:
    """An agent bills for others: project, client of the client, media owners and guests are named among the items."""
    small_print.any_footer(pen, 0.5)
    heads: list[Callable[[Pen, float], None]] = [parties.letterhead, parties.buyer_block]
    if pen.chance(0.3):
        heads.reverse()
    parties.side_by_side(pen, [(pen.left, heads[0]), (pen.left + pen.width * 0.55, heads[1])])
    pen.skip(1)
    meta.title(pen, pen.left)
    own = meta.fields(pen, extra=pen.rng.randint(1, 3))
    names = [("contact", join(pen.case.buyer.person)), ("for", join(f"{brand(pen.rng)} {pen.fresh('sector')}"))]
    meta.any_meta(pen, [*own, *names])
    pen.skip(1)
    body(pen)
    if pen.chance(0.25):
        extras.restated(pen)
