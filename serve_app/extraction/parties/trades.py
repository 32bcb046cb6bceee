"""Words for trades: what stands under a name, and is none."""

import re
from functools import cache
from pathlib import Path

from serve_app.extraction.captions.lexicon import tokens
from serve_app.extraction.parties.legal_forms import without_legal_form

_FILE = Path(__file__).with_name("trades.txt")
# What joins them, in several languages.
_BETWEEN = re.compile("a|al|and|d|de|des|du|e|en|et|for|fur|o|of|oder|og|or|the|u|und|y")


def is_only_trade(text: str) -> bool:
    """Whether a text names nothing but trades: "Solicitors & Notaries", "Brasserie – Bar à vins", "Group Pty Ltd"."""
    words = tokens(without_legal_form(text) or text)
    return any(word in _trades() for word in words) and all(
        word in _trades() or _BETWEEN.fullmatch(word) for word in words
    )


@cache
def _trades() -> frozenset[str]:
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
