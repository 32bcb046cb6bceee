"""What each target precision would have meant for invoices that people have checked."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from serve_app.domain.evidence import FieldEvidence
from serve_app.domain.invoice import VERIFIED_BY, Field
from serve_app.domain.quality import HEADER, Threshold
from serve_app.domain.target_precision import TargetPrecision


@dataclass(frozen=True, slots=True)
class Checked:
    """A confirmed invoice: how many invoices it stands for, which fields a person corrected, and what its run saw."""

    weight: float
    corrected: Collection[str]
    evidence: Mapping[str, FieldEvidence]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of values of one kind, or of invoices: the weighted `share` that would have been `high` or verified
    automatically (None without any), how many of these were seen, and how many of those were `wrong`."""

    share: float | None
    seen: int
    wrong: int


@dataclass(frozen=True, slots=True)
class TargetOutcome:
    """One target, on the `invoices` whose run knew its thresholds."""

    target: TargetPrecision
    invoices: int
    values: Outcome
    verified: Outcome
    fields: Mapping[Field, Outcome]


@dataclass(frozen=True, slots=True)
class _Case:
    """A value, or an invoice: its weight, and whether it would be taken as it is, and is right."""

    weight: float
    is_taken: bool
    is_right: bool


def outcome_of(target: TargetPrecision, checked: Iterable[Checked], raised: Mapping[Field, Threshold]) -> TargetOutcome:
    """The outcome of a target, with the thresholds that the account's decisions have `raised`."""
    known = [each for each in checked if any(str(target) in seen.targets for seen in each.evidence.values())]
    fields = {
        field: [_value(target, each, field, raised) for each in known if _is_given(each, field)] for field in HEADER
    }
    return TargetOutcome(
        target,
        len(known),
        _outcome([case for cases in fields.values() for case in cases]),
        _outcome([_invoice(target, each, raised) for each in known]),
        {field: _outcome(cases) for field, cases in fields.items()},
    )


def _is_given(checked: Checked, field: Field) -> bool:
    seen = checked.evidence.get(field)
    return seen is not None and seen.chance is not None


def _value(target: TargetPrecision, checked: Checked, field: Field, raised: Mapping[Field, Threshold]) -> _Case:
    is_high = _is_high(target, checked.evidence.get(field), raised.get(field))
    return _Case(checked.weight, is_high, field not in checked.corrected)


def _invoice(target: TargetPrecision, checked: Checked, raised: Mapping[Field, Threshold]) -> _Case:
    values = [_value(target, checked, field, raised) for field in VERIFIED_BY]
    return _Case(checked.weight, all(value.is_taken for value in values), all(value.is_right for value in values))


def _is_high(target: TargetPrecision, seen: FieldEvidence | None, raised: Threshold | None) -> bool:
    if seen is None or seen.chance is None or not seen.may_be_high:
        return False
    # 1 is never reached: no value of the field was shown to be safe.
    calibrated = seen.targets.get(str(target), 1.0)
    return calibrated < 1 and seen.chance >= max(calibrated, raised.chance if raised else 0.0)


def _outcome(cases: Sequence[_Case]) -> Outcome:
    total = math.fsum(case.weight for case in cases)
    taken = [case for case in cases if case.is_taken]
    share = math.fsum(case.weight for case in taken) / total if cases else None
    return Outcome(share, len(taken), sum(not case.is_right for case in taken))
