"""`python -m models.evaluation.vendor_memory`: what the memory of vendors is worth, and what harm it does.

Vendors are generated: a layout family on which nothing was trained, one look and one party for all of a vendor's
invoices, other facts on each. Of its first invoices a person confirms so many, and corrects what is wrong; the others
are read with what these teach. With `--real` or `--data`, real documents of one vendor take their place: each is read
with what the others teach. Readings are kept in a folder, so that an interrupted run can be resumed.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from models.evaluation.compare import is_absent, is_right
from models.evaluation.known_documents import KnownDocument, labelled_vendors, of_sample, vendors_of_folder
from models.evaluation.observations import key_of
from models.evaluation.readings import ReadingCache
from models.evaluation.vendor_samples import samples_of_vendor
from serve_app.domain.clock import utc_now
from serve_app.domain.document import union
from serve_app.domain.evidence import Evidence
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Citation, Confidence, Extraction, Field, FileInfo, Invoice, Source, Status
from serve_app.domain.labels import Label
from serve_app.domain.memory import LAYOUT, StoredExample
from serve_app.domain.review import NO_REVIEW, Decision, as_read, overlaid
from serve_app.domain.review_fields import normal
from serve_app.domain.vendor import VendorDetails
from serve_app.extraction.extract import extract_with_evidence
from serve_app.extraction.memory.keys import keys_of_document
from serve_app.extraction.memory.learn import example_of
from serve_app.extraction.memory.recall import recall
from serve_app.reconciling.calibrations import load_calibration

CONFIRMED = (0, 1, 2, 5)
"""After so many confirmed invoices of a vendor it is measured."""
MOST_EXAMPLES = max(CONFIRMED)
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
    """An invoice whose values are known, and what both models make of it."""

    known: KnownDocument
    extraction: Extraction
    evidence: Evidence
    vendor: VendorDetails


@dataclass(slots=True)
class Count:
    """Values that are printed; those that are right, `high`, and both; those that memory made wrong, or right."""

    printed: int = 0
    right: int = 0
    high: int = 0
    right_high: int = 0
    harmed: int = 0
    repaired: int = 0


@dataclass(slots=True)
class Figures:
    """Counts for each number of confirmed invoices and each field."""

    counts: dict[tuple[int, Field], Count] = field(default_factory=dict)

    def add(self, confirmed: int, read: Read, found: Extraction) -> None:
        """Count what was found on an invoice after so many confirmations."""
        levels = found.field_confidence or {}
        for name in FIELDS:
            if is_absent(read.known.truth.get(key_of(name))):
                continue
            count = self.counts.setdefault((confirmed, name), Count())
            now, before = (_is_right(name, read.known, each) for each in (found, read.extraction))
            is_high = levels.get(name) is Confidence.HIGH
            count.printed += 1
            count.right += now
            count.high += is_high
            count.right_high += is_high and now
            count.harmed += before and not now
            count.repaired += now and not before

    def rows(self) -> Iterator[str]:
        """The table, as Markdown."""
        yield "| confirmed | right | `high` | right of `high` | made right | made wrong |"
        yield "| ---: | ---: | ---: | ---: | ---: | ---: |"
        for confirmed in CONFIRMED:
            yield self._row(str(confirmed), [self.counts.get((confirmed, name), Count()) for name in FIELDS])

    def fields(self) -> Iterator[str]:
        """The same for each field, before and after the most confirmations."""
        yield "| field | right before | after | `high` before | after |"
        yield "| --- | ---: | ---: | ---: | ---: |"
        for name in FIELDS:
            before, after = (self.counts.get((number, name), Count()) for number in (0, MOST_EXAMPLES))
            shares = (_share(each, of.printed) for of in (before, after) for each in (of.right, of.high))
            one, two, three, four = shares
            yield f"| {name} | {one} | {three} | {two} | {four} |"

    def _row(self, title: str, counts: Sequence[Count]) -> str:
        total = Counter({name: sum(getattr(each, name) for each in counts) for name in Count.__slots__})
        right_before = total["right"] - total["repaired"] + total["harmed"]
        cells = [
            _share(total["right"], total["printed"]),
            _share(total["high"], total["printed"]),
            _share(total["right_high"], total["high"]),
            str(total["repaired"]),
            f"{total['harmed']} ({_share(total['harmed'], right_before)})",
        ]
        return f"| {title} | {' | '.join(cells)} |"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%} ({part}/{whole})" if whole else "-"


def _is_right(name: Field, known: KnownDocument, found: Extraction) -> bool:
    return is_right(key_of(name), known.truth, getattr(found, key_of(name)))


def read(cache: ReadingCache, known: KnownDocument) -> Read:
    """What both models make of an invoice."""
    readings = cache.readings(known.document)
    return Read(known, *extract_with_evidence(known.document, *readings, load_calibration()))


def confirmed(one: Read) -> StoredExample | None:
    """What it teaches once a person has corrected what is wrong and confirmed the rest. Corrections point at the words
    where these are labelled, and are typed where not."""
    now = utc_now()
    decisions = {
        str(name): Decision(value=_stored(name, one.known), citation=_place(one.known, name), by="a person", at=now)
        for name in FIELDS
        if key_of(name) in one.known.truth and not _is_right(name, one.known, one.extraction)
    }
    file = FileInfo(name=None, mime_type=None, size_bytes=None)
    blank = Invoice(id=new_id(), source=Source.API, created_at=now, updated_at=now, file=file, status=Status.COMPLETE)
    values: dict[str, Any] = {name: getattr(one.extraction, name) for name in Extraction.model_fields}
    invoice, review = overlaid(as_read(blank.model_copy(update=values), NO_REVIEW), NO_REVIEW.changed(decisions))
    example = example_of(invoice, review, one.evidence, one.vendor)
    return None if example is None else StoredExample(invoice.id, example)


def _stored(name: Field, known: KnownDocument) -> Any:
    """The true value as a correction keeps it."""
    value = known.truth[key_of(name)]
    return None if is_absent(value) else normal(name, value)


def _place(known: KnownDocument, name: Field) -> Citation | None:
    """The first words that carry the field's label; None for a value that is not printed, or not labelled."""
    if is_absent(known.truth[key_of(name)]):
        return None
    for label in _LABELS.get(name, ()):
        for page, tags in zip(known.document.pages, known.tags, strict=bool(known.tags)):
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


