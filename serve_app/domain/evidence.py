"""What a run saw and did not choose: the words of the pages, and for each field the values that were in question.

It is kept beside the document, so that a person who checks an invoice sees why a value is not sure, and what else it
could be.
"""

import zlib
from enum import StrEnum
from typing import TypeVar

import msgspec

from serve_app.domain.invoice import Citation, Detail, Field

VERSION = 1
"""Of the form of what is kept. A reader ignores evidence of any other version."""
UNITS = 10_000
"""Boxes are kept in whole units, so many to the width or height of a page."""

T = TypeVar("T")
FieldName = str
"""A key of `field_confidence`, or of `details.field_confidence`."""


class ReadBy(StrEnum):
    """Who reads a value."""

    EXTRACTOR = "extractor"
    VERIFIER = "verifier"
    BOTH = "both"
    """The scores of both models, taken together with captions and sums."""
    MEMORY = "memory"
    """Earlier invoices of the vendor that a person has confirmed."""


class DoubtCode(StrEnum):
    """Why a value is not `high`."""

    MODELS_DIFFER = "models_differ"
    READ_BADLY = "read_badly"
    SUMS_MISS = "sums_miss"
    IMPLAUSIBLE = "implausible"
    OTHER_DOCUMENT = "other_document"
    REMEMBERED = "remembered"
    UNSURE = "unsure"
    NOT_FOUND = "not_found"


class Doubt(msgspec.Struct, frozen=True):
    """A reason, and one sentence of it for people."""

    code: DoubtCode
    text: str


class Candidate(msgspec.Struct, frozen=True, array_like=True):
    """A value that may be a field's. `value` is an exact decimal, an ISO date or the text itself; `text` is what is
    printed on `page` (1-based) in `box` (x0, y0, x1, y1 in `UNITS`). `score` (0 to 1) is the highest of its sources."""

    value: str
    text: str
    sources: tuple[ReadBy, ...]
    score: float
    page: int
    box: tuple[int, int, int, int]

    @property
    def citation(self) -> Citation:
        """Where it is printed."""
        return Citation(page=self.page, box=fractions(self.box), text=self.text)


class FieldEvidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """The values in question, best first, and why the one that was chosen is not sure; None if it is.

    `chance` is how likely (0 to 1) it is right. From the chance `high` on it is `high`, if it `may_be_high`
    at all: both models agree (`models_agree`) and the sums hold. `earlier` are the ids of the vendor's invoices that
    agree with it. `targets` are the chances from which on it would be `high` with each target precision, as text.
    """

    candidates: tuple[Candidate, ...] = ()
    doubt: Doubt | None = None
    chance: float | None = None
    may_be_high: bool = False
    models_agree: bool = False
    high: float = 1.0
    earlier: tuple[str, ...] = ()
    targets: dict[str, float] = {}


class PageWords(msgspec.Struct, frozen=True, array_like=True):
    """The words of a page, in reading order. `width` and `height` are in points. `boxes` has four numbers a word, in
    `UNITS` of the page as its file shows it. `scores` has one number a word, the reader's confidence in percent; empty
    for a page with a text layer. `begins` is how likely it is that an invoice begins here, in percent, if several could
    be in the file. `is_turned`: the words were read on a page that was rotated or straightened before, so their boxes
    here are only around them; `upright` are their boxes on that page, whose size `width` and `height` are. It is empty
    for other pages."""

    page: int
    width: float
    height: float
    texts: str
    boxes: tuple[int, ...]
    scores: tuple[int, ...] = ()
    begins: int | None = None
    is_turned: bool = False
    upright: tuple[int, ...] = ()

    @property
    def words(self) -> list[str]:
        """Words contain no white space."""
        return self.texts.split(" ") if self.texts else []


class Evidence(msgspec.Struct, frozen=True):
    """The evidence for one invoice; pages count from its first."""

    pages: tuple[PageWords, ...] = ()
    fields: dict[FieldName, FieldEvidence] = {}
    version: int = VERSION

    @property
    def agreed(self) -> frozenset[str]:
        """The fields on whose value both models agree."""
        return frozenset(name for name, field in self.fields.items() if field.models_agree)


class _Versioned(msgspec.Struct):
    version: int


class _Fields(msgspec.Struct):
    fields: dict[FieldName, FieldEvidence] = {}


_VERSION = msgspec.json.Decoder(_Versioned)
_DECODER = msgspec.json.Decoder(Evidence)
_FIELDS = msgspec.json.Decoder(_Fields)


def pack(evidence: Evidence) -> bytes:
    """As it is kept: compressed JSON."""
    return zlib.compress(msgspec.json.encode(evidence), 6)


def unpack(data: bytes) -> Evidence | None:
    """What was packed; None if it is of another version. Raises ValueError if it is damaged."""
    return _decoded(_DECODER, data)


def unpack_fields(data: bytes) -> dict[FieldName, FieldEvidence]:
    """Its fields without the words of the pages, which takes a fraction of the time; none if it is of another version.
    Raises ValueError if it is damaged."""
    found = _decoded(_FIELDS, data)
    return {} if found is None else found.fields


def _decoded(decoder: msgspec.json.Decoder[T], data: bytes) -> T | None:
    try:
        plain = zlib.decompress(data)
        return decoder.decode(plain) if _VERSION.decode(plain).version == VERSION else None
    except (zlib.error, msgspec.MsgspecError) as error:
        raise ValueError("evidence cannot be read") from error


def fractions(box: tuple[int, ...]) -> tuple[float, float, float, float]:
    """A box in the unit of citations."""
    x0, y0, x1, y1 = box
    return x0 / UNITS, y0 / UNITS, x1 / UNITS, y1 / UNITS


HEADER = tuple(field for field in Field if field is not Field.LINE_ITEMS)
"""The fields with one value."""
DETAILS = tuple(detail for detail in Detail if detail is not Detail.TAX_LINES)
"""The details with one value."""
