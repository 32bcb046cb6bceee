"""Countries: languages, money, taxes, formats and the shapes of their numbers (`#` a digit, `?` a letter)."""
# ruff: noqa: E501 (a table: one country a row)

from dataclasses import dataclass
from random import Random
from string import ascii_uppercase


@dataclass(frozen=True, slots=True)
class Country:
    code: str
    name: str
    languages: tuple[str, ...]
    currency: str
    rates: tuple[str, ...]
    taxes: tuple[str, ...]
    numbers: str
    dates: str
    forms: tuple[str, ...]
    vat: str
    tax_no: str
    phone: str
    zip: str
    zip_last: bool = False
    iban: int = 0
    symbol_before: bool = False
    weight: float = 1.0
    places: str = ""


_EN = ("Ltd", "Limited", "Ltd.", "PLC", "LLP", "", "", "& Co.", "Group Ltd")
_GMBH = (
    "GmbH",
    "GmbH",
    "GmbH",
    "AG",
    "KG",
    "GmbH & Co. KG",
    "OHG",
    "e.K.",
    "UG (haftungsbeschränkt)",
    "",
    "e.V.",
    "mbH",
    "SE",
    "GbR",
)
_UST = ("MwSt.", "USt.", "MwSt", "USt", "Mehrwertsteuer", "Umsatzsteuer")
_SARL = ("SARL", "SAS", "SA", "S.A.S.", "S.A.R.L.", "EURL", "SASU", "", "& Fils")
_BV = ("B.V.", "BV", "N.V.", "VOF", "", "B.V.", "Holding B.V.")
_SDN = ("SDN BHD", "Sdn Bhd", "SDN. BHD.", "Enterprise", "TRADING", "Sdn. Bhd.", "(M) SDN BHD")
_SL = ("S.L.", "S.A.", "SL", "S.L.U.", "S. Coop.", "", "SLP")

