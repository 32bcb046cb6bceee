"""Texts as files for other programs take them. What cannot be written as it is becomes a note, never a silent gap."""

import re
import unicodedata
from dataclasses import dataclass, field

from serve_app.domain.plain_text import one_line, shortened

_SPELLED = str.maketrans(
    {
        **{"ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ħ": "h", "Ħ": "H", "ı": "i", "ŧ": "t", "Ŧ": "T", "ĸ": "k"},
        **{"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "ß": "ss", "þ": "th", "Þ": "Th", "ð": "d"},
        **{"€": "EUR", "№": "No.", "−": "-", "‐": "-", "‑": "-", "–": "-", "—": "-", "…": "...", "•": "*"},
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
    }
)
_UNKNOWN = "?"
# What spreadsheets take for the beginning of a formula, full-width forms included.
_FORMULA = re.compile("^[\\s'\"]*[=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]+\\s*")


@dataclass(slots=True)
class Notes:
    """What a person should know about a file, once each, in the order in which it came up."""

    found: dict[str, None] = field(default_factory=dict)

    def add(self, text: str) -> None:
        self.found[text] = None

    def all(self) -> tuple[str, ...]:
        return tuple(self.found)


def fitted(text: str, length: int, what: str, notes: Notes) -> str:
    """The text on one line, cut to what a program takes; `what` names it in the note."""
    line = one_line(text)
    if len(line) <= length:
        return line
    notes.add(f"{what} was cut to {length} characters.")
    return line[:length].rstrip()


def without_formula(text: str, what: str, notes: Notes) -> str:
    """For programs that take every character literally, so that an apostrophe would be booked: the text without the
    signs that would make it a formula in a spreadsheet."""
    plain = _FORMULA.sub("", text)
    if plain != text:
        notes.add(f"{what} began like a formula; the signs were left out.")
    return plain


def encodable(text: str, encoding: str, what: str, notes: Notes) -> str:
    """The text in characters that the encoding has: letters without their accents, signs spelled, and a question mark
    for what has no spelling."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        spelled = "".join(_spelled(sign, encoding) for sign in unicodedata.normalize("NFC", text))
        lost = "; some characters became question marks" if spelled.count(_UNKNOWN) > text.count(_UNKNOWN) else ""
        notes.add(f"{what} was written as {shortened(spelled, 60)!r}, because {encoding} lacks its characters{lost}.")
        return spelled
    return text


def _spelled(sign: str, encoding: str) -> str:
    bases = (letter for letter in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(letter))
    for candidate in (sign, sign.translate(_SPELLED), "".join(bases).translate(_SPELLED)):
        try:
            candidate.encode(encoding)
        except UnicodeEncodeError:
            continue
        return candidate
    return _UNKNOWN
