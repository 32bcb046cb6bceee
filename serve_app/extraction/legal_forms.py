"""Legal forms at the end of a company's name: "Ltd", "GmbH & Co. KG"."""

import re

from serve_app.domain.duplicates import vendor_words


def has_legal_form(text: str) -> bool:
    """Whether a name ends in a legal form ("Ltd", "GmbH & Co. KG")."""
    plain = re.sub(r"[\W_]+", " ", re.sub(r"['\u2019`.]", "", text)).casefold().strip()
    return vendor_words(text) not in ("", plain)


def is_only_legal_form(text: str) -> bool:
    """Whether a text is a legal form without a name."""
    return vendor_words(f"x {text}") == "x"
