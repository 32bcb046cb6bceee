"""Answers about invoices. Written by `python -m scripts.clients` from the OpenAPI document."""

from datetime import date, datetime
from decimal import Decimal

from invoices_client.models.base import Model
from invoices_client.models.enums import (
    ApprovalStatus,
    CheckKind,
    CheckSeverity,
    CodeKind,
    CodingStatus,
    Confidence,
    DocumentType,
    EInvoiceField,
    FailureCode,
    FieldSource,
    FindingSeverity,
    OrderFindingKind,
    OrderFoundBy,
    OrderMatchStatus,
    ReviewStatus,
    Source,
    Status,
)


class Citation(Model):
    """Where a value is printed: `page` is 1-based, `box` is x0, y0, x1, y1 in fractions of the page, top left first."""

    page: int
    """The page, from 1."""
    box: list[float] = []
    """`x0`, `y0`, `x1`, `y1` as fractions of the page, from its top left corner."""
    text: str
    """The printed text, or the value that it means."""


class CustomValue(Model):
    """The value of an own field: an exact decimal, an ISO 8601 date, a choice or the printed text; null if it was
    not found. `confidence` and `score` are of the value that was found, whatever the invoice says now: `high`, at
    least 99 % of such values were right among the account's own decisions; `mid`, two ways of finding it agree;
    `low`, only one found it. `reason` is a sentence for people. `source` is `models` for a value that was found.
    """

    value: str | None = None
    """An exact decimal, an ISO 8601 date, a choice or the printed text; null if it was not found."""
    confidence: Confidence | None = None
    """Of the value that was found: `mid` if two ways of finding it agree, `high` once such values proved right."""
    score: float | None = None
    """The estimated probability that the found value is right; null if none was found."""
    reason: str | None = None
    """How the value was found."""
    required: bool
    """Whether an invoice without a sure value needs a person."""
    source: FieldSource | None = None
    """`models` if the service found the value, `person` if somebody entered it."""
    citation: Citation | None = None
    """Where the value is printed; null if that is unknown."""


class LineItem(Model):
    description: str | None = None
    """The text of the line."""
    quantity: Decimal | None = None
    """How many."""
    unit_price: Decimal | None = None
    """The price of one."""
    confidence: Confidence | None = None
    """How reliable the extracted value is."""
    total: Decimal | None = None
    """The total of the line."""
    tax_rate: Decimal | None = None
    """In percent."""
    custom: dict[str, CustomValue] = {}
    """The account's own fields of lines, by their names."""


class Batch(Model):
    """An invoice's place in the file that it came in with others. Indices and pages are 1-based; both pages belong
    to it. `id` is the same for all invoices of the file.
    """

    id: str
    """The id."""
    index: int
    """Which of the invoices in the file it is, from 1."""
    count: int
    """How many invoices the file contains."""
    first_page: int
    """The first page of the file that belongs to it, from 1."""
    last_page: int
    """The last page of the file that belongs to it, from 1."""


class EInvoiceDifference(Model):
    """A value of the electronic invoice that the page contradicts; `page` is what the page says instead, or null if
    that could not be determined. Amounts are plain decimals, dates ISO 8601.
    """

    field: EInvoiceField
    """The field."""
    einvoice: str
    """The value in the electronic invoice."""
    page: str | None = None
    """The value on the page; null if it could not be determined."""


class EInvoiceFinding(Model):
    """A published rule that the electronic invoice breaks. `text` is what the rule requires, in its publisher's
    words; `place` is the path of the element.
    """

    rule: str
    """The publisher's name of the rule; `XSD` for the schema, `PROFILE` for the elements of a Factur-X level."""
    severity: FindingSeverity
    """`error`: it is not valid. `warning`: it should be changed."""
    text: str
    """What the rule requires, in its publisher's words."""
    place: str | None = None
    """The path of the element."""


