"""Weighs what earlier invoices of the vendor say about this one.

Memory is a witness beside the two models. It chooses among the values that were in question or, where none of them
stands at the remembered place, what is printed there; and against both models only where people have corrected the same
mistake before. What it chooses is never `high`: for that, both models must agree and the sums must hold, and memory
only makes such a value more likely.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import msgspec

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.evidence import Candidate, Doubt, DoubtCode, Evidence, FieldEvidence, ReadBy
from serve_app.domain.invoice import VERIFIED_BY, Confidence, Extraction, Field
from serve_app.domain.memory import Keys, StoredExample
from serve_app.domain.review_fields import same, value_of, with_value
from serve_app.extraction.dates.dates import Order, find_dates
from serve_app.extraction.memory.learn import PLACED
from serve_app.extraction.memory.placement import PagePositions, same_place, shape_of
from serve_app.extraction.memory.propose import proposals
from serve_app.extraction.memory.votes import NEEDED, agreed, is_mistaken, of_this_layout, of_this_vendor, supporters

AGREES = 1.5
"""How much likelier (in natural-log units) a value is that stands where earlier ones stood."""
CHOSEN = 0.7
"""How likely a value is that memory chose. It is no more than `mid`."""
_BOTH = frozenset({ReadBy.EXTRACTOR, ReadBy.VERIFIER})
_DATES = (Field.ISSUED_AT, Field.DUE_AT)


@dataclass(frozen=True, slots=True)
class Recalled:
    """An extraction with its evidence, after memory was heard."""

    extraction: Extraction
    evidence: Evidence


def recall(
    extraction: Extraction,
    evidence: Evidence,
    keys: Keys,
    stored: Sequence[StoredExample],
    merged: Collection[str] = (),
) -> Recalled:
    """What both models found, with the vendor's earlier invoices as further evidence, or with those of the same layout
    if the vendor has none: these show where values stand and nothing else, because different vendors may use the same
    template. Without examples that agree with each other, nothing changes. `merged` are normalised names that people
    have declared to be one vendor's: none of them is taken for a misreading of another."""
    found = Recalled(extraction, evidence)
    if len(examples := of_this_vendor(stored, keys)) >= NEEDED:
        found = _weigh_vendor(_weigh_places(found, examples), examples, merged)
    elif len(examples := of_this_layout(stored, keys)) >= NEEDED:
        found = _weigh_places(found, examples)
    return found if found.extraction is extraction and found.evidence is evidence else _judged(found)


def _weigh_places(found: Recalled, examples: Sequence[StoredExample]) -> Recalled:
    positions = PagePositions(found.evidence)
    for field in PLACED:
        found = _weigh_place(found, field, examples, positions)
    return found


def _weigh_vendor(found: Recalled, examples: Sequence[StoredExample], merged: Collection[str]) -> Recalled:
    """What is of the vendor, wherever it stands."""
    for field in _DATES:
        found = _weigh_order(found, field, examples)
    found = _weigh_currency(found, examples)
    return _weigh_name(found, examples, merged)


def _weigh_place(
    found: Recalled, field: Field, examples: Sequence[StoredExample], positions: PagePositions
) -> Recalled:
    seen = found.evidence.fields.get(field, FieldEvidence())
    supported = [
        (candidate, support)
        for candidate in seen.candidates
        if (position := positions.at(candidate.page, candidate.box))
        and (support := supporters(examples, field, position))
    ]
    current = value_of(found.extraction, field)
    if not supported:
        return _proposed(found, field, examples, positions)
    best, support = max(supported, key=lambda pair: _rank(pair[0], field, pair[1], positions))
    if current is not None and same(field, best.value, current):
        return _agreed(found, field, support, best)
    if current is not None and not _may_be_overruled(found, field, examples, positions):
        return found
    return _chosen(found, field, best, support)


