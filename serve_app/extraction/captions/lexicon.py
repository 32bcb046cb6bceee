"""The captions of invoices in twenty languages, and what they announce."""

import re
from enum import StrEnum
from functools import cache
from pathlib import Path

from serve_app.extraction.plain import plain

_LEXICON = Path(__file__).with_name("lexicon.txt")
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[#%]")
# "TotalRM21.85": a caption without a space behind it.
_GLUED = re.compile(r"(?<=[a-z])(?=[A-Z]{2,3}\d)")
# A phrase of at least this many letters is recognized even if an OCR engine ran its words together.
_LONG_ENOUGH = 6
# German and Dutch use compounds as names of invoices: Handelsrechnung, Sammelrechnung, Verzamelfactuur.
_TITLE_ENDINGS = ("rechnung", "factuur")

Tokens = tuple[str, ...]


class Caption(StrEnum):
    """What a caption announces. `NUMBER`, `DATE` and `TITLE` are vague: the value may be the invoice's, or not.
    `OTHER_INVOICE` is the invoice that this document corrects; what is `WITHHELD` is a tax of the seller's, which the
    buyer pays for it and deducts."""

    INVOICE_NUMBER = "invoice_number"
    RECEIPT_NUMBER = "receipt_number"
    NUMBER = "number"
    TITLE = "title"
    OTHER_NUMBER = "other_number"
    OTHER_INVOICE = "other_invoice"
    PURCHASE_ORDER = "purchase_order"
    ISSUE_DATE = "issue_date"
    DATE = "date"
    DUE_DATE = "due_date"
    OTHER_DATE = "other_date"
    TOTAL = "total"
    AMOUNT_DUE = "amount_due"
    SUBTOTAL = "subtotal"
    TAX = "tax"
    PAID = "paid"
    CASH = "cash"
    CHANGE = "change"
    PREVIOUS = "previous"
    QUANTITY_TOTAL = "quantity_total"
    DISCOUNT = "discount"
    COMMISSION = "commission"
    WITHHELD = "withheld"
    SHIPPING = "shipping"
    ROUNDING = "rounding"


def tokens(text: str) -> list[str]:
    """Words and numbers of a text, without case and accents; punctuation separates."""
    return _TOKEN.findall(plain(_GLUED.sub(" ", text.replace("º", "").replace("°", ""))))


Meanings = tuple[Caption, ...]


@cache
def phrases() -> dict[Tokens, Meanings]:
    """Every phrase of the lexicon, those of several words also run together, with all that it may announce: "VAT"
    precedes a tax and also a tax number."""
    found: dict[Tokens, dict[Caption, None]] = {}
    for caption, phrase in _entries():
        whole = tuple(tokens(phrase))
        found.setdefault(whole, {})[caption] = None
        if len(whole) > 1 and len("".join(whole)) >= _LONG_ENOUGH:
            found.setdefault(("".join(whole),), {})[caption] = None
    return {phrase: tuple(captions) for phrase, captions in found.items()}


def meanings(phrase: Tokens) -> Meanings:
    """What a phrase may announce; empty if unknown."""
    is_title = len(phrase) == 1 and phrase[0].endswith(_TITLE_ENDINGS)
    return phrases().get(phrase, (Caption.TITLE,) if is_title else ())


@cache
def longest() -> int:
    """The number of words of the longest phrase."""
    return max(map(len, phrases()))


def _entries() -> list[tuple[Caption, str]]:
    lines = [line for line in _LEXICON.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    split = [line.partition(": ") for line in lines]
    return [
        (Caption(kind), phrase)
        for kinds, _, listed in split
        for kind in kinds.split(" + ")
        for phrase in listed.split(" | ")
    ]