class EInvoiceValidation(Model):
    """What published rules say of the electronic invoice. `profile` is what it says it follows (BT-24). `valid` is
    null if nothing was checked; `not_checked` names rules of the profile that are not available.
    """

    profile: str | None = None
    """The specification that it says it follows (BT-24)."""
    valid: bool | None = None
    """Whether it keeps all rules that were checked; null if none were."""
    checked_by: list[str] = []
    """The schema and the rules that it was checked with."""
    not_checked: list[str] = []
    """Rules of its specification that are not available here."""
    findings: list[EInvoiceFinding] = []
    """Rules that it breaks, at most 100."""


class EInvoiceCheck(Model):
    """Whether the electronic invoice of the file says the same as its page. Values are taken from it only if it is
    the file itself (XML): then its page is made from it and matches.
    """

    profile: str
    """The profile of the electronic invoice."""
    matches_page: bool
    """Whether it has the same values as the page."""
    differences: list[EInvoiceDifference] = []
    """Values in which the electronic invoice and the page differ."""
    validation: EInvoiceValidation | None = None
    """What published rules say of it; null if it was not checked."""


class CodeValues(Model):
    """What a code says of the invoice; null or empty if it does not. `amount` is what is to be paid, if the code
    orders a payment. `tax_ids` are those of the parties, `reference` is the payment's or the tax office's.
    """

    vendor_name: str | None = None
    """The issuer of the invoice; null if it was not found."""
    invoice_number: str | None = None
    """The number as it is printed; null if it was not found."""
    amount: Decimal | None = None
    """The total of the invoice, with tax; null if it was not found."""
    tax: Decimal | None = None
    """The tax; null if it was not found."""
    currency: str | None = None
    """The ISO 4217 code; null if it was not found."""
    issued_at: date | None = None
    """The issue date; null if it was not found."""
    due_at: date | None = None
    """The due date; null if it was not found."""
    tax_ids: list[str] = []
    """The tax numbers of the parties."""
    iban: str | None = None
    """The bank account to pay, without spaces."""
    reference: str | None = None
    """The reference of the payment, or the identifier of the tax office."""


class CodeDifference(Model):
    """A value of a code that the pages contradict; `page` is what they say instead, or null if that could not be
    determined. Amounts are plain decimals, dates ISO 8601.
    """

    field: EInvoiceField
    """The field."""
    code: str
    """The value in the code."""
    page: str | None = None
    """The value on the page; null if it could not be determined."""


class Code(Model):
    """A machine-readable code on a page, such as a QR code, and whether it says the same as the pages.

    `profile` names its standard in words, `text` is what it encodes, cut after 2,000 characters; `box` is like
    that of a citation. Nothing that it links to was fetched, and no signature was checked.
    """

    kind: CodeKind
    """The standard that the code follows."""
    profile: str
    """The standard in words."""
    page: int
    """The page, from 1."""
    box: list[float] = []
    """`x0`, `y0`, `x1`, `y1` as fractions of the page, from its top left corner."""
    text: str
    """What the code encodes, cut after 2,000 characters."""
    values: CodeValues
    """What the code says of the invoice."""
    matches_page: bool
    """Whether it has the same values as the page."""
    differences: list[CodeDifference] = []
    """Values in which the code and the pages differ."""


class SupplierCheck(Model):
    """Something unusual about an invoice. `text` is a sentence for people; `since` is the day of the oldest of the
    earlier invoices that it differs from, `evidence` has the ids of the newest five of them. `confirmed_by` is
    the person's address, or the name of the API key, that has said that it is in order.
    """

    kind: CheckKind
    """A fixed word for programs."""
    severity: CheckSeverity
    """`alert`: have a person look before you pay; `notice`: worth a look."""
    text: str
    """A sentence for people."""
    since: date | None = None
    """The day of the oldest invoice that it differs from; null if there is none."""
    evidence: list[str] = []
    """The ids of up to five earlier invoices that it differs from."""
    confirmed_by: str | None = None
    """Who confirmed it: an address or the name of an API key; null: nobody."""
    confirmed_at: datetime | None = None
    """When a person confirmed it; null if nobody did."""


class MatchedOrder(Model):
    """An order that the invoice bills."""

    id: str
    """The id."""
    number: str
    """The order's number."""


