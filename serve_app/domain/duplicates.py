"""When two invoices are duplicates: vendor, invoice number and amount all present and equal."""

import json
import re
import unicodedata
from functools import lru_cache

from serve_app.domain.invoice import Invoice

# As spelled after dots are removed; a form may be several words. Stored keys depend on them: a change needs a
# migration.
LEGAL_FORMS = (
    "sp z oo|s a|s p a|s r l|s r o|b v|n v|and|und|et|y|e|i|"
    "ab|ag|aps|as|asa|bhd|bv|bvba|co|company|corp|corporation|cv|doo|eg|ehf|ev|ek|eirl|eood|gbr|gesmbh|gmbh|"
    "inc|incorporated|kft|kg|kgaa|kk|lda|limited|llc|llp|lp|ltd|ltda|mbh|nv|oe|ohg|oo|ou|oy|oyj|plc|pte|pty|"
    "pvt|sa|sab|sae|sarl|sas|sasu|sc|sca|scs|sdn|se|sl|slu|snc|spa|spj|spk|sprl|srl|sro|ug|uab|vof|zoo|zrt"
)
_TRAILING_FORMS = re.compile(rf"(?<=\w)(?: (?:{LEGAL_FORMS})(?= |$))++$")
# Some countries put the legal form first.
_LEADING_FORM = re.compile(r"^(?:ooo|oao|zao|pao|pt) (?=\w)")


@lru_cache(maxsize=20_000)
def vendor_words(name: str) -> str:
    """The name's words, one space apart, without case, punctuation and legal form; empty if nothing is left."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    # Dots and apostrophes are removed (S.A. is SA); every other mark separates words.
    words = re.sub(r"[\W_]+", " ", re.sub(r"['\u2019`.]", "", plain)).strip()
    return _LEADING_FORM.sub("", _TRAILING_FORMS.sub("", words))


def normalise_vendor(name: str) -> str:
    """The name without case, spacing, punctuation and legal form; empty if nothing is left."""
    return vendor_words(name).replace(" ", "")


def duplicate_key(invoice: Invoice) -> str | None:
    """A text that two invoices of one account share if and only if they are duplicates; None if a part is missing."""
    vendor = normalise_vendor(invoice.vendor_name or "")
    if not vendor or not invoice.invoice_number or invoice.amount is None:
        return None
    # 100, 100.0 and 100.00 are one amount; 0 has no sign.
    amount = format(invoice.amount.normalize() + 0, "f")
    return json.dumps([vendor, invoice.invoice_number, amount], ensure_ascii=False)
