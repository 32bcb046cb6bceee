"""What the electronic invoice and the codes of a file say, compared with its pages."""

from datetime import date
from enum import StrEnum

from serve_app.domain.code_kinds import CodeKind
from serve_app.domain.einvoice_validation import FindingSeverity
from serve_app.domain.resource import Number, Resource


class EInvoiceField(StrEnum):
    """What an embedded electronic invoice and the page are compared by."""

    INVOICE_NUMBER = "invoice_number"
    AMOUNT = "amount"
    TAX = "tax"
    CURRENCY = "currency"
    ISSUED_AT = "issued_at"
    DUE_AT = "due_at"
    VAT_ID = "vat_id"
    IBAN = "iban"


class EInvoiceDifference(Resource):
    """A value of the electronic invoice that the page contradicts; `page` is what the page says instead, or null if
    that could not be determined. Amounts are plain decimals, dates ISO 8601."""

    field: EInvoiceField
    einvoice: str
    page: str | None


class EInvoiceFinding(Resource):
    """A published rule that the electronic invoice breaks. `text` is what the rule requires, in its publisher's words;
    `place` is the path of the element."""

    rule: str
    severity: FindingSeverity
    text: str
    place: str | None


class EInvoiceValidation(Resource):
    """What published rules say of the electronic invoice. `profile` is what it says it follows (BT-24). `valid` is null
    if nothing was checked; `not_checked` names rules of the profile that are not available."""

    profile: str | None
    valid: bool | None
    checked_by: list[str]
    not_checked: list[str]
    findings: list[EInvoiceFinding]


class EInvoiceCheck(Resource):
    """Whether the electronic invoice of the file says the same as its page. Values are taken from it only if it is the
    file itself (XML): then its page is made from it and matches."""

    profile: str
    matches_page: bool
    differences: list[EInvoiceDifference]
    validation: EInvoiceValidation | None = None


class CodeValues(Resource):
    """What a code says of the invoice; null or empty if it does not. `amount` is what is to be paid, if the code
    orders a payment. `tax_ids` are those of the parties, `reference` is the payment's or the tax office's."""

    vendor_name: str | None = None
    invoice_number: str | None = None
    amount: Number | None = None
    tax: Number | None = None
    currency: str | None = None
    issued_at: date | None = None
    due_at: date | None = None
    tax_ids: list[str] = []
    iban: str | None = None
    reference: str | None = None


class CodeDifference(Resource):
    """A value of a code that the pages contradict; `page` is what they say instead, or null if that could not be
    determined. Amounts are plain decimals, dates ISO 8601."""

    field: EInvoiceField
    code: str
    page: str | None


class Code(Resource):
    """A machine-readable code on a page, such as a QR code, and whether it says the same as the pages.

    `profile` names its standard in words, `text` is what it encodes, cut after 2,000 characters; `box` is like that of
    a citation. Nothing that it links to was fetched, and no signature was checked.
    """

    kind: CodeKind
    profile: str
    page: int
    box: tuple[float, float, float, float]
    text: str
    values: CodeValues
    matches_page: bool
    differences: list[CodeDifference]
