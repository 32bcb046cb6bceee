"""Dates that may be the invoice's issue date or due date."""

import re
from collections.abc import Sequence
from datetime import date

from serve_app.domain.labels import Label
from serve_app.extraction.candidates import ANSWER, Candidate, all_dates
from serve_app.extraction.captions import Caption
from serve_app.extraction.corrected import corrected_words
from serve_app.extraction.dates.dates import Order, begins_period, find_dates
from serve_app.extraction.document_type import is_titled_credit_note
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import Words
from serve_app.extraction.ranking.options import Features, Option, of_captions, relative_log_odds

KINDS = (
    Caption.ISSUE_DATE,
    Caption.DATE,
    Caption.DUE_DATE,
    Caption.OTHER_DATE,
    Caption.INVOICE_NUMBER,
    Caption.RECEIPT_NUMBER,
    Caption.TITLE,
    Caption.OTHER_NUMBER,
    Caption.AMOUNT_DUE,
)
_LABELS = (Label.ISSUE_DATE, Label.DUE_DATE, Label.OTHER_DATE)
# A date until which less needs to be paid is not the date on which everything must be.
_DISCOUNT = re.compile(
    r"skonto|\bdiscount|escompte|\bsconto|korting|descuento|\bdesconto|\bskont|\brabatt\b", re.IGNORECASE
)
_NO_DISCOUNT = re.compile(
    r"\bnetto\b|\bnet\b|ohne (?:abzug|skonto)|without (?:deduction|discount)|sans escompte|senza sconto|zonder korting",
    re.IGNORECASE,
)
_OFFER_AFTER = re.compile(
    r"\W*(?:erhalten|gew[äa]hren|zahlen|abz[üu]glich|mit|you|less|deduct|take|with)\b[^.;]{0,30}?"
    rf"(?:{_DISCOUNT.pattern})",
    re.IGNORECASE,
)
# Nothing is due on the day on which it was paid.
_WAS_PAID = re.compile(
    r"\b(?:paid(?! by| before| within| until)|bezahlt|gezahlt|eingegangen|pay[ée]e?|r[ée]gl[ée]e?|pagad[oa]|pagat[oa]|"
    r"betaald|zap[łl]acono|uhrazeno|zaplaceno|zaplatené|[öo]dendi|betalt|maksettu|pl[ăa]tit)\b"
    r"(?!.*(?:\d|\bdue\b|\bf[äa]llig\b))",
    re.IGNORECASE,
)
# More words are no caption and its value.
_SENTENCE = 7
# The tax office's permit for a till, or for a printer of forms.
_PERMIT = re.compile(
    r"\baccr(?:editation|ed|\.)? ?(?:no|date)?\b|\bp\.?t\.?u\.? |\bpermit to use\b|\bauthority to print\b|"
    r"\batp\b|\bocn\b",
    re.IGNORECASE,
)
_TIME = re.compile(r"(?<!\d)\d{1,2}[:h]\d\d(?!\d)")
# The days that most terms of payment allow.
USUAL_TERMS = frozenset({7, 8, 10, 14, 15, 20, 21, 28, 30, 31, 45, 60, 90})
# Days further than this from it are those of laws.
_YEAR = 366
# The day of supply, of an order or of a return.
_PERFORMANCE = re.compile(
    r"data sprzeda[żz]y|data dostawy|leistungsdatum|lieferdatum|date of supply|supply date|"
    r"date de (?:livraison|prestation)|"
    r"fecha de (?:entrega|prestaci[óo]n)|data (?:di )?consegna|leverdatum|datum (?:isporuke|prometa|opravljene)|"
    r"datum uskute[čc]n[ěe]n[íi]|teljes[íi]t[ée]s|"
    r"\border(?:ed)? (?:date|on|placed)|date of order|orderdatum|besteldatum|bestelldatum|bestellt am|"
    r"date de (?:la )?commande|fecha del? pedido|data (?:dell['’]|di )?ordine|data (?:do )?pedido|data zam[óo]wienia|"
    r"datum objedn[áa]vky|ordredato|tilausp[äa]iv[äa]|return date|date of return",
    re.IGNORECASE,
)
# What ends right before a day on which nothing is due.
_OTHER_DAY = re.compile(
    r"\b(?:vigencia|l[íi]mite de emisi[óo]n|caduca(?: el)?(?: d[íi]a)?|expira|v[áa]lid[oa] hasta|v[áa]lid[oa] at[ée]|"
    r"valid (?:up ?to|until|till|thru|through)|"
    r"(?:vto\.?|vencimiento) (?:del? )?cae|ambil|pick[- ]?up(?: date)?|check[- ]?(?:in|out)(?: date)?|"
    r"deliver(?:y|ed) (?:date|on)|lieferdatum|leistungsdatum|fecha de (?:entrega|retiro)|date de livraison|"
    r"дата на плащане|дата оплат[ыи])\W*$",
    re.IGNORECASE,
)
# What ends right before a day of payment: if it is that of issue, it is no term.
_PAID_ON = re.compile(
    r"\b(?:dat[ae] (?:del? |di |do )?pag(?:amento|o)|fecha (?:de|del) pago|betaaldatum|"
    r"date de (?:paiement|r[èe]glement)|"
    r"zahlungsdatum|payment date|date of payment|betalingsdato|datum (?:[úu]hrady|platby|pla[ćc]anja)|maksup[äa]iv[äa]|"
    r"[öo]deme tarihi|data p[łl]atno[śs]ci)\W*$",
    re.IGNORECASE,
)
# An authorisation of Argentina's tax office, which ends that day.
_AUTHORISED = re.compile(r"(?<!\d)[67]\d{13}(?!\d).{0,20}\bv(?:to|enc\w*)\b\W*$", re.IGNORECASE)
# More days are hardly a term of payment.
LONG_TERM = 120