def _proposed(found: Recalled, field: Field, examples: Sequence[StoredExample], positions: PagePositions) -> Recalled:
    """The value that stands where earlier ones stood, if no model has read it and the models know of no other that they
    agree on."""
    current = value_of(found.extraction, field)
    if current is not None and not _may_be_overruled(found, field, examples, positions):
        return found
    proposed = proposals(field, found.evidence, positions, examples, CHOSEN)
    if not proposed:
        return found
    ranked = [(_rank(candidate, field, support, positions), candidate, support) for candidate, support in proposed]
    highest = max(rank for rank, _, _ in ranked)
    best = [(candidate, support) for rank, candidate, support in ranked if rank == highest]
    (candidate, support), *others = best
    if any(not same(field, other.value, candidate.value) for other, _ in others):
        return found
    is_known = current is not None and same(field, candidate.value, current)
    return found if is_known else _chosen(found, field, candidate, support)


def _rank(
    candidate: Candidate, field: Field, support: Sequence[StoredExample], positions: PagePositions
) -> tuple[int, int, int, float]:
    """Most examples first; then a number that looks like theirs, a place like theirs, the models' score."""
    shape, position = shape_of(candidate.value), positions.at(candidate.page, candidate.box)
    rights = [(example, example.right) for each in support if (example := each.example.fields[field])]
    shapes = sum(example.shape == shape for example, _ in rights) if field is Field.INVOICE_NUMBER else 0
    places = sum(bool(position and right and same_place(right, position)) for _, right in rights)
    return len(support), shapes, places, candidate.score


def _may_be_overruled(
    found: Recalled, field: Field, examples: Sequence[StoredExample], positions: PagePositions
) -> bool:
    """Whether the models do not agree on the value, or people have corrected one that stood there before."""
    current = _candidate(found, field, value_of(found.extraction, field))
    if current is None:
        return False
    position = positions.at(current.page, current.box)
    return not set(current.sources) >= _BOTH or bool(position and is_mistaken(examples, field, position))


def _weigh_order(found: Recalled, field: Field, examples: Sequence[StoredExample]) -> Recalled:
    """Read a date that could be two days in the order of the vendor's other dates."""
    is_month_first = agreed(each.example.is_month_first for each in examples)
    current: str | None = value_of(found.extraction, field)
    candidate = _candidate(found, field, current)
    if is_month_first is None or candidate is None:
        return found
    order = Order.MONTH_FIRST if is_month_first else Order.DAY_FIRST
    days = {printed.value(order) for printed in find_dates(candidate.text) if printed.is_ambiguous} - {None}
    (day, *others) = [*days, None]
    if not isinstance(day, date) or len(others) > 1 or day.isoformat() == current:
        return found
    support = [each for each in examples if each.example.is_month_first is is_month_first]
    return _chosen(found, field, msgspec.structs.replace(candidate, value=day.isoformat(), sources=()), support)


def _weigh_currency(found: Recalled, examples: Sequence[StoredExample]) -> Recalled:
    currency = agreed(each.example.currency for each in examples)
    candidate = _candidate(found, Field.CURRENCY, currency)
    if currency is None or candidate is None:
        return found
    support = [each for each in examples if each.example.currency == currency]
    if found.extraction.currency == currency:
        return _agreed(found, Field.CURRENCY, support, candidate)
    current = _candidate(found, Field.CURRENCY, found.extraction.currency)
    if current is not None and set(current.sources) >= _BOTH:
        return found
    return _chosen(found, Field.CURRENCY, candidate, support)


def _weigh_name(found: Recalled, examples: Sequence[StoredExample], merged: Collection[str]) -> Recalled:
    """The vendor's name as people want it, for one that was read as it was before."""
    name, current = agreed(each.example.name for each in examples), found.extraction.vendor_name
    if name is None or current is None:
        return found
    support = [each for each in examples if each.example.name == name]
    candidate = _candidate(found, Field.VENDOR, current)
    if current == name and candidate is not None:
        return _agreed(found, Field.VENDOR, support, candidate)
    if normalise_vendor(current) == normalise_vendor(name):
        # The same name in the spelling that people use.
        return _respelled(found, name, support)
    key = normalise_vendor(current)
    if key in merged:
        return found
    is_known = sum(normalise_vendor(each.example.read_name or "") == key for each in support) >= 2
    is_sure = candidate is not None and set(candidate.sources) >= _BOTH
    if candidate is None or (is_sure and not is_known):
        return found
    wanted = _candidate(found, Field.VENDOR, name) or msgspec.structs.replace(candidate, value=name, sources=())
    return _chosen(found, Field.VENDOR, wanted, support)