class MatchedLine(Model):
    """A line item of the invoice (from 1) and the position in the order that it bills. `quantity` is in the order's
    unit, `amount` is net; both are below zero on credit notes.
    """

    line: int
    """The line item of the invoice, from 1."""
    order_id: str
    """The order's id."""
    order_line: int
    """The position of the line in the order."""
    quantity: Decimal
    """How much it bills, in the unit of the order; below zero on credit notes."""
    amount: Decimal
    """What it costs without tax; below zero on credit notes."""


class OrderFinding(Model):
    """A difference. `line` is the line item of the invoice (from 1), `order_line` the position in the order; null if
    it is about neither. `expected` is what the order says, `found` what the invoice says: exact decimals, or
    texts. `text` is a sentence for people.
    """

    kind: OrderFindingKind
    """A fixed word for programs."""
    line: int | None = None
    """The line item of the invoice, from 1; null if it is about none."""
    order_id: str | None = None
    """The order's id; null if it is about none."""
    order_line: int | None = None
    """The position of the line in the order; null if it is about none."""
    expected: str | None = None
    """What the order says: an exact decimal or a text; null if it says nothing."""
    found: str | None = None
    """What the invoice says; null if it says nothing."""
    text: str
    """A sentence for people."""


class OrderMatch(Model):
    """The orders that an invoice bills, line by line, and how it differs from them. `skips_review`: it is within
    tolerance, and the account lets such invoices pass without a look.
    """

    status: OrderMatchStatus
    """`matched`: within the tolerances; `differs`: a person should look; `not_found`: no known order."""
    found_by: OrderFoundBy | None = None
    """How the order was found: by the `number` that was read, in the `text`, or by its `lines`; null: not found."""
    orders: list[MatchedOrder] = []
    """The orders that it bills."""
    lines: list[MatchedLine] = []
    """Which line item bills which line of an order."""
    findings: list[OrderFinding] = []
    """How it differs from its orders."""
    skips_review: bool
    """Whether it needs no review, because the account's rules say so."""


class ModelRevisions(Model):
    """The revisions of the models that made the result."""

    extractor: str
    """The revision of the first model."""
    verifier: str
    """The revision of the second model."""


class Usage(Model):
    """What readings took: the processor time of reading, models and extraction. That of an invoice is of its latest
    successful reading; invoices of one file share its times by their pages.
    """

    pages: int
    """How many pages were read."""
    ocr_pages: int
    """How many of its pages OCR read."""
    cpu_ms: int
    """Processor time, in milliseconds of one core."""
    gpu_ms: int | None = None
    """How long the models had a GPU, in milliseconds; null without one."""


class TaxLine(Model):
    """The tax of one rate. `rate` is in percent; `base` is the net sum that it is taken of."""

    rate: Decimal | None = None
    """In percent."""
    base: Decimal | None = None
    """The net sum that is taxed."""
    amount: Decimal | None = None
    """The tax of this rate."""


class Details(Model):
    """What bookkeeping asks for beside the header fields; null where it is not printed or was not found.

    `discount` and `amount_paid` are given without a sign. `vendor_tax_id`, `buyer_tax_id` and `iban` are without
    the gaps that are printed in them. `payment_terms` are as printed. The confidence and the place of each value
    that was found are in `field_confidence` and `citations`; `tax_lines` have a list of places parallel to them.
    `field_source` means the same as in the invoice.
    """

    buyer_name: str | None = None
    """The recipient of the invoice."""
    purchase_order: str | None = None
    """The number of your order."""
    subtotal: Decimal | None = None
    """The sum before tax."""
    tax_lines: list[TaxLine] = []
    """The tax of each rate."""
    shipping: Decimal | None = None
    """For the whole document."""
    discount: Decimal | None = None
    """For the whole document, without a sign."""
    amount_due: Decimal | None = None
    """The amount still to pay, where the page states it."""
    amount_paid: Decimal | None = None
    """The amount paid before, without a sign."""
    vendor_tax_id: str | None = None
    """The vendor's tax number, without spaces."""
    buyer_tax_id: str | None = None
    """The buyer's tax number, without spaces."""
    iban: str | None = None
    """The bank account to pay, without spaces."""
    payment_terms: str | None = None
    """As printed."""
    field_confidence: dict[str, Confidence] = {}
    """The confidence of each value that was read."""
    field_source: dict[str, FieldSource] = {}
    """The source of each value."""
    citations: dict[str, Citation | list[Citation]] | None = None
    """Where each value is printed."""


