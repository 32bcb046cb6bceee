"""Values of a fixed list. Written by `python -m scripts.clients` from the OpenAPI document."""

from invoices_client.models.base import OpenEnum


class ApprovalStatus(OpenEnum):
    REQUESTED = "requested"
    APPROVED = "approved"
    REJECTED = "rejected"


class CheckKind(OpenEnum):
    """What is unusual about an invoice: in its file, and beside the supplier's earlier ones."""

    BANK_ACCOUNT_CHANGED = "bank_account_changed"
    TAX_NUMBER_CHANGED = "tax_number_changed"
    NUMBER_REUSED = "number_reused"
    NEAR_DUPLICATE = "near_duplicate"
    DATA_DIFFERS = "data_differs"
    FILE_CHANGED = "file_changed"
    TEXT_LAYER_DIFFERS = "text_layer_differs"
    LOOKALIKE = "lookalike"
    SUPPLIER_BLOCKED = "supplier_blocked"
    SUPPLIER_LIST_DIFFERS = "supplier_list_differs"
    ACCOUNT_ABROAD = "account_abroad"
    AMOUNT_UNUSUAL = "amount_unusual"
    DATE_UNUSUAL = "date_unusual"
    NUMBER_UNUSUAL = "number_unusual"
    ORDER_DIFFERS = "order_differs"
    TAX_NUMBER_UNREGISTERED = "tax_number_unregistered"
    TAX_RATE_UNKNOWN = "tax_rate_unknown"
    TAX_UNUSUAL = "tax_unusual"
    SENDER_CHANGED = "sender_changed"


class CheckSeverity(OpenEnum):
    """`alert`: do not pay before a person has looked. `notice`: worth a look."""

    ALERT = "alert"
    NOTICE = "notice"


class CodeKind(OpenEnum):
    """The standard that a code follows. `OTHER`: none that is known here."""

    SWISS_QR_BILL = "swiss_qr_bill"
    EPC = "epc"
    SPAYD = "spayd"
    UPI = "upi"
    HUB3 = "hub3"
    UPN = "upn"
    PL_TRANSFER = "pl_transfer"
    SID = "sid"
    ZATCA = "zatca"
    ATCUD = "atcud"
    IRN = "irn"
    TR_EINVOICE = "tr_einvoice"
    KSEF = "ksef"
    VERIFACTU = "verifactu"
    TICKETBAI = "ticketbai"
    DIAN = "dian"
    NFE = "nfe"
    AFIP = "afip"
    CFDI = "cfdi"
    SUNAT = "sunat"
    MYDATA = "mydata"
    RKSV = "rksv"
    KASSENSICHV = "kassensichv"
    SUF = "suf"
    OTHER = "other"


class CodingStatus(OpenEnum):
    """`suggested`: nobody has decided. `confirmed`: a person or an API key has entered or confirmed the codes."""

    SUGGESTED = "suggested"
    CONFIRMED = "confirmed"


class Confidence(OpenEnum):
    """How far a value can be trusted. `high`: two models agree and the arithmetic checks out."""

    HIGH = "high"
    MID = "mid"
    LOW = "low"


class Detail(OpenEnum):
    """The keys of `details.field_confidence` and `details.citations`."""

    BUYER_NAME = "buyer_name"
    PURCHASE_ORDER = "purchase_order"
    SUBTOTAL = "subtotal"
    TAX_LINES = "tax_lines"
    SHIPPING = "shipping"
    DISCOUNT = "discount"
    AMOUNT_DUE = "amount_due"
    AMOUNT_PAID = "amount_paid"
    VENDOR_TAX_ID = "vendor_tax_id"
    BUYER_TAX_ID = "buyer_tax_id"
    IBAN = "iban"
    PAYMENT_TERMS = "payment_terms"


class DocumentType(OpenEnum):
    """The kind of document. `other`: one that asks for no payment, such as an offer, an order, a delivery note or a
    statement; nothing read from it is ever `high`.
    """

    INVOICE = "invoice"
    CREDIT_NOTE = "credit_note"
    RECEIPT = "receipt"
    OTHER = "other"


