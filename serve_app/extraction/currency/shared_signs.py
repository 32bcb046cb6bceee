"""What pages from several countries print alike: a table of general knowledge, by regular expression."""

# Taxes that several countries call the same, with the codes of their money: a sign of the tax of those only, and of
# none alone.
SHARED_TAXES: dict[str, str] = {
    r"\bSST\b": "MYR",
    r"(?i:\bG\.?S\.?T\b)": "AUD CAD INR MYR NZD SGD",
    r"\bVAT\b|\bV\.A\.T\b": "AED BDT BHD EGP ETB EUR GBP GHS ILS KES KRW LKR NGN NPR OMR PHP RWF SAR "
    "THB TZS UGX VND ZAR ZMW",
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
