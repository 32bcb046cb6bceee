"""An invoice with what only the service knows about it, and the state changes that a run makes."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from serve_app.domain.invoice import Batch, Extraction, Failure, Invoice, Status
from serve_app.domain.load import UNKNOWN, Load
from serve_app.domain.provenance import with_sources
from serve_app.domain.review import NO_REVIEW, Review
from serve_app.domain.vendor import NOTHING_KNOWN, VendorDetails
from serve_app.domain.work import Lease


class Release(StrEnum):
    """Why a run gives its claim back without a result."""

    HANDED_BACK = "handed_back"
    """The worker is stopping on purpose: counts for nothing."""
    OUT_OF_REACH = "out_of_reach"
    """A reader or model stayed out of reach: counts as a release."""
    CRASHED = "crashed"
    """The run broke unexpectedly: counts as a lost claim."""


@dataclass(frozen=True, slots=True)
class InvoiceRecord:
    """One row of the store, which is also the queue.

    `next_run_at` is when the row may be claimed: when it is due while queued, when its lease runs out while
    processing, None once finished or while it waits for a slot of its account. `attempt` is the fencing token: it
    grows with every claim, every write of a run carries it, and the store ignores a write with an old token.
    `lost_claims` counts runs whose worker died or broke, `releases` those given back because a worker they need
    stayed out of reach. `runs` counts the runs that were requested: 1, and one more for every re-extraction.
    `details` is what the last run read about the vendor besides the name. `review` is what people said, which is in
    the invoice already; `evidence_key` names the file with what the last run saw, if that was kept.
    `lease` is of whoever has its review open, perhaps for no longer; `assignee` is the person whose work it is.
    `drawn` is set if it was verified automatically and is looked at all the same: the share of such invoices that are
    drawn. `load` is what its bytes let expect; `queued_at` is when its latest run was requested, `trace` the
    place in a trace where that was; None if it is not traced. `sha256` is of the file as it came in, in hexadecimal;
    None for an invoice that was split off a file, or that came before hashes were kept. `pair` is the pair of models
    that the run has chosen; None if it has not yet. `document_gone_at` is when the document was removed before the
    values; None while it is there. `change_ids` are the latest changes with an idempotency key.
    """

    invoice: Invoice
    account_id: UUID
    file_key: str
    next_run_at: datetime | None
    attempt: int = 0
    lost_claims: int = 0
    releases: int = 0
    runs: int = 1
    details: VendorDetails = NOTHING_KNOWN
    review: Review = NO_REVIEW
    evidence_key: str | None = None
    lease: Lease | None = None
    assignee: UUID | None = None
    drawn: float | None = None
    load: Load = UNKNOWN
    queued_at: datetime | None = None
    sha256: str | None = None
    trace: str | None = None
    pair: str | None = None
    document_gone_at: datetime | None = None
    change_ids: tuple[UUID, ...] = ()

    @property
    def review_revision(self) -> int:
        """Grows with every change of the review and with every new reading: what was seen of an old reading is not
        saved over a new one."""
        return self.review.revision + self.runs - 1


@dataclass(frozen=True, slots=True)
class Amendment:
    """What an account changes in an invoice. `paid` and `batch` None leave it as it is; `entity_tag` counts only with
    `sets_tag`, and None clears the tag."""

    paid: bool | None = None
    sets_tag: bool = False
    entity_tag: str | None = None
    batch: Batch | None = None


def new_record(
    invoice: Invoice, account_id: UUID, load: Load = UNKNOWN, sha256: str | None = None, trace: str | None = None
) -> InvoiceRecord:
    """The record of an invoice that was just accepted: due at once."""
    key, now = file_key_of(account_id, invoice.id), invoice.created_at
    return InvoiceRecord(invoice, account_id, key, now, load=load, queued_at=now, sha256=sha256, trace=trace)


def file_key_of(account_id: UUID, first: UUID) -> str:
    """Where a file is kept; `first` is the invoice that it came in as, whose id is also that of its batch."""
    return f"{account_id}/{first}"


def first_of(file_key: str) -> UUID:
    """The invoice that the file came in as, as its key names it."""
    return UUID(file_key.rpartition("/")[2])


def account_of(file_key: str) -> str:
    """The account whose file it is, as the key names it."""
    return file_key.partition("/")[0]


def pictures_key_of(file_key: str) -> str:
    """The folder with the pictures of a file's pages that people have looked at."""
    return f"{file_key}-pictures"


def document_of_picture(key: str) -> str | None:
    """The key of the document whose page the picture shows; None for the key of anything else."""
    document, is_picture, _ = key.partition("-pictures/")
    return document if is_picture else None


DEPLOYMENT = "deployment"
"""The file with the id of the deployment that the file store belongs to. No account has this name."""

PAGES = "pages"
"""The folder of the files with the words of pages. No account has this name."""


def pages_key_of(account_id: UUID, invoice_id: UUID) -> str:
    """Where the words of an invoice's pages are kept while a run is in progress."""
    return f"{PAGES}/{account_id}/{invoice_id}"


def ids_of_pages(key: str) -> tuple[UUID, UUID]:
    """The account and the invoice of a key that `pages_key_of` made. Raises ValueError for any other key."""
    _, account, invoice = key.split("/")
    return UUID(account), UUID(invoice)


CUTS = "cuts"
"""The folder of the plans by which files are being cut. No account has this name."""


def cuts_folder_of(file_key: str) -> str:
    """Where the plan is kept by which a file is being cut."""
    return f"{CUTS}/{file_key}"


EVIDENCE = "evidence"
"""The folder of the files with what runs saw. No account has this name."""


def evidence_folder_of(account_id: UUID, invoice_id: UUID) -> str:
    """Where what the runs of an invoice saw is kept: one file, and for a moment that of the run before."""
    return f"{EVIDENCE}/{account_id}/{invoice_id}"


def evidence_key_of(account_id: UUID, invoice_id: UUID, attempt: int) -> str:
    """The file of one attempt: a run that has lost its claim never overwrites that of another."""
    return f"{evidence_folder_of(account_id, invoice_id)}/{attempt}"


def completed(invoice: Invoice, extraction: Extraction, now: datetime) -> Invoice:
    """The completed invoice, with everything that its run read."""
    values = {name: getattr(extraction, name) for name in Extraction.model_fields}
    done = {"status": Status.COMPLETE, "updated_at": now, "failure": None}
    return with_sources(invoice.model_copy(update=values | done))


def failed(invoice: Invoice, failure: Failure, now: datetime) -> Invoice:
    """The invoice after a run that ended without a result."""
    return invoice.model_copy(update={"status": Status.FAILED, "updated_at": now, "failure": failure})


def queued_again(invoice: Invoice, now: datetime) -> Invoice:
    """The finished invoice once its document is to be read again; what was read stays until the new result."""
    return invoice.model_copy(
        update={"status": Status.QUEUED, "updated_at": now, "failure": None, "duplicate_of": None}
    )
