"""Sentences in small print that say who the issuer is: "Fibra is a brand of Akme Telecom, S.A.", "© 2025 Akme Inc."."""

import re
from collections.abc import Iterator, Sequence

from serve_app.extraction.parties.legal_forms import begins_with_legal_form, has_legal_form, is_only_legal_form

_IS_A = r"(?:is an?|ist eine|est une|es una|[èe] un|is een|[ée] uma)"
_KIND = (
    r"trading ?name|trade ?name|trade ?mark|brand(?: ?name)?|school|unit|division|marke|handelsmarke|marque|marca|"
    r"nombre comercial|handelsnaam|merk|marchio"
)
_MORE = r"(?: (?:registered|eingetragene|commerciale?s?|comercial|registrad[oa]|registrat[oa]|d[ée]pos[ée]e))?"
# What comes right before the name of a seller for whom an agent writes, and before any issuer's in a sentence.
_FOR = (
    r"(?:issued|invoiced|sent|(?:in the )?name)\b[^.]{0,60}? on behalf of(?: the (?:seller|\w+,))?,?\s|"
    r"im (?:namen|auftrag) und (?:auf|f[üu]r) rechnung (?:von|der|des)\s(?:vermieters\s?:?\s)?|"
    r"au nom et pour le compte (?:de|du|des)\s(?:(?:bailleur|vendeur|propri[ée]taire|mandant)\s?:?\s)?|"
    r"en nombre y por cuenta del?\s(?:(?:arrendador|vendedor|propietario)\s?:?\s)?|"
    r"in nome e per conto del?i?\s(?:(?:locatore|venditore|proprietario)\s?:?\s)?|in naam (?:en voor rekening )?van\s"
)
STATED = (
    r"thank(?:s| you) for (?:your (?:order|purchase|business|booking|stay|visit)|shopping|ordering|booking|staying) "
    r"(?:from|with|at)\s|"
    rf"{_IS_A}{_MORE} (?:{_KIND}){_MORE} (?:of|der|des|von|d[eiou]l?|de la|van|da)\s|{_FOR}|"
    r"(?:©|\(c\)|copyright)(?: ?(?:©|copyright))?(?: ?(?:19|20)\d\d(?: ?[-–] ?(?:19|20)?\d\d)?)?,?\s"
)
_STATED = re.compile(rf"(?:{STATED})(?=\S)", re.IGNORECASE)
_BY_AGENT = re.compile(rf"(?:{_FOR})(?=\S)", re.IGNORECASE)
# What an agent does with the whole invoice; some of its rows may be another's.
_ISSUES = re.compile(
    r"issued|invoiced|sent\b|ausgestellt|erstellt|berechne|abgerechnet|in rechnung|"
    r"[ée]mise?\b|[ée]tablie?\b|emitid|emess|opgesteld",
    re.IGNORECASE,
)
# A name in a sentence has at most so many words.
_LONGEST = 8
_ENDS = (".", ",", ";", ")")
# The invoice is written by the buyer, for the seller.
_SELF_BILLED = re.compile(
    r"\bself[- ]?bill(?:ed|ing)\b|"
    r"\bgutschrift(?:sverfahren|\W{1,3}(?:abrechnung )?(?:nach|gem(?:äß|\.)|i\.? ?s\.? ?d\.?|im sinne) .{0,12}§ ?14)|"
    r"\bauto-?facturat?ion\b|\bautofactura\b|\bself-?fatturazione\b|\binvoice issued by the customer\b",
    re.IGNORECASE,
)


def stated_names(texts: Sequence[str], *, by_agent: bool = False) -> Iterator[tuple[int, int]]:
    """From a text's words, the first and the end of each name that a sentence says is the issuer's: up to its legal
    form, or else up to a mark. `by_agent`: only those for whom an agent writes the invoice."""
    text = " ".join(texts)
    if by_agent and not _ISSUES.search(text):
        return
    for found in (_BY_AGENT if by_agent else _STATED).finditer(text):
        start = text.count(" ", 0, found.end())
        end = _end_of_name(texts[start : start + _LONGEST])
        if end:
            yield start, start + end


def _end_of_name(words: Sequence[str]) -> int:
    """How many words the name has that a sentence goes on with."""
    lengths = range(1, len(words) + 1)
    formed = next((end for end in lengths if has_legal_form(" ".join(words[:end]))), 0)
    # "SCI du Vieux Lavoir" goes on behind its form.
    if formed and not begins_with_legal_form(" ".join(words)):
        return max(end for end in lengths if end == formed or is_only_legal_form(" ".join(words[formed - 1 : end])))
    return next((end for end in lengths if words[end - 1].endswith(_ENDS) or _goes_on(words[end:])), len(words))


def _goes_on(rest: Sequence[str]) -> bool:
    """Whether the sentence goes on behind a name: with who did something, or with a bracket."""
    return bool(rest) and (rest[0] == "by" or rest[0].startswith("("))


def is_self_billed(text: str) -> bool:
    """Whether a text says that the buyer wrote the invoice, as carriers' and authors' customers do."""
    return _SELF_BILLED.search(text) is not None
