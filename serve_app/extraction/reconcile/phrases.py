"""What pages say of sums in words."""

from serve_app.extraction.knowledge import WordPattern

INCLUDED = WordPattern(r"\((?:[^()\d]*[\s,;])?\s*{sums.included}\w*\.?:?(?P<inside>[^()]*)\)")
"""The bracket behind a total with the taxes in it: "(includes 34.18 VAT)", "(TTC, dont 18,83 € de TVA)"."""
_DISCOUNT = WordPattern("{sums.discount}")
_EXEMPT = WordPattern("{sums.exempt}")


def names_discount(text: str) -> bool:
    """Whether a text names a discount for everybody: narrower than the captions of discounts, among which are "less",
    for a deposit, and "Skonto"."""
    return _DISCOUNT.search(text) is not None


def states_exemption(text: str) -> bool:
    """Whether a text says that its issuer charges no tax at all, as small businesses must."""
    return _EXEMPT.search(text) is not None
