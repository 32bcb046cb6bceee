"""Legal forms of a company's name: "Ltd", "GmbH & Co. KG", "S. de R.L. de C.V.", "EURL", "株式会社"."""

import re
from collections.abc import Collection
from functools import cache, lru_cache

from serve_app.domain.duplicates import LEGAL_FORMS
from serve_app.extraction.knowledge import countries, words_of
from serve_app.extraction.notation.plain import plain

# What OCR makes of some, each with what it is: "S.r.I.", "Sp. z 0.0.", "SON BHD", "TRADINGSDN BHD".
_MISREAD = (
    # Joined with the word before.
    (re.compile(r"(?<=[A-Z]{2})(?=SDN\.? ?BHD\b)"), " "),
    (re.compile(r"(?<!\w)S[DO0]N(\.? ?)[B8R]H[DO0](?!\w)"), r"SDN\1BHD"),
    (re.compile(r"(?<!\w)(S\. ?(?:à ?)?r\. ?)[I1|](?=\.|$)"), r"\1l"),
    (re.compile(r"(?<!\w)(S\. ?R\. ?)[1|](?=\.|$)"), r"\1L"),
    (re.compile(r"(?<!\w)(s\. ?r\. ?)0(?!\w)"), r"\1o"),
    (re.compile(r"(?<!\w)(z ?|(?:j\. ?)?d\. ?)[0oO](\. ?)[0oO](?!\w)"), r"\1o\2o"),
    # In Cyrillic letters.
    (re.compile("\\b\u0421\u041e(?=[.,]* L[tT])"), "CO"),
    (re.compile(r"(?<!\w)[GC]mb[HIl1]{1,2}(?!\w)"), "GmbH"),
    (re.compile(r"(?<!\w)(?:L[lI1]d|[I1]td)(?=\.?$)"), "Ltd"),
)
# A legal form has at most so many words.
_LONGEST = 5
# Kana, Chinese characters, Hangul and Thai.
_WITHOUT_SPACES = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


@lru_cache(maxsize=20_000)
def without_legal_form(name: str) -> str:
    """The name's words, one space apart, without case, accents, punctuation and legal form; empty if none is left."""
    return _leading().sub("", _trailing().sub("", _words(name)))


@cache
def _trailing() -> re.Pattern[str]:
    listed = {form for country in countries().values() for form in country.legal_forms}.union(LEGAL_FORMS.split("|"))
    apart, joined = _alternatives(listed)
    return re.compile(rf"(?<=\w)(?:(?: (?:{apart})|{joined})(?= |$))++$")


@cache
def _leading() -> re.Pattern[str]:
    """Some countries put the legal form first."""
    apart, joined = _alternatives({form for country in countries().values() for form in country.leading_forms})
    return re.compile(rf"^(?:(?:{apart}) |{joined})(?=\w)")


def _alternatives(forms: Collection[str]) -> tuple[str, str]:
    """Patterns of the forms, the longer ones first ("ltda me" before "ltda"), and of those that may be written without
    a space between them and the name."""
    longest = sorted(forms, key=len, reverse=True)
    joined = (form for form in longest if len(form) > 1 and _WITHOUT_SPACES.fullmatch(form))
    return "|".join(map(_words, longest)), "|".join(map(_words, joined))


@lru_cache(maxsize=20_000)
def has_legal_form(text: str) -> bool:
    """Whether a name has a legal form ("Ltd", "GmbH & Co. KG")."""
    return without_legal_form(text) not in ("", _words(text))


@lru_cache(maxsize=20_000)
def is_only_legal_form(text: str) -> bool:
    """Whether a text is a legal form without a name."""
    return bool(_words(text)) and without_legal_form(f"x {text}") == "x"


def begins_with_legal_form(text: str) -> bool:
    """Whether a text goes on with the legal form of a name before it: "(haftungsbeschränkt)", "de C.V., Monterrey"."""
    words = text.split()[:_LONGEST]
    prefixes = (" ".join(words[:end]) for end in range(1, len(words) + 1))
    return any(is_only_legal_form(prefix) and _words(prefix).split()[-1] not in _conjunctions() for prefix in prefixes)


@cache
def _conjunctions() -> frozenset[str]:
    return words_of(lambda language: language.connectives.both)


@lru_cache(maxsize=20_000)
def _words(text: str) -> str:
    """The words without case and accents. Dots and apostrophes are removed (S.A. is SA); other marks separate words."""
    return re.sub(r"[\W_]+", " ", re.sub(r"['\u2019`.]", "", plain(text))).strip()


def with_form_repaired(name: str) -> str:
    """The name with its legal form as it is written."""
    for misread, form in _MISREAD:
        name = misread.sub(form, name)
    return name
