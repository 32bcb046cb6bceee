"""Keystrokes and seconds that an invoice costs a reviewer, beside typing all of its header fields:
`python -m benchmarks.web.keystrokes [DOCUMENTS]`.

The documents are generated, of layout families that the models never saw, and read by the bundled models. The reviewer
decides what the screen says is in doubt, by keyboard alone, and knows the right value. Seconds are those of the
keystroke-level model (Card, Moran and Newell, 1983): 0.28 s a keystroke of an average typist, 1.35 s to look at a field
and decide; the answers of the service come on top.
"""

import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from models.evaluation.compare import is_absent, is_right
from models.pipeline import Pipeline
from models.training.generator.compose import HELD_OUT, draw
from models.training.generator.core.profile import Profile
from models.training.generator.families import FAMILIES
from models.training.sample import Sample
from serve_app.domain.evidence import Evidence, FieldEvidence, unpack
from serve_app.domain.invoice import Extraction, Field

KEYSTROKE = 0.28
LOOK = 1.35
CHORD = 2
"""Keystrokes of Alt+1, or Ctrl+Enter."""
OFFERED = 4
"""Readings that the screen offers."""
FIELDS: Mapping[Field, str] = {
    Field.VENDOR: "vendor_name",
    Field.INVOICE_NUMBER: "invoice_number",
    Field.ISSUED_AT: "issued_at",
    Field.DUE_AT: "due_at",
    Field.AMOUNT: "amount",
    Field.TAX: "tax",
    Field.CURRENCY: "currency",
}


@dataclass(slots=True)
class Work:
    """What one way of working costs: keystrokes, and looks at fields."""

    keys: int = 0
    looks: int = 0

    def add(self, keys: int) -> None:
        self.keys += keys
        self.looks += 1

    @property
    def seconds(self) -> float:
        return KEYSTROKE * self.keys + LOOK * self.looks


@dataclass(slots=True)
class Totals:
    documents: int = 0
    doubtful: int = 0
    offered: int = 0
    wrong_before: int = 0
    slipped: int = 0


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    pipeline = Pipeline()
    screen, typing, totals = Work(), Work(), Totals()
    for sample in samples(wanted):
        (section, *_) = pipeline.extract_document(sample.document)
        evidence = None if section.evidence is None else unpack(section.evidence)
        assert evidence is not None
        review(sample, section.extraction, evidence, screen, totals)
        type_all(sample, typing)
        totals.documents += 1
    report(screen, typing, totals)


def samples(count: int) -> Iterator[Sample]:
    """Invoices of the held-out families in turn, as worn as those of training."""
    for number, family in enumerate(islice(cycle(HELD_OUT), count)):
        yield draw(FAMILIES[family], random.Random(f"reviewer/{number}"), Profile.EXTRACTOR, noisy=True)  # noqa: S311


def review(sample: Sample, read: Extraction, seen: Evidence, work: Work, totals: Totals) -> None:
    """Decide what is in doubt, then confirm."""
    truth = truth_of(sample)
    for field, name in FIELDS.items():
        is_correct = is_right(name, truth, getattr(read, name))
        totals.wrong_before += not is_correct
        evidence = seen.fields.get(field, FieldEvidence())
        if evidence.doubt is None:
            totals.slipped += not is_correct
            continue
        totals.doubtful += 1
        offered = [each.value for each in evidence.candidates[:OFFERED]]
        is_offered = any(is_right(name, truth, value) for value in offered)
        totals.offered += is_correct or is_offered
        if is_correct:
            work.add(1)
        else:
            work.add(CHORD if is_offered or is_absent(truth[name]) else 1 + len(typed(truth[name])))
    work.add(CHORD)


def type_all(sample: Sample, work: Work) -> None:
    """Every field that is printed, a Tab after each, then confirm."""
    truth = truth_of(sample)
    for name in FIELDS.values():
        work.add(1 + len(typed(truth[name])))
    work.add(CHORD)


def typed(value: Any) -> str:
    """What a person types: days without century, as 170526 with two points."""
    text = "" if is_absent(value) else str(value)
    return f"{text[8:]}.{text[5:7]}.{text[2:4]}" if len(text) == 10 and text[4] == text[7] == "-" else text


def truth_of(sample: Sample) -> dict[str, Any]:
    found = sample.truth.model_dump(mode="python")
    values = {name: None if found[name] is None else str(found[name]) for name in FIELDS.values()}
    return {**values, "_vendor_alt": [sample.brand] if sample.brand else []}


def report(screen: Work, typing: Work, totals: Totals) -> None:
    count = totals.documents
    print(f"{count} documents, {totals.doubtful / count:.1f} fields of {len(FIELDS)} in doubt a document;")
    print(f"of these the right value is there or offered for {totals.offered / max(totals.doubtful, 1):.0%}")
    print(f"wrong fields: {totals.wrong_before} as read, {totals.slipped} of them not in doubt")
    print(f"{'':<12}{'keys':>8}{'looks':>8}{'seconds':>9}")
    for name, work in (("screen", screen), ("typing", typing)):
        print(f"{name:<12}{work.keys / count:>8.1f}{work.looks / count:>8.1f}{work.seconds / count:>9.1f}")


if __name__ == "__main__":
    main()
