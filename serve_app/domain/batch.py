"""Files that contain several invoices: each invoice becomes a separate record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from serve_app.domain.invoice import Batch, Extraction
from serve_app.domain.memory import Keys
from serve_app.domain.model_pairs import FIRST
from serve_app.domain.pace import Stage
from serve_app.domain.record import InvoiceRecord, completed
from serve_app.domain.usage import NOTHING_SPENT, ComputeTime, usages
from serve_app.domain.vendor import NOTHING_KNOWN, VendorDetails


@dataclass(frozen=True, slots=True)
class Section:
    """One invoice of a file: what was read on its pages (1-based, inclusive), and what they say about the issuer
    besides the name. `evidence` is packed where it is made (`serve_app.domain.evidence`): whoever passes it on never
    decodes it. `keys` are what its vendor could be known by. `agreed` are the fields on whose value both models
    agree. Of its pages, `ocr_pages` were read by OCR."""

    first_page: int
    last_page: int
    extraction: Extraction
    vendor: VendorDetails = NOTHING_KNOWN
    evidence: bytes | None = None
    keys: Keys = ()
    agreed: frozenset[str] = frozenset()
    ocr_pages: int = 0


class Reconciled(NamedTuple):
    """The invoices of a document, at least one, and for how many seconds a worker was busy, of which `cpu_seconds` were
    processor time; 0 if not measured."""

    sections: Sequence[Section]
    seconds: float = 0.0
    cpu_seconds: float = 0.0


class Interpreted(NamedTuple):
    """The invoices of a document, at least one. `busy` is how many seconds workers were busy with it, 0 if nobody
    measured; `took` is where the time went, in seconds by the name of the step; `pair` the pair of models that read.
    `spent` is what all of it took."""

    sections: Sequence[Section]
    busy: Mapping[Stage, float]
    took: Mapping[str, float]
    pair: str = FIRST
    spent: ComputeTime = NOTHING_SPENT


def with_usage(sections: Sequence[Section], spent: ComputeTime) -> list[Section]:
    """The invoices of a file with what each of them took, by its pages."""
    pages = [section.last_page - section.first_page + 1 for section in sections]
    used = usages(pages, [section.ocr_pages for section in sections], spent)
    return [
        replace(section, extraction=section.extraction.model_copy(update={"usage": usage}))
        for section, usage in zip(sections, used, strict=True)
    ]


def sibling_id(first: UUID, index: int) -> UUID:
    """The id of an invoice in a file, given `first`, the id of the invoice with index 1.

    It is the same for every run over the file, so a repeated run creates no second sibling. Siblings are neighbours in
    id order, which is the order of creation.
    """
    return UUID(int=first.int + index - 1)


def records_of(
    claim: InvoiceRecord, sections: Sequence[Section], now: datetime, evidence_keys: Sequence[str | None] = ()
) -> tuple[Extraction, list[InvoiceRecord]]:
    """The result of the claimed invoice, which is the first of its file, and the finished records of the others, with
    the keys of their evidence (one for each section, if it was kept).

    A single invoice keeps its place: none, or its own in the file that it was split from. Raises ValueError if there
    is no section.
    """
    if not sections:
        raise ValueError("a run reads at least one section")
    first, *others = [_placed(claim, sections, index) for index in range(1, len(sections) + 1)]
    keys = [*evidence_keys, *[None] * len(sections)]
    rest = zip(others, sections[1:], keys[1:], strict=False)
    return first, [
        replace(_sibling(claim, n, extraction, section.vendor, now), evidence_key=key)
        for n, (extraction, section, key) in enumerate(rest, 2)
    ]


def _placed(claim: InvoiceRecord, sections: Sequence[Section], index: int) -> Extraction:
    section = sections[index - 1]
    if len(sections) == 1:
        return section.extraction.model_copy(update={"batch": claim.invoice.batch})
    batch = Batch(
        id=claim.invoice.id,
        index=index,
        count=len(sections),
        first_page=section.first_page,
        last_page=section.last_page,
    )
    return section.extraction.model_copy(update={"batch": batch})


def _sibling(
    claim: InvoiceRecord, index: int, extraction: Extraction, details: VendorDetails, now: datetime
) -> InvoiceRecord:
    """The record of a further invoice: it shares the file of the first, and is finished from the start."""
    invoice = claim.invoice.model_copy(update={"id": sibling_id(claim.invoice.id, index)})
    return InvoiceRecord(
        completed(invoice, extraction, now),
        claim.account_id,
        claim.file_key,
        next_run_at=None,
        details=details,
        trace=claim.trace,
    )
