"""The language that the page of an electronic invoice has its captions in: that of its issuer, if it is known."""

from babel.languages import get_official_languages

from serve_app.domain.einvoice import EInvoice
from serve_app.extraction.knowledge import PageCaptions, languages

_ENGLISH = "en"
# Standards of countries with one language, as profiles begin.
_BY_STANDARD = {
    "FatturaPA": "it",
    "KSeF": "pl",
    "Facturae": "es",
    "CFDI": "es",
    "NF-e": "pt",
    "UBL-TR": "tr",
}


def captions_of(einvoice: EInvoice) -> tuple[str, PageCaptions]:
    """The code of the language, and its captions: those of English if it has none, or if several are official where
    the seller is."""
    code = _BY_STANDARD.get(einvoice.profile.partition(" ")[0]) or _language_of(einvoice)
    known = {each: language.page for each, language in languages().items() if language.page}
    if code not in known:
        code = _ENGLISH
    return code, known[code]


def _language_of(einvoice: EInvoice) -> str:
    address = einvoice.seller.address
    spoken = get_official_languages(address.country, de_facto=True) if address and address.country else ()
    return spoken[0] if len(spoken) == 1 else _ENGLISH
