"""`python -m models.evaluation.vendor_memory`: what the memory of vendors is worth, and what harm it does.

Every vendor is generated: a layout family on which nothing was trained, one look and one party for all of its invoices,
other facts on each. Of its first invoices a person confirms so many, and corrects what is wrong; the others are read
with what these teach. Readings are kept in a folder, so that an interrupted run can be resumed.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from models.evaluation.readings import ReadingCache
from models.training.generator import HELD_OUT, Profile
from models.training.generator.compose import finish_pages
from models.training.generator.core.dress import draw_dress
from models.training.generator.core.finish import finish
from models.training.generator.core.pen import make_pen
from models.training.generator.facts.build import build_case
from models.training.generator.families import FAMILIES, Family
from models.training.sample import Sample
from serve_app.calibration_file import load_calibration
from serve_app.domain.clock import utc_now
from serve_app.domain.document import union
from serve_app.domain.evidence import Evidence
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Citation, Confidence, Extraction, Field, FileInfo, Invoice, Source, Status
from serve_app.domain.labels import Label
from serve_app.domain.memory import Taught
from serve_app.domain.review import NO_REVIEW, Decision, as_read, overlaid
from serve_app.domain.review_fields import value_of
from serve_app.domain.vendor import VendorDetails
from serve_app.extraction.evidence import gather
from serve_app.extraction.extract import extract_with_evidence
from serve_app.extraction.memory.keys import keys_of_document
from serve_app.extraction.memory.learn import lesson_of
from serve_app.extraction.memory.recall import recall
from serve_app.extraction.names import normal_name, normal_number
from serve_app.extraction.vendor_details import vendor_details

CONFIRMED = (0, 1, 2, 5)
"""After so many confirmed invoices of a vendor it is measured."""
LESSONS = max(CONFIRMED)
_LABELS = {
    Field.INVOICE_NUMBER: (Label.INVOICE_NUMBER,),
    Field.AMOUNT: (Label.TOTAL, Label.AMOUNT_DUE),
    Field.ISSUED_AT: (Label.ISSUE_DATE,),
    Field.DUE_AT: (Label.DUE_DATE,),
    Field.TAX: (Label.TAX,),
}
FIELDS = (Field.VENDOR, Field.INVOICE_NUMBER, Field.AMOUNT, Field.CURRENCY, Field.ISSUED_AT, Field.DUE_AT, Field.TAX)


@dataclass(frozen=True, slots=True)
class Read:
    """A generated invoice, and what both models make of it."""

    sample: Sample
    extraction: Extraction
    evidence: Evidence
    known: VendorDetails


@dataclass(slots=True)
class Count:
    """Values that are printed; those that are right, `high`, and both; those that memory made wrong, or right."""

    printed: int = 0
    right: int = 0
    high: int = 0
    right_high: int = 0
    harmed: int = 0
    mended: int = 0


@dataclass(slots=True)
class Figures:
    """Counts for each number of confirmed invoices and each field."""

    counts: dict[tuple[int, Field], Count] = field(default_factory=dict)

    def add(self, confirmed: int, read: Read, found: Extraction) -> None:
        """Count what was found on an invoice after so many confirmations."""
        levels = found.field_confidence or {}
        for name in FIELDS:
            if (truth := value_of(read.sample.truth, name)) is None:
                continue
            count = self.counts.setdefault((confirmed, name), Count())
            is_right, was_right = is_same(name, found, truth), is_same(name, read.extraction, truth)
            is_high = levels.get(name) is Confidence.HIGH
            count.printed += 1
            count.right += is_right
            count.high += is_high
            count.right_high += is_high and is_right
            count.harmed += was_right and not is_right
            count.mended += is_right and not was_right

    def rows(self) -> Iterator[str]:
        """The table, as Markdown."""
        yield "| confirmed | right | `high` | right of `high` | made right | made wrong |"
        yield "| ---: | ---: | ---: | ---: | ---: | ---: |"
        for confirmed in CONFIRMED:
            yield self._row(str(confirmed), [self.counts[confirmed, name] for name in FIELDS])

    def fields(self) -> Iterator[str]:
        """The same for each field, before and after the most confirmations."""
        yield "| field | right before | after | `high` before | after |"
        yield "| --- | ---: | ---: | ---: | ---: |"
        for name in FIELDS:
            before, after = self.counts[0, name], self.counts[LESSONS, name]
            shares = (_share(each, of.printed) for of in (before, after) for each in (of.right, of.high))
            one, two, three, four = shares
            yield f"| {name} | {one} | {three} | {two} | {four} |"

    def _row(self, title: str, counts: Sequence[Count]) -> str:
        total = Counter({name: sum(getattr(each, name) for each in counts) for name in Count.__slots__})
        right_before = total["right"] - total["mended"] + total["harmed"]
        cells = [
            _share(total["right"], total["printed"]),
            _share(total["high"], total["printed"]),
            _share(total["right_high"], total["high"]),
            str(total["mended"]),
            f"{total['harmed']} ({_share(total['harmed'], right_before)})",
        ]
        return f"| {title} | {' | '.join(cells)} |"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%} ({part}/{whole})" if whole else "-"


def is_same(name: Field, found: Extraction, truth: str) -> bool:
    """Whether the value that was found is the true one."""
    value = value_of(found, name)
    if value is None:
        return False
    if name is Field.VENDOR:
        return normal_name(value) == normal_name(truth)
    if name is Field.INVOICE_NUMBER:
        return normal_number(value) == normal_number(truth)
    return float(value) == float(truth) if name in (Field.AMOUNT, Field.TAX) else bool(value == truth)


def samples_of_vendor(seed: int, count: int) -> Iterator[Sample]:
    """Invoices of one vendor, in one look, with other facts on each."""
    names = [name for name in HELD_OUT if FAMILIES[name].is_invoice and not FAMILIES[name].brief.cash]
    family = FAMILIES[Random(f"family/{seed}").choice(names)]  # noqa: S311 - no secret
    for number in range(count):
        yield _sample(family, seed, number)


def _sample(family: Family, seed: int, number: int) -> Sample:
    profile = Profile.EXTRACTOR
    brief = replace(family.brief, credit_share=0.0)
    vendor, facts_of, finishing = (
        Random(name)  # noqa: S311 - no secret
        for name in (f"vendor/{seed}", f"facts/{seed}/{number}", f"finish/{seed}/{number}")
    )
    first = build_case(vendor, profile, brief)
    facts = build_case(facts_of, profile, replace(brief, countries=(first.country.code,)))
    case = replace(
        facts,
        language=first.language,
        currency=first.currency,
        seller=first.seller,
        buyer=first.buyer,
        number=_next_number(first.number, number),
    )
    look = Random(f"look/{seed}")  # noqa: S311 - no secret
    pen = make_pen(look, case, profile)
    pen.is_invoice, pen.scanned = True, False
    pen.canvas.dress = draw_dress(look, till=False)
    family.draw(pen)
    finish_pages(pen)
    return finish(pen, finishing, family.name, noisy=False)


def _next_number(first: str, count: int) -> str:
    """The vendor's number after so many others: its last digits count up."""
    digits = re.findall(r"\d+", first)
    if not digits:
        return f"{first}{count + 1}"
    start = first.rindex(digits[-1])
    counted = str(int(digits[-1]) + 3 * count).zfill(len(digits[-1]))
    return first[:start] + counted + first[start + len(digits[-1]) :]