class DoubtCode(OpenEnum):
    """Why a value is not `high`."""

    MODELS_DIFFER = "models_differ"
    READ_BADLY = "read_badly"
    SUMS_MISS = "sums_miss"
    IMPLAUSIBLE = "implausible"
    OTHER_DOCUMENT = "other_document"
    REMEMBERED = "remembered"
    UNSURE = "unsure"
    NOT_FOUND = "not_found"


class EInvoiceField(OpenEnum):
    """What an embedded electronic invoice and the page are compared by."""

    INVOICE_NUMBER = "invoice_number"
    AMOUNT = "amount"
    TAX = "tax"
    CURRENCY = "currency"
    ISSUED_AT = "issued_at"
    DUE_AT = "due_at"
    VAT_ID = "vat_id"
    IBAN = "iban"


class EInvoiceFormat(OpenEnum):
    """How an electronic invoice is written; `facturx` is CII embedded in the invoice's PDF."""

    UBL = "ubl"
    CII = "cii"
    FACTURX = "facturx"


class EventType(OpenEnum):
    INVOICE_COMPLETED = "invoice.completed"
    INVOICE_FAILED = "invoice.failed"
    INVOICE_REVIEWED = "invoice.reviewed"
    INVOICE_UPDATED = "invoice.updated"
    INVOICE_DELETED = "invoice.deleted"


class EvidenceKind(OpenEnum):
    """Who or what says the same as the invoice."""

    EXTRACTOR = "extractor"
    VERIFIER = "verifier"
    SUMS = "sums"
    CODE = "code"
    EINVOICE = "einvoice"
    HISTORY = "history"
    PERSON = "person"


class ExportFormat(OpenEnum):
    """What program a file is for. `template`: any other, with columns that a person chooses."""

    DATEV = "datev"
    XERO = "xero"
    QUICKBOOKS = "quickbooks"
    ODOO = "odoo"
    LEXWARE = "lexware"
    FLAT_FILE = "flat_file"
    TEMPLATE = "template"


class FailureCode(OpenEnum):
    DOCUMENT_ENCRYPTED = "document_encrypted"
    DOCUMENT_UNREADABLE = "document_unreadable"
    DOCUMENT_TOO_LARGE = "document_too_large"
    NO_TEXT_FOUND = "no_text_found"
    EXTRACTION_INTERRUPTED = "extraction_interrupted"


class Field(OpenEnum):
    """The keys of `field_confidence` and `citations`."""

    VENDOR = "vendor"
    INVOICE_NUMBER = "invoice_number"
    AMOUNT = "amount"
    CURRENCY = "currency"
    ISSUED_AT = "issued_at"
    DUE_AT = "due_at"
    TAX = "tax"
    LINE_ITEMS = "line_items"


class FieldSource(OpenEnum):
    """Where a value comes from. `models`: two models read it. `person`: somebody has entered another value than was
    read, or that there is none. `einvoice`: the file is an electronic invoice (XML), and the value is its own.
    """

    MODELS = "models"
    PERSON = "person"
    EINVOICE = "einvoice"


class FindingSeverity(OpenEnum):
    """`error`: a rule that the invoice must meet is broken. `warning`: it should be met, or it could not be checked."""

    ERROR = "error"
    WARNING = "warning"


class HeldFor(OpenEnum):
    """Only held mails that wait for this."""

    SENDER = "sender"
    QUOTA = "quota"


class IdentifierKind(OpenEnum):
    """What a vendor can be known by besides its name."""

    TAX_NUMBER = "tax_number"
    IBAN = "iban"
    DOMAIN = "domain"