def measure(
    cache: ReadingCache, vendors: Iterable[Sequence[KnownDocument]], *, each_in_turn: bool, alone: bool
) -> Figures:
    """Figures over vendors. The first `MOST_EXAMPLES` invoices of a vendor teach the others; or,
    `each_in_turn`, all others teach each. `alone`: nothing but the layout tells of whom an invoice is."""
    figures = Figures()
    for count, documents in enumerate(vendors, start=1):
        every = [read(cache, document) for document in documents]
        taught = [confirmed(each) for each in every]
        for place in range(0 if each_in_turn else MOST_EXAMPLES, len(every)):
            examples = [example for example in _others(taught, place, each_in_turn=each_in_turn) if example is not None]
            _add(figures, every[place], examples, alone=alone)
        sys.stderr.write(f"{count} vendors\n")
    return figures


def _others(
    taught: Sequence[StoredExample | None], place: int, *, each_in_turn: bool
) -> Sequence[StoredExample | None]:
    return [*taught[:place], *taught[place + 1 :]] if each_in_turn else taught[:MOST_EXAMPLES]


def _add(figures: Figures, one: Read, examples: Sequence[StoredExample], *, alone: bool) -> None:
    keys = keys_of_document(one.evidence)
    if alone:
        keys = tuple(key for key in keys if key.startswith(LAYOUT))
    for number in CONFIRMED:
        found = recall(one.extraction, one.evidence, keys, examples[:number])
        figures.add(number, one, found.extraction)


def main() -> None:
    """Measure, and print the tables."""
    arguments = _arguments()
    is_real = bool(arguments.real or arguments.data)
    figures = measure(
        ReadingCache(arguments.cache / "readings"),
        _vendors(arguments),
        each_in_turn=is_real,
        alone=arguments.layout_alone,
    )
    sys.stdout.write("\n".join([*figures.rows(), "", *figures.fields(), ""]))


def _vendors(arguments: argparse.Namespace) -> Iterable[Sequence[KnownDocument]]:
    if arguments.real:
        return labelled_vendors(arguments.real)
    if arguments.data:
        return vendors_of_folder(arguments.data, arguments.cache, versions=arguments.versions)
    samples = (samples_of_vendor(seed, arguments.invoices) for seed in range(arguments.vendors))
    return ([of_sample(sample) for sample in each] for each in samples)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m models.evaluation.vendor_memory", description=__doc__)
    parser.add_argument("--vendors", type=int, default=50)
    parser.add_argument("--invoices", type=int, default=20, help="of each vendor")
    real = parser.add_mutually_exclusive_group()
    real.add_argument("--real", type=Path, help="labelled documents instead (docs/how-to/train-models.md)")
    real.add_argument("--data", type=Path, help="a folder with docs/ and truth/ instead")
    parser.add_argument("--versions", action="store_true", help="with --data: several files of one invoice count, too")
    parser.add_argument("--layout-alone", action="store_true", help="as if no name or number identified the vendor")
    parser.add_argument("--cache", type=Path, default=Path("build/vendor_memory"), help="readings are kept here")
    return parser.parse_args()


if __name__ == "__main__":
    main()