def read(cache: ReadingCache, sample: Sample) -> Read:
    """What both models make of an invoice."""
    readings = cache.readings(sample.document)
    extraction, evidence = extract_with_evidence(sample.document, *readings, load_calibration())
    name = extraction.vendor_name
    known = vendor_details(gather(sample.document, *readings), name) if name else VendorDetails()
    return Read(sample, extraction, evidence, known)


def confirmed(one: Read) -> Taught | None:
    """What it teaches once a person has corrected what is wrong, by clicking on the words, and confirmed the rest."""
    now = utc_now()
    decisions = {}
    for name in FIELDS:
        truth = value_of(one.sample.truth, name)
        if truth is None and value_of(one.extraction, name) is None:
            continue
        if truth is None or not is_same(name, one.extraction, truth):
            place = _place(one.sample, name) if truth is not None else None
            decisions[str(name)] = Decision(value=truth, citation=place, by="a person", at=now)
    file = FileInfo(name=None, mime_type=None, size_bytes=None)
    blank = Invoice(id=new_id(), source=Source.API, created_at=now, updated_at=now, file=file, status=Status.COMPLETE)
    values: dict[str, Any] = {name: getattr(one.extraction, name) for name in Extraction.model_fields}
    invoice, review = overlaid(as_read(blank.model_copy(update=values), NO_REVIEW), NO_REVIEW.changed(decisions))
    lesson = lesson_of(invoice, review, one.evidence, one.known)
    return None if lesson is None else Taught(invoice.id, lesson)


def _place(sample: Sample, name: Field) -> Citation | None:
    """The first words that carry the field's label."""
    for label in _LABELS.get(name, ()):
        for page, tags in zip(sample.document.pages, sample.tags, strict=True):
            words = list(_first_span(tags, label))
            if words:
                box = union(page.words[index].box for index in words)
                text = " ".join(page.words[index].text for index in words)
                return Citation(page=page.number, box=(box.x0, box.y0, box.x1, box.y1), text=text)
    return None


def _first_span(tags: Sequence[str], label: Label) -> Iterator[int]:
    start = next((index for index, tag in enumerate(tags) if tag == f"B-{label}"), None)
    if start is None:
        return
    yield start
    for index in range(start + 1, len(tags)):
        if tags[index] != f"I-{label}":
            return
        yield index


def measure(cache: ReadingCache, vendors: int, invoices: int) -> Figures:
    """Figures over generated vendors, each with so many invoices of which the first `LESSONS` teach."""
    figures = Figures()
    for seed in range(vendors):
        every = [read(cache, sample) for sample in samples_of_vendor(seed, invoices)]
        taught = [lesson for one in every[:LESSONS] if (lesson := confirmed(one)) is not None]
        for one in every[LESSONS:]:
            keys = keys_of_document(one.evidence)
            for number in CONFIRMED:
                found = recall(one.extraction, one.evidence, keys, taught[:number])
                figures.add(number, one, found.extraction)
        sys.stderr.write(f"{seed + 1} of {vendors} vendors\n")
    return figures


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluation.vendor_memory", description=__doc__)
    parser.add_argument("--vendors", type=int, default=50)
    parser.add_argument("--invoices", type=int, default=20, help="of each vendor")
    parser.add_argument("--cache", type=Path, default=Path("build/vendor_memory"))
    arguments = parser.parse_args()
    figures = measure(ReadingCache(arguments.cache), arguments.vendors, arguments.invoices)
    sys.stdout.write("\n".join([*figures.rows(), "", *figures.fields(), ""]))


if __name__ == "__main__":
    main()
