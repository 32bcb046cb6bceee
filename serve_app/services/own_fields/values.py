"""What people say that own fields of an invoice are."""

from dataclasses import dataclass, replace
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.errors import InvalidParameter, InvoiceNotFound
from serve_app.domain.evidence import Evidence
from serve_app.domain.invoice import Citation, Invoice
from serve_app.domain.own_field import OwnField, OwnFieldScope
from serve_app.domain.own_values import own_field_name
from serve_app.domain.record import InvoiceRecord
from serve_app.services.own_fields.definitions import OwnFieldService
from serve_app.services.review.change import FieldChange, ReviewChange
from serve_app.services.review.evidence import evidence_of
from serve_app.services.review.service import ReviewService
from serve_app.store.base import Files, Invoices
from serve_app.system.thread_pools import COMPUTING


@dataclass(frozen=True, slots=True)
class NewValue:
    """A value as somebody enters it; None: not printed. `reads_page`: it is what is printed at the citation. `line`
    (from 1) is the line that it is of; None: the whole invoice."""

    value: str | None
    citation: Citation | None = None
    reads_page: bool = False
    line: int | None = None


class OwnFieldValues:
    """Confirms and corrects values. Every method raises OwnFieldNotFound, InvoiceNotFound, NotComplete, and
    ReviewChanged if somebody changes the review at the same moment."""

    def __init__(self, fields: OwnFieldService, invoices: Invoices, files: Files, reviews: ReviewService) -> None:
        self._fields = fields
        self._invoices = invoices
        self._files = files
        self._reviews = reviews

    async def decide(self, account_id: UUID, invoice_id: UUID, name: str, new: NewValue, actor: Actor) -> Invoice:
        """The invoice with this value of the field. Raises InvalidParameter for a value that the field cannot have."""
        record = await self._record(account_id, invoice_id)
        field = await self._fields.get(account_id, name)
        if (new.line is not None) != (field.scope is OwnFieldScope.LINE):
            raise InvalidParameter(f"line: needed for a field of the scope `line`, and only for it: {name}.", "line")
        if new.reads_page and new.citation is not None:
            value, place = await self._read(record, field, new.citation)
            new = replace(new, value=value, citation=place)
        change = ReviewChange({own_field_name(name, new.line): FieldChange(new.value, new.citation)})
        await self._reviews.change(account_id, invoice_id, record.review_revision, change, actor)
        return (await self._record(account_id, invoice_id)).invoice

    async def _read(self, record: InvoiceRecord, field: OwnField, place: Citation) -> tuple[str, Citation]:
        """The value that is printed there, and its place."""
        evidence = await evidence_of(self._files, record)
        found = await COMPUTING.run(_printed_in, evidence, field, place)
        if found is None:
            raise InvalidParameter(f"citation: no {field.type} is printed there; send `value`.", "citation")
        return found

    async def _record(self, account_id: UUID, invoice_id: UUID) -> InvoiceRecord:
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        return record


def _printed_in(evidence: Evidence, field: OwnField, place: Citation) -> tuple[str, Citation] | None:
    # With the patterns of dates in all languages: tens of megabytes that are not needed before somebody points.
    from serve_app.extraction.own_fields.learn import value_in

    return value_in(evidence, field, place)
