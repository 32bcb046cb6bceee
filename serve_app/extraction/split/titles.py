"""Titles of documents."""

import re
from functools import cache

from serve_app.extraction.knowledge import Documents, languages, loose_pattern_of


def names_invoice(title: str) -> bool:
    """Whether a title is that of an invoice, a receipt or a credit note."""
    return _invoice().search(title) is not None


def names_credit_note(title: str) -> bool:
    """Whether a title is that of a credit note."""
    return _credit_note().search(title) is not None


def names_receipt(title: str) -> bool:
    """Whether a title is that of a receipt."""
    return _receipt().search(title) is not None


def names_other_document(title: str) -> bool:
    """Whether a title is that of a document that asks for no payment: an offer, a delivery note, terms ..."""
    return _other().search(title) is not None


def carries_over(line: str) -> bool:
    """Whether a line carries over a sum from page to page."""
    return _carried_over().search(line) is not None


@cache
def _documents() -> Documents:
    return Documents.union(language.documents for language in languages().values())


def _compiled(words: frozenset[str], behind: str = "") -> re.Pattern[str]:
    return re.compile(f"(?:{loose_pattern_of(words)}){behind}", re.IGNORECASE)


@cache
def _invoice() -> re.Pattern[str]:
    """A compound is a title whatever follows: "Handelsrechnung an"."""
    titles = _documents().invoice
    compounds = frozenset(title for title in titles if title.startswith("*"))
    plain = _compiled(titles - compounds, rf"(?!\s*(?:{loose_pattern_of(_documents().heads_others)}))")
    return re.compile(f"{plain.pattern}|{_compiled(compounds).pattern}", re.IGNORECASE)


@cache
def _credit_note() -> re.Pattern[str]:
    return _compiled(_documents().credit_note)


@cache
def _receipt() -> re.Pattern[str]:
    return _compiled(_documents().receipt)


@cache
def _other() -> re.Pattern[str]:
    return _compiled(_documents().other)


@cache
def _carried_over() -> re.Pattern[str]:
    return _compiled(_documents().carried_over)
