"""Letterheads, sender lines and address blocks."""

from collections.abc import Callable, Sequence

from models.training.generator.blocks.names import (
    broken_name,
    buyer,
    logo,
    number_pair,
    registered_name,
    role_name,
    seller,
    wrapped_name,
)
from models.training.generator.core.canvas import Text, join
from models.training.generator.core.pen import Pen
from models.training.generator.facts.names import brand
from models.training.generator.facts.parties import Party

__all__ = [
    "Block",
    "address_lines",
    "beside_name",
    "buyer",
    "buyer_block",
    "contact_lines",
    "letterhead",
    "number_pair",
    "seller",
    "seller_block",
    "sender_line",
    "ship_block",
    "side_by_side",
    "wrapped_name",
]

Block = Callable[[Pen, float], None]


def contact_lines(pen: Pen, party: Party) -> list[Text]:
    """Phone, mail, web, tax numbers: a random subset."""
    rng = pen.rng
    lines: list[Text] = [
        number_pair(pen, "phone", party.phone),
        number_pair(pen, "fax", party.fax),
        join(pen.tagged("email"), " ", party.mail) if rng.random() < 0.7 else party.mail,
        join(pen.tagged("web"), " ", f"www.{party.domain}") if rng.random() < 0.4 else f"www.{party.domain}",
        number_pair(pen, "vat_id", party.vat),
        number_pair(pen, "tax_number", party.tax_no),
    ]
    return [line for line in lines if rng.random() < 0.45]


def address_lines(pen: Pen, party: Party) -> list[Text]:
    lines: list[Text] = list(party.address)
    if pen.chance(0.15) and len(lines) > 1:
        return [", ".join(party.address)]
    if pen.chance(0.25):
        lines.append(party.country.name if pen.chance(0.7) else party.country.name.upper())
    return lines


def _slogan(pen: Pen) -> str:
    text = pen.fresh("slogan")
    return text.upper() if pen.chance(0.2) else text


def letterhead(pen: Pen, x: float, *, align: str = "left", big: float | None = None, contacts: bool = True) -> None:
    """The issuer's name, big, with slogan, address and contacts around it."""
    size = big or pen.size * pen.rng.choice((1.0, 1.2, 1.4, 1.6, 2.0, 2.4, 3.0))
    if pen.chance(0.08):
        pen.line(_slogan(pen), x, size=pen.size * 1.2, align=align)
    _letterhead_name(pen, x, size, align)
    beside_name(pen, x, align)
    if pen.chance(0.12):
        return  # a wordmark: the address stands elsewhere
    pen.lines(address_lines(pen, pen.case.seller), x, align=align)
    if contacts:
        pen.lines(contact_lines(pen, pen.case.seller), x, size=pen.size * pen.rng.choice((1.0, 0.9)), align=align)


def _letterhead_name(pen: Pen, x: float, size: float, align: str) -> None:
    """The name as most letterheads print it, or under a logo, with a number behind it, behind a caption, over lines."""
    if pen.chance(0.07):
        logo(pen, x, size * pen.rng.choice((1.2, 1.6)), align)
    draw = pen.rng.random()
    if draw < 0.05:
        pen.line(registered_name(pen), x, size=min(size, pen.size * 1.4), align=align)
    elif draw < 0.09:
        pen.line(role_name(pen, seller(pen), "sold_by"), x, size=min(size, pen.size * 1.4), align=align)
    elif draw < 0.12:
        broken_name(pen, x, size, align=align)
    else:
        wrapped_name(pen, x, size, align)


def beside_name(pen: Pen, x: float, align: str) -> None:
    """What may stand below a name without being one: a slogan, a trade, a branch, a brand dealt in, a card or
    tariff."""
    seller = pen.case.seller
    if pen.chance(0.4 if seller.practice else 0.04):
        pen.line(pen.fresh("profession"), x, align=align)
    if pen.chance(0.16):
        pen.line(_slogan(pen), x, size=pen.size * 0.9, align=align)
    if pen.chance(0.08):
        pen.line(pen.rng.choice(_other_names(pen)), x, size=pen.size * pen.rng.choice((0.8, 1.0, 1.3)), align=align)


