"""What pages say of sums in words."""

import re
from functools import cache

from serve_app.extraction.knowledge import Sums, languages, loose_pattern_of


def names_discount(text: str) -> bool:
    """Whether a text names a discount for everybody: narrower than the captions of discounts, among which are "less",
    for a deposit, and "Skonto"."""
    return _discount().search(text) is not None


def states_exemption(text: str) -> bool:
    """Whether a text says that its issuer charges no tax at all, as small businesses must."""
    return _exempt().search(text) is not None


@cache
def included() -> re.Pattern[str]:
    """The bracket behind a total with the taxes in it: "(includes 34.18 VAT)"."""
    return re.compile(rf"\(\s*(?:{loose_pattern_of(_sums().included)})\w*\.?:?(?P<inside>[^()]*)\)", re.IGNORECASE)


@cache
def _discount() -> re.Pattern[str]:
    return re.compile(loose_pattern_of(_sums().discount), re.IGNORECASE)


@cache
def _exempt() -> re.Pattern[str]:
    return re.compile(loose_pattern_of(_sums().exempt), re.IGNORECASE)


@cache
def _sums() -> Sums:
    return Sums.union(language.sums for language in languages().values())
