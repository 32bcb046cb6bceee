"""The currency of the country that a page comes from, for pages that name no currency."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

_STATES = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|"
    "OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY"
)
# What only pages from one country print: its name, cities, tax, registers, legal forms, calling code, postal codes.
# Each expression that is found counts once.
_SIGNS: dict[str, tuple[str, ...]] = {
    "EUR": (
        r"\bGmbH\b",
        r"\bMwSt|\bUSt\b|\bUSt[.-]|Umsatzsteuer",
        r"Deutschland|Germany|Österreich|Austria",
        r"\+ ?(?:49|43)\b",
        r"\bT\.?V\.?A\b",
        r"\bSARL\b|\bSAS\b|\bSIRET\b|\bSIREN\b",
        r"\bFrance\b",
        r"\+ ?33\b",
        r"\bEspaña|\bSpain\b",
        r"\bS\.L\.|\bN\.?I\.?F\b|\bC\.?I\.?F\b",
        r"\+ ?34\b",
        r"\bS\.?r\.?l\b|\bS\.p\.A\b",
        r"\bP(?:artita|\.)? ?IVA\b|\bcod(?:ice|\.) fisc",
        r"\bItali[ae]\b|\bItaly\b",
        r"\+ ?39\b",
        r"\bB\.?V\b|\bBTW\b|\bKvK\b",
        r"Nederland|Netherlands|Belgi|Luxembourg",
        r"\+ ?3[12]\b",
        r"\bLda\b|\bNIPC\b|\bPortugal\b",
        r"\+ ?351\b",
        r"\bIreland\b|\bDublin\b|\+ ?353\b",
        r"\bFinland\b|\bSuomi\b|\bALV\b",
        r"\bGreece\b|\bΑΦΜ\b",
    ),
    "CHF": (
        r"\bSchweiz\b|\bSuisse\b|\bSvizzera\b|Switzerland",
        r"\bCHE[- ]?\d",
        r"\+ ?41\b",
        r"\bMWST\b",
        r"\bCH-\d{4}\b",
    ),
    "GBP": (
        r"United Kingdom|\bEngland\b|\bScotland\b|\bWales\b",
        r"\bLondon\b|\bManchester\b|\bBirmingham\b",
        r"\+ ?44\b",
        r"\bGB ?\d{3} ?\d{4} ?\d{2}\b",
        r"\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b",
        r"\bCompanies House\b|\bplc\b",
    ),
    "USD": (
        rf"\b(?:{_STATES})\.?,? \d{{5}}(?:-\d{{4}})?\b",
        r"\bUSA\b|\bU\.S\.A\b|United States",
        r"\b[Ss]ales [Tt]ax\b|\bSALES TAX\b",
        r"\bEIN\b|\bLLC\b|\bInc\b|\bINC\b",
        r"\b[Gg]ratuity\b|\bGRATUITY\b",
    ),
    "CAD": (
        r"\bCanada\b|\bOntario\b|\bQu[ée]bec\b|\bAlberta\b|British Columbia",
        r"\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b",
        r"\bHST\b|\bQST\b|\bT[.,]?V[.,]?Q\b|\bT[.,]?P[.,]?S\b|\bPST\b",
        r"\bMontr[ée]al\b|\bToronto\b|\bVancouver\b|\bCalgary\b|\bOttawa\b|\bEdmonton\b|\bWinnipeg\b",
        r"\b(?:ON|QC|BC|AB|MB|SK|NS|NB)\b,? [A-Z]\d[A-Z]",
    ),
    "AUD": (
        r"\bABN\b|\bA\.B\.N\b",
        r"\bAustralia\b",
        r"\+ ?61\b",
        r"\bPty\b|\bPTY\b",
        r"\b(?:NSW|VIC|QLD|TAS|ACT) \d{4}\b",
    ),
    "NZD": (r"New Zealand|\bAuckland\b|\bNZBN\b", r"\+ ?64\b"),
    "MYR": (
        r"\bS(?:DN|dn)\.? ?B(?:HD|hd)\b",
        r"\bMalaysia\b|\bMALAYSIA\b",
        r"(?i:kuala lumpur|selangor|johor|penang|pulau pinang|perak|petaling|melaka)",
        r"(?i:\bjalan\b|\bjln\b|\btaman\b|\bbandar\b)",
        r"\+ ?60\b",
        r"\bSST\b|\bGST ID\b|\bSR\b.{0,12}\b6 ?%",
    ),
    "SGD": (r"(?i:\bsingapore\b)", r"(?i:\bpte\.? ltd\b)", r"\+ ?65\b"),
    "INR": (
        r"\bGSTIN\b",
        r"\b[CS]GST\b|\bIGST\b",
        r"\bIndia\b|\bINDIA\b",
        r"\+ ?91\b",
        r"(?i:\bpvt\.? ltd\b)",
        r"\bPAN\b|\bHSN\b",
    ),
    "TRY": (
        r"\bKDV\b",
        r"(?i:vergi daire|\bvkn\b|\bmersis\b)",
        r"T[üu]rkiye|\bTurkey\b|İstanbul|Istanbul|Ankara",
        r"\+ ?90\b",
        r"\bA\.? ?Ş\b",
    ),
    "PLN": (
        r"\bNIP\b|\bREGON\b",
        r"(?i:\bsp\. ?z ?o\.? ?o)",
        r"\bPolska\b|\bPoland\b|Warszawa|Kraków",
        r"\+ ?48\b",
        r"(?i:faktura vat|\bptu\b|paragon)",
    ),
    "CZK": (r"\bDIČ\b|\bIČO?\b|\bDPH\b", r"Česk|\bCzech\b|\bPraha\b|\bBrno\b", r"\+ ?420\b"),
    "HUF": (r"\bÁFA\b|adószám", r"\bKft\b|\bZrt\b|Magyar|Hungary|Budapest", r"\+ ?36\b"),
    "RON": (r"\bRom[âa]nia\b|București|Bucharest", r"\bCUI\b", r"\+ ?40\b"),
    "SEK": (r"\bSverige\b|\bSweden\b|Stockholm|Göteborg", r"\bF-skatt\b|\bbankgiro\b", r"\+ ?46\b"),
    "NOK": (r"\bNorge\b|\bNorway\b|\bOslo\b", r"\bMVA\b", r"\+ ?47\b"),
    "DKK": (r"\bDanmark\b|\bDenmark\b|København|Copenhagen", r"\bCVR\b", r"\+ ?45\b"),
    "BRL": (r"\bCNPJ\b|\bCPF\b", r"\bBrasil\b|\bBrazil\b|São Paulo", r"\bICMS\b|\bNF-?e\b", r"\+ ?55\b"),
    "MXN": (r"\bRFC\b|\bCFDI\b|folio fiscal", r"\bM[ée]xico\b", r"\+ ?52\b", r"\bde C\.? ?V\b"),
    "JPY": (r"\bJapan\b|\bTokyo\b|消費税|円", r"\+ ?81\b"),
    "IDR": (r"\bIndonesia\b|\bJakarta\b", r"\bNPWP\b|\bPPN\b", r"\+ ?62\b"),
    "PHP": (r"\bPhilippines\b|\bManila\b|Makati|Quezon", r"\+ ?63\b"),
    "THB": (r"\bThailand\b|\bBangkok\b", r"\+ ?66\b"),
    "AED": (r"\bU\.?A\.?E\b|\bDubai\b|Abu Dhabi|Emirates", r"\bTRN\b", r"\+ ?971\b"),
    "SAR": (r"Saudi Arabia|\bRiyadh\b|\bJeddah\b", r"\+ ?966\b"),
    "ZAR": (r"South Africa|Johannesburg|Cape Town", r"\+ ?27\b"),
    "HKD": (r"Hong Kong", r"\+ ?852\b"),
    "CNY": (r"\bChina\b|Shanghai|Beijing|Shenzhen", r"\+ ?86\b"),
}
# Telephone numbers of the United States and Canada look the same.
_NORTH_AMERICAN = re.compile(r"\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b")
_COMPILED = {code: tuple(re.compile(sign) for sign in signs) for code, signs in _SIGNS.items()}


def home_currencies(lines: Iterable[str]) -> Counter[str]:
    """For each currency, how many signs of its country the lines contain."""
    return _signs_in("\n".join(lines))


# Every witness asks about the same document.
@lru_cache(maxsize=8)
def _signs_in(text: str) -> Counter[str]:
    found = Counter({code: sum(sign.search(text) is not None for sign in signs) for code, signs in _COMPILED.items()})
    if _NORTH_AMERICAN.search(text):
        found["CAD" if found["CAD"] > found["USD"] else "USD"] += 1
    return +found


def is_home_sign(code: str, line: str) -> bool:
    """Whether a line contains a sign of the currency's country."""
    signs = (*_COMPILED.get(code, ()), *((_NORTH_AMERICAN,) if code in ("USD", "CAD") else ()))
    return any(sign.search(line) for sign in signs)
