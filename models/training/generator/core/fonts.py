"""Approximate widths of characters, so that words get boxes like those of printed text."""

import unicodedata
from enum import StrEnum
from functools import lru_cache


class Font(StrEnum):
    SANS = "sans"
    SERIF = "serif"
    MONO = "mono"


# Thousandths of the font size, by character: the metrics of Helvetica and Times.
_SANS = {
    "ijl'": 222, " .,:;/\\!|ftI[]": 278, "r()-": 333, "*": 389, "`\"": 350, "ckszvxyJ": 500, "^": 469,
    "abdeghnopqu0123456789#$?_L": 556, "+<>=~": 584, "FTZ": 611, "ABEKPSVXY&": 667, "CDHNRUw": 722, "GOQ": 778,
    "m": 833, "M": 833, "%": 889, "W": 944, "@": 1015,
}  # fmt: skip
_SERIF = {
    "ijlt/\\:;": 278, " .,|": 250, "'`!I()f[]-": 333, "rsJ": 389, "?acez^\"": 444, "bdghknopquvxy0123456789#$_*": 500,
    "SFP": 556, "+<>=~": 564, "BELTZ": 611, "CRAwDGHKNOQUVXY": 722, "&m": 778, "%": 833, "MW": 900, "@": 921,
}  # fmt: skip
# Chinese, Japanese and Korean letters are as wide as the font is high.
_WIDE = 1000
DEFAULT = {Font.SANS: 556, Font.SERIF: 500, Font.MONO: 600}


class _Widths(dict[str, int]):
    def __init__(self, groups: dict[str, int], default: int) -> None:
        super().__init__({char: width for chars, width in groups.items() for char in chars})
        self._default = default

    def __missing__(self, char: str) -> int:
        base = unicodedata.normalize("NFD", char)[0]
        wide = unicodedata.east_asian_width(char) in "WF"
        width = _WIDE if wide else self.get(base, self._default)
        self[char] = width
        return width


_TABLES = {
    Font.SANS: _Widths(_SANS, DEFAULT[Font.SANS]),
    Font.SERIF: _Widths(_SERIF, DEFAULT[Font.SERIF]),
    Font.MONO: _Widths({}, DEFAULT[Font.MONO]),
}


@lru_cache(maxsize=1 << 16)
def _thousandths(text: str, font: Font) -> int:
    table = _TABLES[font]
    return sum([table[char] for char in text])


def text_width(text: str, size: float, font: Font, bold: bool = False) -> float:
    """The width of `text` in points."""
    width = _thousandths(text, font) * size / 1000
    return width * 1.06 if bold and font is not Font.MONO else width
