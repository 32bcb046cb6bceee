"""Finds the values of own fields of what was read."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID

from serve_app.domain.batch import Section, sibling_id
from serve_app.domain.confidence import Confidence
from serve_app.domain.errors import ServiceError
from serve_app.domain.evidence import Evidence, unpack
from serve_app.domain.guarantee import Candidate
from serve_app.domain.invoice import CustomValue, Field
from serve_app.domain.memory import Keys
from serve_app.domain.own_field import OwnField, OwnFieldScope
from serve_app.domain.own_field_example import MOST_OWN_FIELD_EXAMPLES, FieldTrial, OwnFieldExample
from serve_app.domain.proof import Proof, proof_of
from serve_app.domain.target_precision import TargetPrecision
from serve_app.services.tasks.learned import LearnedByAccount
from serve_app.store.base import OwnFieldExamples, OwnFields
from serve_app.system.thread_pools import COMPUTING

if TYPE_CHECKING:
    from serve_app.extraction.own_fields.find import FoundValue

log = logging.getLogger(__name__)

Found = dict[str, CustomValue]


@dataclass(frozen=True, slots=True)
class _Learned:
    """What people said about an account's own fields, the newest first, and what that proves of each."""

    examples: Sequence[OwnFieldExample]
    proofs: Mapping[str, Proof]


class OwnFieldFinder:
    """Adds `custom` to invoices before they are saved."""

    def __init__(self, fields: OwnFields, examples: OwnFieldExamples) -> None:
        self._fields = fields
        self._examples = examples
        self._learned: LearnedByAccount[tuple[()], _Learned] = LearnedByAccount(
            "own fields", examples.state, self._learn
        )

    async def apply(self, account_id: UUID, first_id: UUID, sections: Sequence[Section]) -> list[Section]:
        """The invoices of a document with what was found; the first one's id is `first_id`. While the store is out of
        reach they have none: the result is worth more."""
        try:
            fields = await self._fields.of_account(account_id)
            if not fields:
                return list(sections)
            learned = await self._learned.model(account_id, ())
        except ServiceError as error:
            log.warning("no own fields found: %r", error)
            return list(sections)
        numbered = enumerate(sections, 1)
        return [
            await COMPUTING.run(_with_fields, section, sibling_id(first_id, number), fields, learned)
            for number, section in numbered
        ]

    async def renewed(
        self, account_id: UUID, invoice_id: UUID, fields: Sequence[OwnField], evidence: Evidence
    ) -> Found:
        """What is found on the pages of an invoice that was read before, by all decisions until now."""
        if not fields or not evidence.pages:
            return {}
        learned = await self._learned.model(account_id, (), waits=True)
        return await COMPUTING.run(_found_again, evidence, invoice_id, fields, learned)

    async def proofs(self, account_id: UUID) -> Mapping[str, Proof]:
        """What the account's decisions prove about each field that was found before."""
        return (await self._learned.model(account_id, (), waits=True)).proofs

    async def idle(self) -> None:
        """Returns once nothing is learned any more."""
        await self._learned.idle()

    async def _learn(self, account_id: UUID, _: tuple[()]) -> _Learned:
        examples = await self._examples.newest(account_id, MOST_OWN_FIELD_EXAMPLES)
        return _Learned(examples, proofs_of(examples))


def proofs_of(
    examples: Sequence[OwnFieldExample], target: TargetPrecision = TargetPrecision.STANDARD
) -> dict[str, Proof]:
    """What the examples, the newest first, prove about each field. The lines of an invoice count as one together:
    what is wrong on one of them is mostly wrong on all."""
    tried: dict[str, list[list[Candidate]]] = {}
    for example in examples:
        for name, trials in _by_field(example.trials).items():
            candidates = [Candidate(trial.score, trial.is_right, 1 / len(trials)) for trial in trials]
            tried.setdefault(name, []).append(candidates)
    return {name: proof_of(invoices, target.allowed_wrong) for name, invoices in tried.items()}


def _by_field(trials: Sequence[FieldTrial]) -> Mapping[str, Sequence[FieldTrial]]:
    found: dict[str, list[FieldTrial]] = {}
    for trial in trials:
        found.setdefault(trial.field, []).append(trial)
    return found


def _with_fields(section: Section, invoice_id: UUID, fields: Sequence[OwnField], learned: _Learned) -> Section:
    header = [field for field in fields if field.scope is OwnFieldScope.HEADER]
    of_lines = [field for field in fields if field.scope is OwnFieldScope.LINE]
    extraction = section.extraction
    found: Found = {}
    on_lines: Sequence[Found] = [{} for _ in extraction.line_items]
    try:
        evidence = None if section.evidence is None else unpack(section.evidence)
        if evidence is not None:
            found = _found(evidence, section.keys, invoice_id, header, learned)
            on_lines = _found_on_lines(evidence, section, invoice_id, of_lines, learned)
    except Exception:
        # What was read is worth more than own fields.
        log.exception("no own fields found")
    lines = [
        item.model_copy(update={"custom": _all_of(of_lines, each)})
        for item, each in zip(extraction.line_items, on_lines, strict=True)
    ]
    update = {"custom": _all_of(header, found), "line_items": lines}
    return replace(section, extraction=extraction.model_copy(update=update))


def _all_of(fields: Sequence[OwnField], found: Found) -> Found:
    return {field.name: _required(field, found.get(field.name)) for field in fields}


def _required(field: OwnField, value: CustomValue | None) -> CustomValue:
    return (value or CustomValue()).model_copy(update={"required": field.required})


def _found_again(evidence: Evidence, invoice_id: UUID, fields: Sequence[OwnField], learned: _Learned) -> Found:
    from serve_app.extraction.memory.keys import keys_of_document

    try:
        return _found(evidence, keys_of_document(evidence), invoice_id, fields, learned)
    except Exception:
        # The review is worth more than what could be found now.
        log.exception("no own fields found")
        return {}


def _found(evidence: Evidence, keys: Keys, invoice_id: UUID, fields: Sequence[OwnField], learned: _Learned) -> Found:
    # With the patterns of dates in all languages: tens of megabytes that accounts without own fields never need.
    from serve_app.extraction.own_fields.find import find_own_fields

    found = find_own_fields(fields, evidence, keys, learned.examples, invoice_id)
    return {name: _value(name, each, learned.proofs) for name, each in found.items()}


def _found_on_lines(
    evidence: Evidence, section: Section, invoice_id: UUID, fields: Sequence[OwnField], learned: _Learned
) -> Sequence[Found]:
    """What is found on each line."""
    from serve_app.extraction.own_fields.find_lines import find_on_lines

    items = section.extraction.line_items
    places = (section.extraction.citations or {}).get(Field.LINE_ITEMS)
    if not fields or not isinstance(places, list) or len(places) != len(items):
        return [{} for _ in items]
    found = find_on_lines(fields, evidence, section.keys, learned.examples, items, places, invoice_id)
    return [
        {name: _value(name, each, learned.proofs) for name, rows in found.items() if (each := rows[line])}
        for line in range(len(items))
    ]


def _value(name: str, found: "FoundValue", proofs: Mapping[str, Proof]) -> CustomValue:
    return CustomValue(
        value=found.value,
        confidence=_level(name, found.score, proofs, is_agreed=found.is_agreed),
        score=found.score,
        reason=found.reason,
        citation=found.citation,
    )


def _level(name: str, score: float, proofs: Mapping[str, Proof], *, is_agreed: bool) -> Confidence:
    if not is_agreed:
        return Confidence.LOW
    return Confidence.HIGH if name in proofs and score >= proofs[name].high_from else Confidence.MID
