"""Names of the parties, and where they hide: behind a role, before a number, over lines, in a logo."""

from random import Random

from models.training.generator.core.canvas import Rich, join
from models.training.generator.core.misreadings import garble
from models.training.generator.core.pen import Pen
from models.training.generator.facts.names import brand
from serve_app.domain.labels import Label

# Above this error rate per letter, a misread logo no longer counts as a name.
_READABLE = 0.2


def seller(pen: Pen, *, upper: bool = False) -> Rich:
    name = pen.case.seller.name
    return [(name.upper() if upper else name, Label.SELLER)]


def buyer(pen: Pen) -> Rich:
    return [(pen.case.buyer.name, Label.BUYER)]


def number_pair(pen: Pen, key: str, value: str) -> Rich:
    """`label: number` of a look-alike."""
    return join(pen.tagged(key), pen.gap_after(pen.tagged(key)), [(value, Label.OTHER_NUMBER)])


def role_name(pen: Pen, name: Rich, key: str) -> Rich:
    """`Seller ACME`, `From: ACME`: a caption and a name in one line; only the latter is labelled as the name."""
    caption = pen.tagged(key) if pen.chance(0.65) else pen.label(key)
    return join(caption, pen.rng.choice((" ", " ", " ", "  ", "   ")), name)


def registered_name(pen: Pen) -> Rich:
    """`ACME SDN BHD (123456-X)`, `ACME GmbH, HRB 4711`: the name with a number behind it."""
    party = pen.case.seller
    number: Rich = [(party.tax_no if pen.chance(0.6) else party.vat, Label.OTHER_NUMBER)]
    before, after = pen.rng.choice(
        (
            (" (", ")"),
            (" (", ")"),
            (f" ({pen.word('tax_number')} ", ")"),
            (f", {pen.word('vat_id')} ", ""),
            (f" - {pen.word('register')} ", ""),
            (" | ", ""),
        )
    )
    return join(seller(pen), before, number, after)


def broken_name(pen: Pen, x: float, size: float, *, lines: int = 2, align: str = "left") -> None:
    """The name over two or three lines, wherever they break."""
    tokens = pen.canvas.tokens(seller(pen))
    bold, lines = pen.chance(0.6), min(lines, len(tokens))
    cuts = sorted(pen.rng.sample(range(1, len(tokens)), lines - 1)) if lines > 1 else []
    for start, end in zip([0, *cuts], [*cuts, len(tokens)], strict=True):
        pen.canvas.put(tokens[start:end], x, pen.y, size, bold=bold, align=align)
        pen.y += size * 1.2


def _logo_text(rng: Random, name: str) -> str:
    """A separate brand, or the first words of the company's name, as on a sign."""
    words = name.split()
    text = brand(rng) if len(words) < 2 or rng.random() < 0.5 else " ".join(words[: rng.choice((1, 1, 2))])
    return text.upper() if rng.random() < 0.5 else text


def logo(pen: Pen, x: float, size: float, align: str = "left") -> None:
    """A brand over the company's name: both name the issuer, and the company's name is the answer.

    Readers misread logos; an illegible one is not labelled as a name.
    """
    text, label, known = _logo_text(pen.rng, pen.case.seller.name), Label.SELLER, Label.SELLER in pen.canvas.first
    misread = pen.rng.choice((0.0, 0.1, 0.3, 0.6)) if pen.scanned else 0.0
    if misread:
        printed = "".join(garble(char, pen.rng) if pen.chance(misread) else char for char in text).strip() or "-"
        pen.line([(printed, label if misread < _READABLE else None)], x, size=size, bold=True, align=align)
    else:
        pen.line([(text, label)], x, size=size, bold=True, align=align)
    if misread < _READABLE:
        pen.brand = pen.canvas.dressed(text)
    if not known:
        pen.canvas.first.pop(label, None)


def wrapped_name(pen: Pen, x: float, size: float, align: str = "left", *, width: float | None = None) -> None:
    """The name, its parts on lines of their own or broken where it is too long for half of the page."""
    tokens = pen.canvas.tokens(seller(pen, upper=pen.chance(0.06)))
    bold, width = pen.chance(0.65), pen.width * 0.6 if width is None else width
    if align == "left" and pen.bound is not None:
        width = max(60.0, min(width, pen.bound - x))
    starts = {0}
    if pen.chance(0.75):
        for part in pen.case.seller.parts:
            starts.add(max(starts) + len(part.split()))
    ends = [*sorted(starts)[1:], len(tokens)]
    for number, (start, end) in enumerate(zip(sorted(starts), ends, strict=True)):
        line_size = size if number == 0 else size * pen.rng.choice((1.0, 0.8))
        for words in pen.canvas.wrap(tokens[start:end], width, line_size, bold):
            pen.canvas.put(words, x, pen.y, line_size, bold=bold, align=align)
            pen.y += line_size * 1.2
