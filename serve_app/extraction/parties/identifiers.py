"""VAT identifiers and bank accounts, found among printed text."""

import re
from collections.abc import Callable, Iterable, Iterator

from stdnum.ch import uid as ch_uid
from stdnum.eu import vat
from stdnum.gb import vat as gb_vat
from stdnum.no import orgnr as no_organisation

from serve_app.extraction.knowledge import WordPattern

# Characters that set groups of an identifier apart in print.
_GAP = r"[ \u00a0.\-/]?"
_BEFORE, _AFTER = r"(?<![A-Z0-9])", r"(?![A-Z0-9])"

# Lengths by country (ISO 13616, IBAN registry of SWIFT).
_IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AT": 20, "BA": 20, "BE": 16, "BG": 22, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18,
    "EE": 20, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IS": 26,
    "IT": 27, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25,
    "RO": 24, "RS": 22, "SA": 24, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TR": 26, "UA": 29,
}  # fmt: skip
# 9 a digit, A a letter, * either; the country's code comes before. Source: EU Commission, VIES FAQ; longest first.
_VAT_SHAPES = {
    "AT": ["U99999999"], "BE": ["9999999999"], "BG": ["9999999999", "999999999"], "CH": ["E999999999"],
    "CY": ["99999999A"], "CZ": ["9999999999", "999999999", "99999999"], "DE": ["999999999"], "DK": ["99999999"],
    "EE": ["999999999"], "EL": ["999999999"], "ES": ["*9999999*"], "FI": ["99999999"], "FR": ["**999999999"],
    "GB": ["999999999999", "999999999"], "HR": ["99999999999"], "HU": ["99999999"], "IE": ["9*99999AA", "9*99999A"],
    "IT": ["99999999999"], "LT": ["999999999999", "999999999"], "LU": ["99999999"], "LV": ["99999999999"],
    "MT": ["99999999"], "NL": ["999999999B99"], "NO": ["999999999"], "PL": ["9999999999"], "PT": ["999999999"],
    "RO": ["9999999999", "999999999", "99999999", "9999999"], "SE": ["999999999999"], "SI": ["99999999"],
    "SK": ["9999999999"], "XI": ["999999999999", "999999999"],
}  # fmt: skip
# The European Union's register has only its members and Northern Ireland (XI).
_OUTSIDE_EU: dict[str, Callable[[str], object]] = {
    "GB": gb_vat.is_valid,
    "CH": ch_uid.is_valid,
    "NO": lambda identifier: no_organisation.is_valid(identifier[2:]),
}
_KINDS = {"9": r"\d", "A": "[A-Z]", "*": "[A-Z0-9]"}

# From this length on a shape is hardly that of something else.
_DISTINCT = 11
# After a caption, even too few or too many digits count.
_CAPTIONED_IBAN = re.compile(rf"IBAN\W{{0,5}}([A-Z]{{2}}(?:{_GAP}\d){{12,32}}){_AFTER}")
_VAT_CAPTION = WordPattern("{*countries.vat_numbers*}")
_CAPTIONED_VAT_ID = WordPattern(
    rf"{_VAT_CAPTION.template}[^\d·]{{0,20}}(?<![A-Z])((?:{'|'.join(_VAT_SHAPES)})(?:{_GAP}\d){{7,13}}){_AFTER}"
)
_IBAN_CAPTION = re.compile(r"IBAN")
# The caption of an identifier is within this many characters before it.
_NEAR = 40


def compact(identifier: str) -> str:
    """An identifier in the form in which it is compared: only upper case letters and digits."""
    return "".join(filter(str.isalnum, identifier.upper()))


def looks_like_iban(identifier: str) -> bool:
    """Whether an identifier has the shape of an IBAN, whatever its check digits."""
    is_whole = len(identifier) == _IBAN_LENGTHS.get(identifier[:2])
    return is_whole and identifier.isascii() and identifier.isalnum() and identifier[2:4].isdigit()


def is_iban(identifier: str) -> bool:
    """Whether shape and check digits (ISO 7064 MOD 97-10) are those of an IBAN."""
    if not looks_like_iban(identifier):
        return False
    return int("".join(str(int(character, 36)) for character in identifier[4:] + identifier[:4])) % 97 == 1


def is_vat_id(identifier: str) -> bool:
    """Whether the check digits are valid in the identifier's country."""
    outside_eu = _OUTSIDE_EU.get(identifier[:2])
    return bool(outside_eu(identifier) if outside_eu else vat.is_valid(identifier))


def looks_like_vat_id(identifier: str) -> bool:
    """Whether an identifier has the shape of a country's, whatever its check digits. Short ones are like the numbers of
    invoices: "SI20240017"."""
    return len(identifier) >= _DISTINCT and _VAT_ID.fullmatch(identifier) is not None


def find_ibans(lines: Iterable[str]) -> list[str]:
    """IBANs with valid check digits or after their caption, in print order."""
    return list(dict.fromkeys(found for line in lines for _, _, found in _ibans(line.upper())))


def find_vat_ids(lines: Iterable[str]) -> list[str]:
    """VAT identifiers with valid check digits or after their caption, in print order."""
    return list(dict.fromkeys(found for line in lines for found in _vat_ids(line.upper())))


def _ibans(line: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and compact form of each IBAN."""
    for match in _IBAN.finditer(line):
        found = compact(match[0])
        if is_iban(found) or _has_caption(_IBAN_CAPTION, line, match.start()):
            yield match.start(), match.end(), found
            line = line[: match.start()] + "·" * len(match[0]) + line[match.end() :]
    for match in _CAPTIONED_IBAN.finditer(line):
        yield match.start(1), match.end(1), compact(match[1])


def _vat_ids(line: str) -> Iterator[str]:
    # The first groups of an account number can look like a VAT identifier.
    for start, end, _ in _ibans(line):
        line = line[:start] + "·" * (end - start) + line[end:]
    for match in _VAT_ID.finditer(line):
        found = compact(match[0])
        if is_vat_id(found) or _has_caption(_VAT_CAPTION, line, match.start()):
            yield found
            line = line[: match.start()] + "·" * len(match[0]) + line[match.end() :]
    for match in _CAPTIONED_VAT_ID.finditer(line):
        yield compact(match[1])


def _has_caption(caption: re.Pattern[str] | WordPattern, line: str, start: int) -> bool:
    return caption.search(line, max(0, start - _NEAR), start) is not None


def _spaced(characters: Iterable[str]) -> str:
    """A pattern for these characters, with a gap allowed before each."""
    return "".join(_GAP + character for character in characters)


_IBAN = re.compile(
    _BEFORE
    + "(?:"
    + "|".join(
        _spaced([*country, r"\d", r"\d", *["[A-Z0-9]"] * (length - 4)]) for country, length in _IBAN_LENGTHS.items()
    )
    + ")"
    + _AFTER
)
_VAT_ID = re.compile(
    _BEFORE
    + "(?:"
    + "|".join(
        country + _spaced(_KINDS.get(character, character) for character in shape)
        for country, shapes in _VAT_SHAPES.items()
        for shape in shapes
    )
    + ")"
    + _AFTER
)