COUNTRIES: tuple[Country, ...] = (
    Country("DE", "Deutschland", ("de",), "EUR", ("19", "7", "0"), _UST, "comma", "de", _GMBH, "DE#########", "##/###/#####", "+49 #### ######", "#####", iban=20, weight=6.0),
    Country("AT", "Österreich", ("de",), "EUR", ("20", "10", "13"), ("USt.", "MwSt.", "USt"), "comma", "de", ("GmbH", "AG", "e.U.", "KG", "OG", ""), "ATU########", "## ###/####", "+43 # ### ## ##", "####", iban=18, weight=1.4),
    Country("CH", "Schweiz", ("de", "fr", "it", "de"), "CHF", ("8.1", "7.7", "2.6", "2.5", "3.8"), ("MWST", "TVA", "MwSt."), "swiss", "de", ("AG", "GmbH", "SA", "Sàrl", "", "& Co."), "CHE-###.###.### MWST", "CHE-###.###.###", "+41 ## ### ## ##", "####", iban=19, symbol_before=True, weight=1.2),
    Country("FR", "France", ("fr",), "EUR", ("20", "10", "5.5", "0"), ("TVA", "T.V.A."), "space", "fr", _SARL, "FR###########", "### ### ### #####", "0# ## ## ## ##", "#####", iban=25, weight=2.6),
    Country("BE", "België", ("nl", "fr"), "EUR", ("21", "6", "12"), ("BTW", "TVA"), "comma", "fr", ("BV", "NV", "BVBA", "SPRL", "SA", "VZW"), "BE 0###.###.###", "0###.###.###", "+32 # ### ## ##", "####", iban=14, weight=0.8),
    Country("NL", "Nederland", ("nl",), "EUR", ("21", "9", "0"), ("BTW", "btw", "B.T.W."), "comma", "nl", _BV, "NL#########B0#", "########", "0## ### ## ##", "#### ??", iban=16, symbol_before=True, weight=2.2),
    Country("ES", "España", ("es",), "EUR", ("21", "10", "4", "0"), ("IVA", "I.V.A."), "comma", "es", _SL, "ESB########", "B########", "+34 ### ## ## ##", "#####", iban=22, weight=2.2),
    Country("MX", "México", ("es",), "MXN", ("16", "8"), ("IVA", "I.V.A."), "point", "es", ("S.A. de C.V.", "S. de R.L. de C.V.", "SA de CV"), "???######??#", "???######??#", "+52 ## #### ####", "#####", symbol_before=True, weight=0.7),
    Country("IT", "Italia", ("it",), "EUR", ("22", "10", "4"), ("IVA", "I.V.A."), "comma", "it", ("S.r.l.", "S.p.A.", "SRL", "S.n.c.", "S.a.s.", "", "di {last}"), "IT###########", "###########", "+39 0## #######", "#####", iban=25, weight=2.3),
    Country("PT", "Portugal", ("pt",), "EUR", ("23", "13", "6"), ("IVA", "I.V.A."), "comma", "it", ("Lda", "Lda.", "S.A.", "Unipessoal Lda", ""), "PT#########", "#########", "+351 2## ### ###", "####-###", iban=23, weight=1.7),
    Country("BR", "Brasil", ("pt",), "BRL", ("18", "12", "5"), ("ICMS", "ISS", "Impostos"), "comma", "it", ("Ltda", "LTDA ME", "S/A", "Ltda.", "EIRELI"), "##.###.###/0001-##", "###.###.###.###", "(##) ####-####", "#####-###", symbol_before=True, weight=0.8),
    Country("TR", "Türkiye", ("tr",), "TRY", ("20", "10", "18", "8", "1"), ("KDV", "K.D.V."), "comma", "tr", ("A.Ş.", "Ltd. Şti.", "San. ve Tic. Ltd. Şti.", "Tic. A.Ş.", "A.Ş", ""), "##########", "##########", "+90 ### ### ## ##", "#####", iban=24, weight=2.0),
    Country("PL", "Polska", ("pl",), "PLN", ("23", "8", "5", "0"), ("VAT", "PTU"), "space", "pl", ("Sp. z o.o.", "S.A.", "sp.j.", "sp. z o.o. sp.k.", "P.P.H.U.", ""), "PL##########", "###-###-##-##", "+48 ### ### ###", "##-###", iban=26, weight=2.0),
    Country("CZ", "Česká republika", ("cs",), "CZK", ("21", "15", "12", "10"), ("DPH",), "space", "cz", ("s.r.o.", "a.s.", "spol. s r.o.", "v.o.s.", "s. r. o.", ""), "CZ########", "########", "+420 ### ### ###", "### ##", iban=22, weight=2.0),
    Country("GB", "United Kingdom", ("en",), "GBP", ("20", "5", "0"), ("VAT", "V.A.T."), "point", "gb", _EN, "GB ### #### ##", "##########", "0### ### ####", "??# #??", zip_last=True, iban=18, symbol_before=True, weight=2.0),
    Country("IE", "Ireland", ("en",), "EUR", ("23", "13.5", "0"), ("VAT",), "point", "gb", _EN, "IE#######??", "#######??", "+353 1 ### ####", "D## ????", zip_last=True, iban=18, symbol_before=True, weight=0.7, places="gb"),
    Country("US", "USA", ("en",), "USD", ("8.25", "7", "6.25", "8.875", "10", "0", "5.5"), ("Sales Tax", "Tax", "TAX", "State Tax", "Sales tax"), "point", "us", ("LLC", "Inc.", "Inc", "Corp.", "Co.", "", "", "LLP", ", Inc.", "Corporation"), "##-#######", "##-#######", "(###) ###-####", "#####", zip_last=True, symbol_before=True, weight=4.2),
    Country("CA", "Canada", ("en", "en", "fr"), "CAD", ("5", "13", "15"), ("GST", "HST", "GST/HST"), "point", "us", ("Inc.", "Ltd.", "Corp.", "", "Ltée"), "######### RT0001", "#########", "###-###-####", "?#? #?#", zip_last=True, symbol_before=True, weight=0.7),
    Country("AU", "Australia", ("en",), "AUD", ("10",), ("GST",), "point", "gb", ("Pty Ltd", "PTY LTD", "Pty. Ltd.", "", "Trust"), "## ### ### ###", "## ### ### ###", "0# #### ####", "####", zip_last=True, symbol_before=True, weight=1.0),
    Country("NZ", "New Zealand", ("en",), "NZD", ("15",), ("GST",), "point", "gb", ("Ltd", "Limited", ""), "###-###-###", "###-###-###", "0# ### ####", "####", zip_last=True, symbol_before=True, weight=0.4),
    Country("IN", "India", ("en",), "INR", ("18", "12", "5", "28", "0"), ("GST", "IGST"), "indian", "gb", ("Pvt. Ltd.", "Private Limited", "Pvt Ltd", "LLP", "Enterprises", "Traders", "& Sons", ""), "##?????####?1Z#", "?????####?", "+91 ##### #####", "######", zip_last=True, symbol_before=True, weight=1.6),
    Country("MY", "Malaysia", ("en",), "MYR", ("6", "0", "8"), ("GST", "SST", "Service Tax"), "point", "gb", _SDN, "00##########", "######-?", "03-#### ####", "#####", symbol_before=True, weight=2.0, places="my"),
    Country("SG", "Singapore", ("en",), "SGD", ("9", "8", "7"), ("GST",), "point", "gb", ("Pte Ltd", "Pte. Ltd.", "PTE LTD", ""), "##########?", "#########?", "+65 #### ####", "######", zip_last=True, symbol_before=True, weight=0.6, places="my"),
    Country("ZA", "South Africa", ("en",), "ZAR", ("15",), ("VAT",), "space", "gb", ("(Pty) Ltd", "CC", "Pty Ltd", ""), "4#########", "##########", "0## ### ####", "####", zip_last=True, symbol_before=True, weight=0.5, places="gb"),
    Country("AE", "United Arab Emirates", ("en",), "AED", ("5",), ("VAT",), "point", "gb", ("LLC", "L.L.C.", "FZE", "FZCO", "Trading LLC"), "100############", "100############", "+971 # ### ####", "", zip_last=True, symbol_before=True, weight=0.5, places="in"),
    Country("HK", "Hong Kong", ("en",), "HKD", ("0",), ("Tax",), "point", "gb", ("Limited", "Ltd", "Co., Ltd."), "########", "########", "+852 #### ####", "", zip_last=True, symbol_before=True, weight=0.3, places="my"),
    Country("PH", "Philippines", ("en",), "PHP", ("12",), ("VAT",), "point", "us", ("Inc.", "Corporation", "Corp.", ""), "###-###-###-000", "###-###-###-000", "+63 2 #### ####", "####", symbol_before=True, weight=0.3),
    Country("JP", "Japan", ("en",), "JPY", ("10", "8"), ("Consumption Tax", "Tax"), "point", "jp", ("K.K.", "Co., Ltd.", "Inc."), "T#############", "T#############", "+81 3-####-####", "###-####", symbol_before=True, weight=0.5, places="us"),
    Country("HU", "Hungary", ("en",), "HUF", ("27", "5", "18"), ("ÁFA", "VAT"), "space", "hu", ("Kft.", "Zrt.", "Bt.", "Nyrt."), "HU########", "########-2-##", "+36 1 ### ####", "####", iban=26, weight=0.6),
    Country("SE", "Sverige", ("en",), "SEK", ("25", "12", "6"), ("Moms", "VAT"), "space", "nordic", ("AB", "AB", "HB"), "SE##########01", "######-####", "+46 8 ### ## ##", "### ##", iban=22, weight=0.5),
    Country("DK", "Danmark", ("en",), "DKK", ("25",), ("Moms", "VAT"), "comma", "nordic", ("ApS", "A/S", "I/S"), "DK########", "########", "+45 ## ## ## ##", "####", iban=16, weight=0.4),
    Country("NO", "Norge", ("en",), "NOK", ("25", "15", "12"), ("MVA", "VAT"), "space", "nordic", ("AS", "ASA"), "NO ######### MVA", "### ### ###", "+47 ## ## ## ##", "####", iban=13, weight=0.4),
    Country("RO", "România", ("en",), "RON", ("19", "9", "5"), ("TVA", "VAT"), "comma", "de", ("SRL", "S.R.L.", "SA"), "RO########", "J##/####/####", "+40 ## ### ####", "######", iban=22, weight=0.4),
)  # fmt: skip


def fill(pattern: str, rng: Random) -> str:
    """`pattern` with its digits (#) and letters (?) filled in."""
    if "#" not in pattern and "?" not in pattern:
        return pattern
    draw = rng.random
    return "".join(
        [
            "0123456789"[int(draw() * 10)]
            if char == "#"
            else ascii_uppercase[int(draw() * 26)]
            if char == "?"
            else char
            for char in pattern
        ]
    )


def make_iban(country: Country, rng: Random) -> str:
    """An account number like an IBAN, or of plain digits where the country has none."""
    if not country.iban:
        return fill(rng.choice(("##########", "#### #### ####", "###-######-#", "########")), rng)
    digits = country.code + fill("#" * country.iban, rng)
    if rng.random() < 0.25:
        return digits
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))