class PostingCode(Model):
    """A code of a posting; `value` null: none. `confidence` and `score` are of the suggestion: null once somebody
    has decided. `high`: at least 99 % of such suggestions were right among the account's own decisions. `reason`
    is a sentence for people.
    """

    value: str | None = None
    """The code; null: none."""
    confidence: Confidence | None = None
    """How reliable the suggestion is; null once it is decided."""
    score: float | None = None
    """The estimated probability that the suggestion is right."""
    reason: str | None = None
    """What the suggestion is based on."""


class Posting(Model):
    """What a line, or a share of it, is booked on. `line` is the number of the line item, from 1; null: the whole
    invoice. `share` is in percent of the line, `amount` that share of the line's total, or of the invoice's
    amount; null if the total is unknown. The amounts of a line's postings add up to its total. `codes` has a key
    for each dimension of the chart.
    """

    line: int | None = None
    """The number of the line item, from 1; null: the whole invoice."""
    share: float
    """The share of the line, in percent."""
    amount: Decimal | None = None
    """Its share of the line's total, or of the invoice's amount; null if unknown."""
    codes: dict[str, PostingCode] = {}
    """The code of each dimension of the chart."""


class Coding(Model):
    """What an invoice is booked on. `auto_coded`: every code was suggested with `high` confidence. `by` is the
    address of the person, or the name of the API key, that confirmed it.
    """

    status: CodingStatus
    """`confirmed`: a person or an API key has decided."""
    auto_coded: bool
    """Whether every code was suggested with `high` confidence."""
    by: str | None = None
    """The address of a person or the name of an API key; null: nobody has decided."""
    at: datetime | None = None
    """When."""
    postings: list[Posting] = []
    """What each line, or a share of it, is booked on."""


class FileInfo(Model):
    name: str | None = None
    """The name of the file."""
    mime_type: str | None = None
    """The type of the file."""
    size_bytes: int | None = None
    """The size of the file."""


class Failure(Model):
    """Why a run ended without a result."""

    code: FailureCode
    """A fixed word for programs."""
    message: str
    """A sentence for people."""


class Correction(Model):
    """A value that somebody has entered. `read` is what was read instead, as text: an exact decimal, an ISO 8601
    date or what is printed; null if nothing was read, and for tables. `by` is the person's address, or with
    `by_key` the name of the API key that was used.
    """

    read: str | None = None
    """The extracted value; null if none was found."""
    by: str
    """The address of a person or the name of an API key."""
    by_key: bool
    """Whether `by` is the name of an API key."""
    at: datetime
    """When."""


class InvoiceReview(Model):
    """What people say about an invoice. `fields` are those with another value than was read: the invoice has theirs,
    and `corrections` tells of each who entered it. `by` and `at` are of the last confirmation or rejection,
    `reason` of a rejection.
    """

    status: ReviewStatus
    """The review of the invoice."""
    by: str | None = None
    """The address of a person or the name of an API key."""
    at: datetime | None = None
    """When."""
    reason: str | None = None
    """Why it was rejected."""
    fields: list[str] = []
    """The fields."""
    corrections: dict[str, Correction] = {}
    """For each corrected field: who entered the value, and the value that the models read."""


