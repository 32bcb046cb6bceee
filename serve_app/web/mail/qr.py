"""A mail address as a picture that phones read."""

import segno
from markupsafe import Markup


def qr_svg(address: str) -> Markup:
    """A link that opens a new mail to the address, as SVG to be put into a page; dark on white in every theme, because
    few phones read it the other way round."""
    code = segno.make_qr(f"mailto:{address}", error="m")
    # Made of numbers and of the words of this line: nothing of the address is text in it.
    svg = code.svg_inline(dark="#000", light="#fff", border=3, omitsize=True, title="QR code of the address")
    return Markup(svg)  # noqa: S704
