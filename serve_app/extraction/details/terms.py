"""The terms of payment, as printed: "Net 30", "zahlbar innerhalb von 14 Tagen", "30 jours fin de mois" ..."""

import re
from collections.abc import Sequence
from itertools import accumulate

from serve_app.extraction.candidates import Place
from serve_app.extraction.details.found import Found
from serve_app.extraction.evidence import PageEvidence

_CAPTION = (
    r"(?:payment\s+|credit\s+)?terms(?:\s+of\s+payment)?|zahlungsbedingung(?:en)?|zahlungskonditionen|zahlungsziel|"
    r"conditions?\s+de\s+(?:paiement|r[èe]glement)|(?:modalit[ée]s?|mode)\s+de\s+r[èe]glement|"
    r"condiciones\s+de\s+pago|forma\s+de\s+pago|condizioni\s+di\s+pagamento|modalit[àa]\s+di\s+pagamento|"
    r"betalingsconditie[s]?|betalingstermijn|condi[çc][õo]es\s+de\s+pagamento|[öo]deme\s+(?:ko[şs]ullar[ıi]|vadesi)|"
    r"warunki\s+p[łl]atno[śs]ci|termin\s+p[łl]atno[śs]ci|platebn[íi]\s+podm[íi]nky"
)
_DAYS = r"(?:days?|tagen?|jours?|d[íi]as?|giorni|gg|dagen|dias|g[üu]n|dni|dn[íiů])"
_NUMBER = r"\d{1,3}"
# What can only be terms, wherever it is.
_PLAIN = re.compile(
    rf"\bnet\s*{_NUMBER}(?![\d.,])(?:\s*{_DAYS})?|\b(?:net|netto)\s*{_NUMBER}\s*{_DAYS}\b|\b{_NUMBER}\s*{_DAYS}\s*(?:net(?:to|s)?|fin\s+de\s+mois|f\.?m\.?|eom|"
    rf"d\.?f\.?(?:\s*f\.?m\.?)?|fecha\s+(?:de\s+)?factura)\b|\b(?:due|payable)\s+(?:up)?on\s+receipt\b|"
    rf"\b(?:payment\s+|payable\s+|due\s+)(?:is\s+due\s+)?(?:with)?in\s+{_NUMBER}\s*days\b|"
    rf"\b(?:zahlbar|f[äa]llig|zahlung)\s+(?:innerhalb|binnen|in)\s+(?:von\s+)?{_NUMBER}\s*tagen\b|"
    rf"\bsofort\s+(?:f[äa]llig|zahlbar)\b|\b[àa]\s+r[ée]ception\b|\b(?:paiement|payable)\s+[àa]\s+{_NUMBER}\s*jours\b|"
    rf"\bpago\s+a\s+{_NUMBER}\s*d[íi]as\b|\bpagamento\s+a\s+{_NUMBER}\s*(?:giorni|gg|dias)\b|"
    rf"\bbinnen\s+{_NUMBER}\s*dagen\b",
    re.IGNORECASE,
)
# What may be terms after a caption: words with a number of days, or one of these.
_CAPTIONED = re.compile(
    rf"\b(?:{_CAPTION})\b\s*[:.\-–]*\s*(?P<terms>\S.{{0,78}})",
    re.IGNORECASE,
)
_LIKELY = re.compile(
    r"\d|\b(?:receipt|immediate\w*|cash|prepaid|advance|c\.?o\.?d|sofort|bar|vorkasse|comptant|r[ée]ception|contado|"
    r"transferencia|rimessa|bonifico|vista|contant|vooruit|peşin|got[óo]wka|przelew|hotov\w+|p[řr]evod\w*)\b",
    re.IGNORECASE,
)


def payment_terms(pages: Sequence[PageEvidence]) -> Found[str] | None:
    """The terms after their caption, else the first words of the pages that can be nothing else."""
    for find in (_behind_caption, _anywhere):
        for number, page in enumerate(pages):
            for cell in (*page.cells, *page.lines):
                text = page.text(cell)
                span = find(text)
                if span is not None:
                    words = _words_of(page, cell, *span)
                    return Found(page.text(words).strip(" .:;,"), Place(number, words))
    return None


def _behind_caption(text: str) -> tuple[int, int] | None:
    match = _CAPTIONED.search(text)
    return match.span("terms") if match and _LIKELY.search(match["terms"]) else None


def _anywhere(text: str) -> tuple[int, int] | None:
    match = _PLAIN.search(text)
    return match.span() if match else None


def _words_of(page: PageEvidence, cell: Sequence[int], start: int, end: int) -> tuple[int, ...]:
    """The words of a cell that contain the characters from `start` to `end` of its text."""
    ends = list(accumulate(len(page.page.words[word].text) + 1 for word in cell))
    return tuple(
        word for word, first, last in zip(cell, [0, *ends], ends, strict=False) if first < end and last - 1 > start
    )
