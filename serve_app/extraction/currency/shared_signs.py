"""What pages from several countries print alike: a table of general knowledge, by regular expression."""

# Taxes that several countries call the same, with the codes of their money: a sign of the tax of those only, and of
# none alone.
SHARED_TAXES: dict[str, str] = {
    r"\bSST\b": "MYR",
    r"(?i:\bG\.?S\.?T\b)": "AUD BZD CAD INR LRD MYR NZD SGD",
    r"\bVAT\b|\bV\.A\.T\b": "AED BBD BDT BHD BSD EGP ETB EUR FJD GBP GHS GYD ILS KES KRW LKR NAD NGN NPR OMR PHP "
    "RWF SAR THB TTD TWD TZS UGX VND XCD ZAR ZMW",
    r"(?i:\bmwst|\bust\b|\bust[.-]|umsatzsteuer)": "CHF EUR",
    r"\bT\.?V\.?A\b": "CHF DZD EUR MAD RON TND XAF XOF",
    r"\bI\.?V\.?A\b": "AOA ARS BOB CHF CLP COP CRC EUR GTQ MXN MZN PYG UYU VES",
    r"\bB\.?T\.?W\b|\bALV\b": "EUR",
    r"\bDPH\b": "CZK EUR",
    r"\bPDV\b": "BAM EUR RSD",
    r"(?i:\bmoms\b)": "DKK SEK",
}
# Telephone numbers of the United States and Canada look the same.
NORTH_AMERICAN = r"\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b"