def date_options(pages: Sequence[PageEvidence], order: Order, issued: date | None = None) -> list[Option[date]]:
    """Every date on the pages. With `issued`, for the due date: earlier ones and those of a discount are left out, and
    the time since then counts."""
    printed = (date for date in all_dates(pages, order) if pages[date.place.page].is_printed(date.place.words))
    corrected = corrected_words(pages)
    is_credit = issued is not None and is_titled_credit_note(pages[0])
    found = [
        date
        for date in printed
        if date.place.words[0] not in corrected[date.place.page]
        and not _is_of_other_paper(pages[date.place.page], date.place.words)
        and (issued is None or _may_be_due(pages, date, issued, is_credit=is_credit))
    ]
    values = sorted({date.value for date in found})
    return [Option(date.value, date.place, _features(pages, date, values, issued)) for date in found]


def called(pages: Sequence[PageEvidence], options: Sequence[Option[date]], caption: Caption) -> list[Candidate[date]]:
    """The dates of options that a caption right before or above them calls so, and by no other name."""
    captions = [(option, pages[option.place.page].captions(option.place.words)) for option in options]
    return [
        Candidate(option.value, ANSWER, option.place)
        for option, near in captions
        if (caption,) in (near.before if near.skipped == 0 else (), near.above)
    ]


def only_performance_day(pages: Sequence[PageEvidence], options: Sequence[Option[date]]) -> list[Candidate[date]]:
    """The day of supply, order or return, where a document prints no other but those of laws: it is its own, too."""
    done = [
        option for option in options if _PERFORMANCE.search(_captioned(pages[option.place.page], option.place.words[0]))
    ]
    if not done:
        return []
    day = done[0].value
    near = {option.value for option in options if abs((option.value - day).days) <= _YEAR}
    return [Candidate(day, ANSWER, done[0].place)] if near == {day} else []


def _captioned(page: PageEvidence, word: int) -> str:
    """The line of a word, and what is above its cell on the line before."""
    row, box = page.row_of(word), page.box(page.cell_of(word))
    upper = page.lines[row - 1] if row else ()
    above = [each for each in upper if page.page.words[each].box.x0 < box.x1 and box.x0 < page.page.words[each].box.x1]
    return f"{page.text(above)}\n{page.text(page.lines[row])}"


def _is_of_other_paper(page: PageEvidence, words: Words) -> bool:
    """Whether a date is that of the invoice which a credit note corrects, or of the permit for a till."""
    captions = page.captions(words)
    is_captioned = captions.skipped == 0 and Caption.ISSUE_DATE in captions.before
    if not is_captioned and Caption.OTHER_INVOICE in (*captions.before, *captions.earlier, *captions.above):
        return True
    row = page.row_of(words[0])
    near = " ".join(page.text(line) for line in page.lines[max(0, row - 1) : row + 2])
    return _PERMIT.search(near) is not None


def has_other_due_date(pages: Sequence[PageEvidence], order: Order, due: date) -> bool:
    """Whether a caption makes another day a due date, too: that of an instalment, or of a discount."""
    return any(
        Caption.DUE_DATE in (*captions.before, *captions.above, *captions.column)
        for other in all_dates(pages, order)
        if other.value != due
        for captions in [pages[other.place.page].captions(other.place.words)]
    )