def _respelled(found: Recalled, name: str, support: Sequence[StoredExample]) -> Recalled:
    extraction = found.extraction.model_copy(update={"vendor_name": name})
    seen = _with_recalled(found.evidence.fields.get(Field.VENDOR, FieldEvidence()), support)
    return Recalled(extraction, _with_field(found.evidence, Field.VENDOR, seen))


def _candidate(found: Recalled, field: Field, value: Any) -> Candidate | None:
    candidates = found.evidence.fields.get(field, FieldEvidence()).candidates
    return next((each for each in candidates if value is not None and same(field, each.value, value)), None)


def _agreed(found: Recalled, field: Field, support: Sequence[StoredExample], candidate: Candidate) -> Recalled:
    """The value is likelier; `high` if the models and the sums allow it."""
    seen = _with_recalled(found.evidence.fields[field], support)
    candidates = [_remembered(each) if each == candidate else each for each in seen.candidates]
    seen = msgspec.structs.replace(seen, candidates=tuple(candidates))
    if seen.chance is None:
        return Recalled(found.extraction, _with_field(found.evidence, field, seen))
    chance = _likelier(seen.chance)
    is_high = seen.may_be_high and chance >= seen.high
    seen = msgspec.structs.replace(seen, chance=round(chance, 4), doubt=None if is_high else seen.doubt)
    extraction = _with_level(found.extraction, field, Confidence.HIGH) if is_high else found.extraction
    return Recalled(extraction, _with_field(found.evidence, field, seen))


def _chosen(found: Recalled, field: Field, candidate: Candidate, support: Sequence[StoredExample]) -> Recalled:
    """The value that memory chose, with its place; `mid` at most."""
    extraction = with_value(found.extraction, field, candidate.value, candidate.citation)
    seen = _with_recalled(found.evidence.fields.get(field, FieldEvidence()), support)
    others = [
        each for each in seen.candidates if each.box != candidate.box or not same(field, each.value, candidate.value)
    ]
    doubt = Doubt(DoubtCode.REMEMBERED, f"Chosen as on {len(support)} earlier invoices.")
    seen = msgspec.structs.replace(
        seen, candidates=(_remembered(candidate), *others), doubt=doubt, chance=CHOSEN, may_be_high=False
    )
    return Recalled(_with_level(extraction, field, Confidence.MID), _with_field(found.evidence, field, seen))


def _remembered(candidate: Candidate) -> Candidate:
    return msgspec.structs.replace(candidate, sources=(*candidate.sources, ReadBy.MEMORY))


def _with_recalled(seen: FieldEvidence, support: Sequence[StoredExample]) -> FieldEvidence:
    return msgspec.structs.replace(seen, earlier=tuple(str(each.invoice_id) for each in support))


def _with_field(evidence: Evidence, field: Field, seen: FieldEvidence) -> Evidence:
    return msgspec.structs.replace(evidence, fields=evidence.fields | {str(field): seen})


def _with_level(extraction: Extraction, field: Field, level: Confidence) -> Extraction:
    levels = (extraction.field_confidence or {}) | {field: level}
    return extraction.model_copy(update={"field_confidence": levels})


def _likelier(chance: float) -> float:
    kept = min(max(chance, 1e-6), 1 - 1e-6)
    return 1 / (1 + math.exp(-math.log(kept / (1 - kept)) - AGREES))


def _judged(found: Recalled) -> Recalled:
    """What follows for the invoice as a whole from the levels and chances of its fields."""
    levels = found.extraction.field_confidence or {}
    seen = [found.evidence.fields.get(field) for field in levels if field is not Field.LINE_ITEMS]
    chances = [each.chance for each in seen if each is not None and each.chance is not None]
    update: dict[str, Any] = {"auto_verified": all(levels.get(field) is Confidence.HIGH for field in VERIFIED_BY)}
    if chances:
        update["quality_score"] = round(sum(chances) / len(chances), 4)
    return replace(found, extraction=found.extraction.model_copy(update=update))
