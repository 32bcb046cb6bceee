"""What speaks for a text being an invoice or a receipt, in the languages of the captions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from serve_app.documents.mail.phrases import ATTACHED, HEADER, INVOICE, ON_ITS_WAY, ORIGINAL, QUOTED, REPLY, WROTE
from serve_app.extraction.captions.lexicon import Tokens, longest, meanings, tokens
from serve_app.extraction.knowledge import Caption

_READ = 100_000
"""Characters that are looked at."""
_CODES = "EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|JPY|INR|AUD|CAD|kr|Kč|zł|Ft|Fr|lei|TL"
_CURRENCY = rf"(?:[€$£¥₹₺₽₴]|\b(?:{_CODES})\b)"
# A limited number of groups: without a limit, each of ten thousand groups would look at all that follow it.
_WHOLE = r"\d{1,3}(?:[.,'\u2019 \u00a0\u202f]?\d{3}){0,5}"
_AMOUNT = re.compile(
    rf"(?<![\d.,])(?:{_WHOLE}[.,]\d{{2}}(?![.,]?\d)(?! ?%)|{_CURRENCY} ?{_WHOLE}(?![.,]?\d)|"
    rf"{_WHOLE}(?![.,]?\d) ?{_CURRENCY})"
)
_BEFORE = 80
"""Characters before an amount in which its caption may stand."""
_NUMBER = re.compile(r"\d{3,}")
_WORDS_OF_INVOICES = {Caption.TITLE, Caption.INVOICE_NUMBER, Caption.RECEIPT_NUMBER, Caption.AMOUNT_DUE}
_TOTALS = {Caption.TOTAL, Caption.AMOUNT_DUE}
_MANY_AMOUNTS = 4


class Setting(StrEnum):
    """In what kind of mail a text stands, which decides how much must speak for it."""

    LETTER = "letter"
    REPLY = "reply"
    BULK = "bulk"
    """Newsletters and lists."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """`amounts` counts amounts of money; those after a caption of a total or of a tax are known by their place in the
    text. `has_word` says whether it names an invoice, `has_number` whether it names one by its number."""

    amounts: int
    totals: frozenset[int]
    taxes: frozenset[int]
    has_word: bool
    has_number: bool

    @property
    def is_receipt(self) -> bool:
        """It has a total and a tax, whether or not it calls itself an invoice."""
        return bool(self.totals and self.taxes)

    @property
    def is_complete(self) -> bool:
        """It has a total, and beside it a tax or the number of an invoice: no advertisement has both."""
        return bool(self.totals and (self.taxes - self.totals or self.has_number))


def evidence_in(text: str) -> Evidence:
    """What speaks for the start of the text; takes time in proportion to its length."""
    text = " ".join(text[:_READ].split())
    found = list(_AMOUNT.finditer(text))
    captions = {amount.start(): _captions_before(text, amount.start(), end) for amount, end in _with_ends(found)}
    words = list(_captions(text))
    return Evidence(
        amounts=len(found),
        totals=frozenset(at for at, near in captions.items() if near & _TOTALS),
        taxes=frozenset(at for at, near in captions.items() if Caption.TAX in near),
        has_word=any(caption in _WORDS_OF_INVOICES for _, caption, _ in words),
        has_number=any(
            caption in {Caption.INVOICE_NUMBER, Caption.RECEIPT_NUMBER} and _NUMBER.search(" ".join(after))
            for _, caption, after in words
        ),
    )


def _with_ends(found: Sequence[re.Match[str]]) -> Iterator[tuple[re.Match[str], int]]:
    """Each amount with the end of the one before it."""
    ends = [0, *(amount.end() for amount in found)]
    return zip(found, ends, strict=False)


def _captions_before(text: str, start: int, since: int) -> set[Caption]:
    return {caption for _, caption, _ in _captions(text[max(since, start - _BEFORE) : start])}


def _captions(text: str) -> Iterator[tuple[int, Caption, Tokens]]:
    """The captions in a text, the longest phrase first, each with its place and the words after it."""
    words = tokens(text)
    at = 0
    while at < len(words):
        length, found = _longest_at(words, at)
        for caption in found:
            yield at, caption, words[at + length : at + length + 4]
        at += length


def _longest_at(words: Sequence[str], at: int) -> tuple[int, Sequence[Caption]]:
    for length in range(min(longest(), len(words) - at), 0, -1):
        if found := meanings(tuple(words[at : at + length])):
            return length, found
    return 1, ()


def setting_of(subject: str, is_bulk: bool) -> Setting:
    """The kind of mail by its subject and by whether it went to many."""
    if REPLY.match(subject):
        return Setting.REPLY
    return Setting.BULK if is_bulk else Setting.LETTER


def reads_like_an_invoice(text: str, setting: Setting = Setting.LETTER) -> bool:
    """Whether the text of a mail is itself an invoice or a receipt. A reply is none, nor is a letter that only names an
    invoice that is attached; news and reports about a parcel are, if they are complete."""
    if setting is Setting.REPLY:
        return False
    found = evidence_in(text)
    if setting is Setting.BULK or (not found.has_word and ON_ITS_WAY.search(text[:_READ])):
        return found.is_complete
    return found.is_receipt or (found.has_word and found.amounts > 0 and not ATTACHED.search(own_text(text)))


def announces_an_invoice(text: str, subject: str, setting: Setting) -> bool:
    """Whether the sender says that an invoice is attached."""
    own = own_text(text) if setting is Setting.REPLY else text[:_READ]
    if setting is Setting.BULK or not ATTACHED.search(own):
        return False
    return INVOICE.search(f"{subject}\n{own}") is not None


def own_text(text: str) -> str:
    """What the sender of a mail wrote, without the mail that it answers or forwards."""
    text = text[:_READ]
    starts = [found.start() for pattern in (ORIGINAL, WROTE, HEADER) if (found := pattern.search(text))]
    return QUOTED.sub("", text[: min(starts, default=len(text))])


def shows_a_document(text: str) -> bool:
    """Whether what was read in a picture is a document: logos and banners have no sums."""
    found = evidence_in(text)
    return found.amounts >= _MANY_AMOUNTS or bool(found.totals) or (found.has_word and found.amounts > 0)