class Invoice(Model):
    """An invoice as `GET /v1/invoices/{id}` returns it."""

    vendor_name: str | None = None
    """The issuer of the invoice; null if it was not found."""
    invoice_number: str | None = None
    """The number as it is printed; null if it was not found."""
    amount: Decimal | None = None
    """The total of the invoice, with tax; null if it was not found."""
    currency: str | None = None
    """The ISO 4217 code; null if it was not found."""
    issued_at: date | None = None
    """The issue date; null if it was not found."""
    due_at: date | None = None
    """The due date; null if it was not found."""
    tax: Decimal | None = None
    """The tax; null if it was not found."""
    line_items: list[LineItem] = []
    """The lines of the invoice, as a whole."""
    field_confidence: dict[str, Confidence] | None = None
    """What the models say about the value that they read, whatever the invoice says now: compare `field_source`."""
    citations: dict[str, Citation | list[Citation]] | None = None
    """Where each value is printed."""
    quality_score: float | None = None
    """The expected share of right header fields, from 0 to 1."""
    auto_verified: bool
    """Vendor, number, amount, currency and issue date were all read with `high` confidence. It is about what the
    models read: before you pay without a look, also check that no `field_source` is `person`.
    """
    target_precision: float | None = None
    """The account's target precision when the levels of confidence were made."""
    pages: int | None = None
    """How many pages it has."""
    batch: Batch | None = None
    """Its place in a file of several invoices; null if it came alone."""
    einvoice: EInvoiceCheck | None = None
    """The electronic invoice in the file, compared with its page."""
    codes: list[Code] = []
    """Machine-readable codes on its pages, such as QR codes, compared with what is printed."""
    checks: list[SupplierCheck] = []
    """What is unusual in its file and beside the supplier's earlier invoices, alerts first."""
    order_match: OrderMatch | None = None
    """The purchase orders that it bills; null for accounts without orders."""
    models: ModelRevisions | None = None
    """The models that read the invoice."""
    usage: Usage | None = None
    """What reading it took; null before the extraction, and for invoices of older versions."""
    document_type: DocumentType | None = None
    """The kind of document."""
    document_type_confidence: Confidence | None = None
    """How reliable the kind is."""
    details: Details | None = None
    """Further values for bookkeeping; null if nothing was found."""
    coding: Coding | None = None
    """What it is booked on; null without a chart, and if it was read before there was one."""
    custom: dict[str, CustomValue] = {}
    """The account's own fields of the whole invoice, by their names."""
    id: str
    """The id."""
    object: str
    """The type of the object."""
    livemode: bool
    """False in test mode."""
    status: Status
    """The status."""
    source: Source
    """How the invoice came in."""
    created_at: datetime
    """When it was created."""
    updated_at: datetime
    """When it was last changed."""
    file: FileInfo
    """The file that was sent."""
    failure: Failure | None = None
    """Why the extraction failed."""
    duplicate_of: str | None = None
    """The oldest invoice with the same vendor, number and amount."""
    vendor_id: str | None = None
    """The vendor in `/v1/vendors`."""
    paid: bool
    """Whether it was marked as paid."""
    paid_at: datetime | None = None
    """When it was marked as paid."""
    entity_tag: str | None = None
    """Your own tag."""
    approval_status: ApprovalStatus | None = None
    """The state of the approval request; null if nobody was asked."""
    approval_email: str | None = None
    """The address that was asked for approval."""
    metadata: dict[str, str] = {}
    """The metadata sent with the invoice."""
    review: InvoiceReview
    """The review of the invoice."""
    field_source: dict[str, FieldSource] = {}
    """The source of each value. A field has a key if it has a value, or if somebody has said that it has none."""
    document_type_source: FieldSource | None = None
    """Where `document_type` comes from."""
    export_id: str | None = None
    """The export that it came into first; null while it is in none, or after it was unlocked. While it is in one,
    its values cannot be changed.
    """
    estimated_start_at: datetime | None = None
    """While it is queued, when its run will probably begin; null if that is unknown, and in lists and events."""


class AcceptedInvoice(Invoice):
    """The accepted invoice."""

    wait_timed_out: bool | None = None
    """Only with `wait=true`, if extraction took longer than the wait window."""


class InvoiceList(Model):
    """Invoices, newest first."""

    object: str
    """The type of the object."""
    data: list[Invoice] = []
    """The object of the event, or the entries of the list."""
    has_more: bool
    """Whether more entries follow."""


class ApprovalRequested(Model):
    """The request has been sent."""

    id: str
    """The id."""
    approval_status: str
    """The state of the approval request; null if nobody was asked."""
    approval_email: str
    """The address that was asked for approval."""
