"""Why a value is wrong, missing or not `high`, and what a wrong one was taken for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz import fuzz

from models.evaluation.compare import HEADER, is_absent, is_right, number
from models.evaluation.dataset import Truth
from models.evaluation.errors.seen_rows import SeenRow
from models.evaluation.rows import RowPair
from serve_app.domain.invoice import Confidence

_ALIKE = 75
"""Texts that are more similar (0 to 100) differ by a few letters, or by words before or after."""
NOTHING_PRINTED = "nothing printed"
"""What an invented value is instead."""


class Verdict(StrEnum):
    """How a given value compares with the true one."""

    WRONG = "wrong"
    MISSED = "missed"
    INVENTED = "invented"
    RIGHT = "right"


class Cause(StrEnum):
    """A class of causes. All but the last two exclude each other; these are about the level."""

    NO_INVOICE = "no_invoice"
    NOT_READ = "not_read"
    NOT_CANDIDATE = "not_candidate"
    RANKED_LOWER = "ranked_lower"
    SUMS = "sums"
    NOT_PRINTED = "not_printed"
    WRONG_AT_HIGH = "wrong_at_high"
    RIGHT_NOT_HIGH = "right_not_high"


CAUSE_TEXTS = {
    Cause.NO_INVOICE: "The invoice was not found, or the file could not be read.",
    Cause.NOT_READ: "The true value is not among the words read.",
    Cause.NOT_CANDIDATE: "The true value was read, but is no candidate.",
    Cause.RANKED_LOWER: "The true value is a candidate, with too low a score.",
    Cause.SUMS: "The true value was ranked higher, but sums or another rule chose differently.",
    Cause.NOT_PRINTED: "The document has no such value.",
    Cause.WRONG_AT_HIGH: "Calibration: the wrong value is high.",
    Cause.RIGHT_NOT_HIGH: "Calibration: the right value is not high.",
}


@dataclass(frozen=True, slots=True)
class Compared:
    """A header field of an invoice beside its truth. `ranked` are the candidates of both models together, best first;
    `other` are further candidates. `is_found`: one of the invoices found is this one; `is_filled`: it has values.
    `is_read`: the true value is among the words."""

    field: str
    truth: Truth
    given: str | None
    level: Confidence | None
    is_found: bool = True
    is_filled: bool = True
    is_read: bool = True
    ranked: Sequence[str] = ()
    other: Sequence[str] = ()

    @property
    def verdict(self) -> Verdict:
        """An invoice that was not found is wrong in its empty fields, too."""
        if self.is_found and is_right(self.field, self.truth, self.given):
            return Verdict.RIGHT
        if self.given is None:
            return Verdict.MISSED
        return Verdict.INVENTED if is_absent(self.truth[self.field]) else Verdict.WRONG

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Empty for a right value that is `high`, and for one that is rightly not given."""
        is_high = self.level is Confidence.HIGH
        if self.verdict is Verdict.RIGHT:
            return () if is_high or self.given is None else (Cause.RIGHT_NOT_HIGH,)
        return (self._cause, Cause.WRONG_AT_HIGH) if is_high else (self._cause,)

    @property
    def _cause(self) -> Cause:
        if not self.is_filled:
            return Cause.NO_INVOICE
        if is_absent(self.truth[self.field]):
            return Cause.NOT_PRINTED
        place = self._first_right(self.ranked)
        if place is None:
            if self._first_right(self.other) is not None:
                return Cause.RANKED_LOWER
            return Cause.NOT_CANDIDATE if self.is_read else Cause.NOT_READ
        return Cause.RANKED_LOWER if self.given is None or self._is_given(self.ranked[:place]) else Cause.SUMS

    def _is_given(self, values: Iterable[str]) -> bool:
        return any(is_right(self.field, {self.field: self.given}, value) for value in values)

    def _first_right(self, values: Iterable[str]) -> int | None:
        return next((at for at, value in enumerate(values) if is_right(self.field, self.truth, value)), None)

    @property
    def confusion(self) -> str | None:
        """What a wrong value is instead: another field, or how it differs from the true one; None if it is not
        wrong."""
        if self.given is None or self.verdict not in (Verdict.WRONG, Verdict.INVENTED):
            return None
        same = (name for name in HEADER if name != self.field and self._is_value_of(name))
        return next(same, None) or self._difference(self.given)

    def _is_value_of(self, name: str) -> bool:
        value = self.truth.get(name)
        numbers = number(value) is not None, number(self.given) is not None
        return not is_absent(value) and all(numbers) == any(numbers) and is_right(name, self.truth, self.given)

    def _difference(self, given: str) -> str:
        true = self.truth[self.field]
        if is_absent(true):
            return NOTHING_PRINTED
        if self.field in ("amount", "tax"):
            one, other = (_letters(text).strip("0") for text in (str(true), given))
            return "same digits" if one == other else "another number"
        if sorted(str(true).split("-")) == sorted(given.split("-")):
            return "day and month swapped" if self.field in ("issued_at", "due_at") else "parts in another order"
        return _text_difference(str(true), given)


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A line item of an invoice beside its truth. `is_filled`: the invoice found has values. `is_read`: the true
    cells are among the words. `seen` are the rows in question, best first."""

    pair: RowPair
    is_filled: bool = True
    is_read: bool = True
    seen: Sequence[SeenRow] = ()

    @property
    def verdict(self) -> Verdict:
        if self.pair.is_right:
            return Verdict.RIGHT
        if self.pair.given is None:
            return Verdict.MISSED
        return Verdict.INVENTED if self.pair.true is None else Verdict.WRONG

    @property
    def level(self) -> Confidence | None:
        return self.pair.level

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Empty for a right row that is `high`."""
        is_high = self.level is Confidence.HIGH
        if self.pair.is_right:
            return () if is_high else (Cause.RIGHT_NOT_HIGH,)
        return (self._cause, Cause.WRONG_AT_HIGH) if is_high else (self._cause,)

    @property
    def _cause(self) -> Cause:
        if not self.is_filled:
            return Cause.NO_INVOICE
        if self.pair.true is None:
            return Cause.NOT_PRINTED
        right = [each for each in self.seen if each.is_right(self.pair)]
        if right:
            return Cause.SUMS if any(each.is_candidate for each in right) else Cause.RANKED_LOWER
        return Cause.NOT_CANDIDATE if self.is_read else Cause.NOT_READ

    @property
    def confusion(self) -> str | None:
        """Which cells of a wrong row differ from the true ones."""
        if self.verdict is Verdict.INVENTED:
            return NOTHING_PRINTED
        return ", ".join(self.pair.wrong_cells) or None


def _text_difference(true: str, given: str) -> str:
    one, other = _letters(true), _letters(given)
    if one in other or other in one:
        return "too long" if one in other else "too short"
    return "a few letters differ" if fuzz.ratio(one, other) >= _ALIKE else "another value"


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
