"""Heads in which the issuer's name is hard to find, and places far from the head where it may be."""

from models.training.generator.blocks.names import logo, number_pair, registered_name, role_name, seller
from models.training.generator.blocks.parties import address_lines, beside_name
from models.training.generator.core.canvas import Text
from models.training.generator.core.pen import Pen


def crowded_head(pen: Pen, x: float, *, align: str = "left") -> None:
    """Name, slogan, street, city, numbers and trade in lines of one size; the name need not be first."""
    party, rng = pen.case.seller, pen.rng
    around: list[Text] = [
        pen.fresh("slogan"),
        pen.fresh("profession") if party.practice else pen.fresh("services"),
        party.place,
        party.street,
        number_pair(pen, "register", str(rng.randint(10_000, 9_999_999))),
        number_pair(pen, "phone", party.phone),
        f"{pen.fresh('branch')} {party.place.split()[-1]}",
        party.domain,
    ]
    above = rng.sample(around, rng.choice((0, 1, 1, 2)))
    below = [line for line in around if line not in above and pen.chance(0.5)]
    size, bold = pen.size * rng.choice((1.0, 1.2, 1.5)), pen.chance(0.5)
    name = registered_name(pen) if pen.chance(0.25) else seller(pen)
    for line in [*above, name, *below]:
        pen.canvas.line(line, x, pen.y, size, bold=bold, align=align)
        pen.y += size * pen.style.leading


def tight_columns(pen: Pen, left: list[Text], right: list[Text], *, space: float) -> None:
    """Two columns with aligned lines, the second right behind the longest line of the first."""
    edge = max(pen.canvas.text_width(line, pen.size) for line in left) + pen.left + space
    for index in range(max(len(left), len(right))):
        if index < len(left):
            pen.canvas.line(left[index], pen.left, pen.y, pen.size)
        if index < len(right):
            pen.canvas.line(right[index], edge, pen.y, pen.size)
        pen.y += pen.step


def remittance(pen: Pen, x: float) -> None:
    """`Make cheques payable to ACME`, with the address to which they are sent."""
    pen.line(role_name(pen, seller(pen), pen.rng.choice(("account_name", "payee"))), x)
    if pen.chance(0.7):
        pen.lines(address_lines(pen, pen.case.seller), x)


def head_with_logo(pen: Pen, x: float, *, align: str = "left") -> None:
    """A logo, the company's name in small letters below it, and its address."""
    logo(pen, x, pen.size * pen.rng.choice((1.4, 2.0, 2.6)), align)
    pen.line(registered_name(pen) if pen.chance(0.3) else seller(pen), x, align=align)
    beside_name(pen, x, align)
    pen.lines(address_lines(pen, pen.case.seller), x, align=align)
