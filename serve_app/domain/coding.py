"""What an invoice is booked on: its postings, as they are suggested and as people confirm them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from enum import StrEnum
from typing import TypeVar

import msgspec
from pydantic import BaseModel, ConfigDict

from serve_app.domain.confidence import Confidence
from serve_app.domain.resource import Number, Resource

WHOLE = Decimal(100)
"""The share of a posting that is all of its line, in percent."""
MAX_POSTINGS = 1_000


class CodingStatus(StrEnum):
    """`suggested`: nobody has decided. `confirmed`: a person or an API key has entered or confirmed the codes."""

    SUGGESTED = "suggested"
    CONFIRMED = "confirmed"


class PostingCode(Resource):
    """A code of a posting; `value` null: none. `confidence` and `score` are of the suggestion: null once somebody has
    decided. `high`: at least 99 % of such suggestions were right among the account's own decisions. `reason` is a
    sentence for people."""

    value: str | None
    confidence: Confidence | None
    score: float | None
    reason: str | None


class Posting(Resource):
    """What a line, or a share of it, is booked on. `line` is the number of the line item, from 1; null: the whole
    invoice. `share` is in percent of the line, `amount` that share of the line's total, or of the invoice's amount;
    null if the total is unknown. The amounts of a line's postings add up to its total. `codes` has a key for each
    dimension of the chart."""

    line: int | None
    share: Number
    amount: Number | None
    codes: dict[str, PostingCode]


class Coding(Resource):
    """What an invoice is booked on. `auto_coded`: every code was suggested with `high` confidence. `by` is the address
    of the person, or the name of the API key, that confirmed it."""

    status: CodingStatus
    auto_coded: bool
    by: str | None
    at: datetime | None
    postings: list[Posting]

    def codes_of(self, dimension: str, line: int | None = None) -> str:
        """The codes of a dimension, each once, separated by semicolons: of all postings, or of one line, which may be
        booked with the whole invoice."""
        lines = {None, line} if line else {posting.line for posting in self.postings}
        found = (posting.codes.get(dimension) for posting in self.postings if posting.line in lines)
        return "; ".join(dict.fromkeys(code.value for code in found if code is not None and code.value))


class DecidedPosting(BaseModel):
    """A posting as it was entered. `codes` by the keys of the dimensions."""

    model_config = ConfigDict(frozen=True)

    line: int | None = None
    share: Decimal = WHOLE
    codes: dict[str, str | None]


class CodingDecision(BaseModel):
    """What somebody has decided that an invoice is booked on."""

    model_config = ConfigDict(frozen=True)

    postings: list[DecidedPosting]
    by: str
    at: datetime


class BookedLine(msgspec.Struct, frozen=True):
    """What a posting is about: a line item, or the whole invoice (`number` None)."""

    number: int | None
    text: str
    total: Decimal | None


class Part(msgspec.Struct, frozen=True, array_like=True):
    """A share of a line, in percent, and its codes; an empty code: none."""

    share: str
    codes: dict[str, str]


class CodedLine(msgspec.Struct, frozen=True, array_like=True):
    """A line that somebody has decided on."""

    text: str
    amount: float | None
    parts: list[Part]


class Trial(msgspec.Struct, frozen=True, array_like=True):
    """A suggestion that was made before its code was decided: its score, and whether it was right."""

    dimension: str
    score: float
    is_right: bool


class CodingExample(msgspec.Struct, frozen=True):
    """What one confirmed coding teaches. `vendor` is as vendors are compared, `entity` the buyer's; both may be empty.
    `is_whole`: the invoice was booked as a whole, although it has line items."""

    vendor: str
    entity: str
    lines: list[CodedLine]
    trials: list[Trial]
    is_whole: bool = False

    def encoded(self) -> str:
        """As it is stored."""
        return _ENCODER.encode(self).decode()

    @classmethod
    def decoded(cls, text: str) -> "CodingExample":
        """The example that was encoded."""
        return _DECODER.decode(text)


_MOST_DECIMALS = 6
P = TypeVar("P", Posting, DecidedPosting)
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(CodingExample)


def allocate(total: Decimal | None, shares: Sequence[Decimal]) -> list[Decimal | None]:
    """The amounts of these shares, which are all of the total: each is rounded, and the last takes what is left."""
    if total is None:
        return [None] * len(shares)
    decimals = min(max(2, -int(total.as_tuple().exponent)), _MOST_DECIMALS)
    unit = Decimal((0, (1,), -decimals))
    amounts = [(total * share / WHOLE).quantize(unit, ROUND_HALF_EVEN) for share in shares[:-1]]
    return [*amounts, total - sum(amounts, Decimal(0))]


def share_of(amount: Decimal, total: Decimal) -> Decimal:
    """The share, in percent, that an amount is of a total. Its amount by `allocate` is the amount again."""
    return (amount * WHOLE / total).quantize(Decimal("1E-12")).normalize()


def decided_coding(
    decision: CodingDecision, lines: Sequence[BookedLine], whole: BookedLine, suggested: Coding | None
) -> Coding | None:
    """The coding as somebody decided it; None if the invoice has no such lines any more."""
    by_number = {line.number: line for line in (*lines, whole)}
    if any(each.line not in by_number for each in decision.postings):
        return None
    postings = list[Posting]()
    for number, parts in by_line(decision.postings).items():
        amounts = allocate(by_number[number].total, [part.share for part in parts])
        postings += [_decided(part, amount) for part, amount in zip(parts, amounts, strict=True)]
    return Coding(
        status=CodingStatus.CONFIRMED,
        auto_coded=suggested is not None and suggested.auto_coded,
        by=decision.by,
        at=decision.at,
        postings=postings,
    )


def _decided(part: DecidedPosting, amount: Decimal | None) -> Posting:
    codes = {
        key: PostingCode(value=value, confidence=None, score=None, reason=None) for key, value in part.codes.items()
    }
    return Posting(line=part.line, share=part.share, amount=amount, codes=codes)


def without_lost_lines(coding: Coding, lines: Sequence[BookedLine]) -> Coding:
    """The suggestion without postings of lines that somebody has removed since."""
    numbers = {None, *(line.number for line in lines)}
    kept = [posting for posting in coding.postings if posting.line in numbers]
    return coding if len(kept) == len(coding.postings) else coding.model_copy(update={"postings": kept})


def by_line(postings: Iterable[P]) -> dict[int | None, list[P]]:
    """The postings of each line, in their order."""
    found: dict[int | None, list[P]] = {}
    for posting in postings:
        found.setdefault(posting.line, []).append(posting)
    return found