class OrderFindingKind(OpenEnum):
    """How an invoice differs from its orders."""

    PRICE_ABOVE = "price_above"
    PRICE_BELOW = "price_below"
    QUANTITY_ABOVE_ORDERED = "quantity_above_ordered"
    QUANTITY_ABOVE_RECEIVED = "quantity_above_received"
    LINE_NOT_ORDERED = "line_not_ordered"
    LINE_INCOMPLETE = "line_incomplete"
    LINE_MISSING = "line_missing"
    UNIT_DIFFERS = "unit_differs"
    VENDOR_DIFFERS = "vendor_differs"
    CURRENCY_DIFFERS = "currency_differs"
    ORDER_CLOSED = "order_closed"
    ORDER_USED_UP = "order_used_up"
    ORDER_UNKNOWN = "order_unknown"
    BILLED_TWICE = "billed_twice"
    TOTAL_DIFFERS = "total_differs"
    CHARGE_NOT_ORDERED = "charge_not_ordered"


class OrderFoundBy(OpenEnum):
    """How the order was found: by the number that was read as the order's (`number`), by its number elsewhere in the
    text (`text`), or by the vendor and the lines (`lines`).
    """

    NUMBER = "number"
    TEXT = "text"
    LINES = "lines"


class OrderMatchStatus(OpenEnum):
    """`matched`: everything that is billed was ordered, within the account's tolerances. `differs`: an order was
    found, and something differs from it. `not_found`: the account has orders, and the invoice belongs to none
    that is known, or to several alike.
    """

    MATCHED = "matched"
    DIFFERS = "differs"
    NOT_FOUND = "not_found"


class OrderStatus(OpenEnum):
    """`closed`: nothing more may be billed."""

    OPEN = "open"
    CLOSED = "closed"


class Outcome(OpenEnum):
    """What became of a part of a mail."""

    INVOICE = "invoice"
    SAME_FILE = "same_file"
    WAITING = "waiting"
    IGNORED = "ignored"
    UNPACKED = "unpacked"
    LINKS = "links"
    ATTACHMENT_MISSING = "attachment_missing"
    XML_ONLY = "xml_only"
    NEEDS_PASSWORD = "needs_password"
    ENCRYPTED_MAIL = "encrypted_mail"
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too_large"
    TOO_MANY = "too_many"
    UNREADABLE = "unreadable"
    ERASED = "erased"


class OwnFieldScope(OpenEnum):
    """What a value is about: the whole invoice, or one of its lines."""

    HEADER = "header"
    LINE = "line"


class OwnFieldType(OpenEnum):
    """What the values of a field are."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    CHOICE = "choice"


class PauseReason(OpenEnum):
    """Why an endpoint is paused: by its owner, because it answered 410, or because it failed for days."""

    BY_HAND = "by_hand"
    GONE = "gone"
    FAILING = "failing"


class ReadBy(OpenEnum):
    """Who reads a value."""

    EXTRACTOR = "extractor"
    VERIFIER = "verifier"
    BOTH = "both"
    MEMORY = "memory"


class ReviewFilter(OpenEnum):
    """What people must have said about an invoice."""

    OPEN = "open"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    NOT_REJECTED = "not_rejected"


class ReviewStatus(OpenEnum):
    """What a person says about an invoice."""

    OPEN = "open"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"


class Scope(OpenEnum):
    """What a key may do: `full` allows everything, `read` all GET endpoints."""

    FULL = "full"
    READ = "read"


class ShownState(OpenEnum):
    """The states of mails that anybody sees: those that are arriving or being removed are in no list."""

    QUEUED = "queued"
    HELD = "held"
    READING = "reading"
    DONE = "done"
    DISCARDED = "discarded"


class Source(OpenEnum):
    APP = "app"
    EMAIL = "email"
    API = "api"


class Status(OpenEnum):
    QUEUED = "queued"
    PROCESSING = "processing"
    COMPLETE = "complete"
    FAILED = "failed"


class Way(OpenEnum):
    """How a mail came in."""

    SMTP = "smtp"
    LMTP = "lmtp"
    HTTP = "http"
    IMAP = "imap"


class ZeroRate(OpenEnum):
    """Why no VAT is charged: a category (UNTDID 5305) that needs no text of its own."""

    Z = "Z"
    AE = "AE"
    G = "G"