def _other_names(pen: Pen) -> tuple[str, ...]:
    city = pen.case.seller.place.split()[-1].strip(",")
    return (
        f"{pen.fresh('branch')} {city}",
        f"{pen.fresh('branch')}: {pen.rng.randint(1, 2999)}",
        f"{city} Mall",
        f"{brand(pen.rng)} Shopping Center",
        f"Authorised dealer {brand(pen.rng)}",
        pen.fresh("tariff"),
        pen.rng.choice(("VISA  Mastercard", "VISA", "ISO 9001:2015", "MasterCard AMEX", "Tax Free")),
    )


def sender_line(pen: Pen, x: float) -> None:
    """The tiny line over an address window: name, street, place."""
    mark = pen.rng.choice((" · ", " - ", ", ", " | ", " • ", " * "))
    pen.line(join(seller(pen), mark, mark.join(pen.case.seller.address[-2:])), x, size=max(5.0, pen.size * 0.7))


def buyer_block(pen: Pen, x: float, *, heading: bool | None = None, extras: bool | None = None) -> None:
    """The customer's name and address, with or without a heading and numbers of the customer."""
    name, party = buyer(pen), pen.case.buyer
    if heading if heading is not None else pen.chance(0.5):
        if pen.chance(0.15):
            name = role_name(pen, name, "bill_to")
        else:
            pen.line(pen.tagged("bill_to") if pen.chance(0.6) else pen.label("bill_to"), x, bold=pen.style.label_bold)
    if pen.chance(0.1):
        pen.line(f"{pen.word('contact')} {party.person}", x)
    pen.line(name, x, bold=pen.chance(0.25), size=pen.size * pen.rng.choice((1.0, 1.0, 1.0, 1.0, 1.0, 1.2, 1.6)))
    if pen.chance(0.15) and party.person != party.name:
        pen.line(party.person, x)
    pen.lines(address_lines(pen, party), x)
    if extras if extras is not None else pen.chance(0.3):
        candidates = [
            number_pair(pen, "vat_id", party.vat),
            number_pair(pen, "tax_number", party.tax_no),
            number_pair(pen, "phone", party.phone),
            number_pair(pen, "customer_number", pen.case.numbers["customer_number"]),
            join(pen.tagged("email"), " ", party.mail),
        ]
        pen.lines([line for line in candidates if pen.chance(0.4)], x)


def seller_block(pen: Pen, x: float, *, heading: bool = True) -> None:
    """The issuer as one of two parties on a form."""
    name = registered_name(pen) if pen.chance(0.08) else seller(pen)
    if heading and pen.chance(0.18):
        name = role_name(pen, name, "sold_by")
    elif heading:
        pen.line(pen.tagged("sold_by") if pen.chance(0.6) else pen.label("sold_by"), x, bold=pen.style.label_bold)
    pen.line(name, x, bold=pen.chance(0.3))
    pen.lines(address_lines(pen, pen.case.seller), x)
    pen.lines(contact_lines(pen, pen.case.seller), x)


def ship_block(pen: Pen, x: float) -> None:
    """A delivery address: the customer again, or a person at another street."""
    pen.line(pen.tagged("ship_to"), x, bold=pen.style.label_bold)
    if pen.chance(0.6):
        pen.line(buyer(pen), x)
    else:
        pen.line(pen.case.buyer.person, x)
    pen.lines(address_lines(pen, pen.case.buyer), x)


def side_by_side(pen: Pen, blocks: Sequence[tuple[float, Block]]) -> None:
    """Blocks that start on the same line, each at its x; the cursor ends below the longest."""
    top, deepest, outer = pen.y, pen.y, pen.bound
    for x, block in blocks:
        pen.y = top
        pen.bound = min((other - 6 for other, _ in blocks if other > x), default=outer or pen.style.width - 12)
        block(pen, x)
        deepest = max(deepest, pen.y)
    pen.y, pen.bound = deepest, outer
