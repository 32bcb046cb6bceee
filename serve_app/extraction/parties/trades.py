"""Words for trades: what stands under a name, and is none."""

from functools import cache

from serve_app.extraction.captions.lexicon import tokens
from serve_app.extraction.knowledge import Trades, languages
from serve_app.extraction.parties.legal_forms import without_legal_form


def is_only_trade(text: str) -> bool:
    """Whether a text names nothing but trades: "Solicitors & Notaries", "Brasserie – Bar à vins", "Group Pty Ltd"."""
    words = set(tokens(without_legal_form(text) or text))
    return not words.isdisjoint(_trades().words) and words <= _trades().words | _trades().joined_by


@cache
def _trades() -> Trades:
    return Trades.union(language.trades for language in languages().values())
