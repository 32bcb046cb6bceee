"""Raised digits: the cents of a sum, or the mark of a footnote."""

import re

from serve_app.domain.raised import RAISED_DIGITS

_RAISED = f"[{RAISED_DIGITS}]"
_VALUES = str.maketrans(RAISED_DIGITS, "0123456789")
# A whole number, perhaps with its thousands apart, and raised digits: cents. "614.⁰²", "1,204⁹⁰".
_CENTS = re.compile(
    rf"(?P<whole>(?<![\d.,])\d{{1,3}}(?:[.,'’]\d{{3}})+|(?<![\d.,])\d+)(?P<mark>[.,]?)(?P<cents>{_RAISED}{{2,3}})(?!{_RAISED})"
)
# Behind a number or a word: "5,868.00¹", "12.50⁽²⁾", "Ltd³". Units of area and volume keep theirs: "m²".
_MARK = re.compile(rf"(?<=[\d.,%€$£])[(⁽]?(?:{_RAISED}+[,;]?)+[)⁾]?|(?<=[^\W\d_]{{4}}){_RAISED}+")


def with_plain_raised(text: str, decimals: int) -> str:
    """The text with raised cents, of which a sum has `decimals`, behind a decimal mark, and without the marks of
    footnotes."""
    if not any(form in text for form in RAISED_DIGITS):
        return text
    return _MARK.sub("", _CENTS.sub(lambda found: _with_cents(found, decimals), text))


def _with_cents(found: re.Match[str], decimals: int) -> str:
    if len(found["cents"]) != decimals:
        return found[0]
    # The mark between thousands is not the one before decimals.
    mark = found["mark"] or ("," if "." in found["whole"] else ".")
    return f"{found['whole']}{mark}{found['cents'].translate(_VALUES)}"