def _features(
    pages: Sequence[PageEvidence], found: Candidate[date], values: Sequence[date], issued: date | None
) -> Features:
    page = pages[found.place.page]
    days = (found.value - issued).days if issued else 0
    return {
        **_of_models(page, found.place.words),
        **of_captions(page.captions(found.place.words), KINDS),
        "only": float(len(values) == 1),
        "first page": float(found.place.page == 0),
        "with time": float(_has_time(page, found.place.words)),
        "day of issue": float(issued is not None and days == 0),
        "usual term": float(days in USUAL_TERMS),
        "long after": float(days > LONG_TERM),
    }


def _of_models(page: PageEvidence, words: Sequence[int]) -> Features:
    """The surest word of a date counts: models often see only one of "1 March 2024"."""
    best = {label: max(page.probability(word, label) for word in words) for label in _LABELS}
    return {f"model:{label.lower()}": relative_log_odds(chance) for label, chance in best.items()}


def _has_time(page: PageEvidence, words: Sequence[int]) -> bool:
    line = page.line_of(words[-1])
    end = line.index(words[-1])
    return any(_TIME.search(page.page.words[word].text) for word in line[end : end + 3])


def _may_be_due(pages: Sequence[PageEvidence], found: Candidate[date], issued: date, *, is_credit: bool) -> bool:
    is_other = _is_of_discount(pages, found) or _ends_period(pages, found) or _is_of_payment(pages, found)
    is_other |= (is_credit and _is_in_sentence(pages, found)) or _is_called_other(pages, found, issued)
    return found.value >= issued and not is_other


def _is_called_other(pages: Sequence[PageEvidence], found: Candidate[date], issued: date) -> bool:
    """Whether the words right before a date make it the end of a permit, or when something is delivered or fetched, or
    was paid."""
    before = _before(pages[found.place.page], found.place.words[0])
    is_paid = found.value == issued and _PAID_ON.search(before) is not None
    return is_paid or _OTHER_DAY.search(before) is not None or _AUTHORISED.search(before) is not None


def _is_in_sentence(pages: Sequence[PageEvidence], found: Candidate[date]) -> bool:
    """Whether a date stands in running text, as those of other invoices do on a credit note."""
    return len(pages[found.place.page].cell_of(found.place.words[0])) > _SENTENCE


def _is_of_payment(pages: Sequence[PageEvidence], found: Candidate[date]) -> bool:
    """Whether the words before a date say that something was paid then: "Betaald met iDEAL op 04-02-2025"."""
    before = _before(pages[found.place.page], found.place.words[0])
    return _WAS_PAID.search(_since_last_date(before)) is not None


def _ends_period(pages: Sequence[PageEvidence], found: Candidate[date]) -> bool:
    """Whether a date is the last day of a period on its line, which no caption says to be that of payment."""
    page = pages[found.place.page]
    captions = page.captions(found.place.words)
    if Caption.DUE_DATE in (*captions.before, *captions.above, *captions.column):
        return False
    # The whole period may be one word: "08.05.-07.06.24".
    printed = page.page.words[found.place.words[0]].text
    inside = next((printed[: date.start] for date in find_dates(printed)), "")
    return begins_period(f"{_before(page, found.place.words[0])} {inside}")


def _is_of_discount(pages: Sequence[PageEvidence], found: Candidate[date]) -> bool:
    """Whether the words since the date before offer a discount for paying until this date ("net until 4 July, 3 %
    discount until 15 June"), or those after it do ("until 15 June you get 3 % discount")."""
    page = pages[found.place.page]
    line, before = page.line_of(found.place.words[0]), _before(page, found.place.words[0])
    since = _since_last_date(f"{_line_before(page, line)} {before}" if _goes_on(before) else before)
    offer = _DISCOUNT.search(since)
    if offer is not None:
        return _NO_DISCOUNT.search(since) is None
    rest = page.line_of(found.place.words[-1])
    return _OFFER_AFTER.match(page.text(rest[rest.index(found.place.words[-1]) + 1 :])) is not None


def _before(page: PageEvidence, word: int) -> str:
    """The words of a line up to one."""
    line = page.line_of(word)
    return page.text(line[: line.index(word)])


def _since_last_date(text: str) -> str:
    """The words after the last date and what they offer for it."""
    last = max((date.end for date in find_dates(text)), default=0)
    offer = _OFFER_AFTER.match(text, last) if last else None
    return text[offer.end() if offer else last :]


def _goes_on(before: str) -> bool:
    """Whether the words before a date are the middle of a sentence that began on the line above."""
    return before[:1].islower() and not find_dates(before)


def _line_before(page: PageEvidence, line: Sequence[int]) -> str:
    row = page.row_of(line[0])
    return page.text(page.lines[row - 1]) if row else ""
