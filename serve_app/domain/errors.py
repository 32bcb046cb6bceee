"""Errors that one package raises and another handles. They say what happened; `serve_app.http.error_table` says which
HTTP answer that makes.

    ServiceError                  what was asked for was not done; `message` tells the caller why
    ├── InvalidRequest            the request itself must change
    │   ├── InvalidParameter
    │   ├── MissingFile
    │   ├── FileTooLarge
    │   ├── UnsupportedFileType
    │   └── FileUrlUnreachable
    ├── WrongState                the invoice, or what else it is about, is in no state for it
    │   ├── AlreadyComplete
    │   ├── NotComplete
    │   ├── InvoiceExported
    │   ├── InvoiceKept
    │   ├── AccountKept
    │   ├── NothingToExport
    │   ├── EInvoiceNotPossible
    │   │   ├── EInvoiceIncomplete
    │   │   └── EInvoiceInvalid
    │   ├── LeftAlone            a change of many invoices leaves this one out
    │   │   ├── AlreadyDecided
    │   │   ├── OpenElsewhere
    │   │   └── NeedsLook
    │   ├── ChartChanged
    │   └── ReviewChanged
    │       └── CutChanged
    ├── AccessDenied
    │   ├── UnknownKey
    │   ├── AccountSuspended
    │   ├── ReadOnlyKey
    │   ├── InvalidFileLink
    │   └── ExpiredFileLink
    ├── NotFound                  unknown, or another account's
    │   ├── InvoiceNotFound
    │   ├── EventNotFound
    │   ├── ExportNotFound
    │   ├── WebhookEndpointNotFound
    │   ├── MailNotFound
    │   ├── PurchaseOrderNotFound
    │   ├── OwnFieldNotFound
    │   ├── NoEInvoice
    │   └── PartNotFound
    ├── LimitReached
    │   ├── RateLimitReached
    │   ├── MailLimitReached
    │   └── MonthlyLimitReached
    │       ├── QuotaReached
    │       └── BudgetReached
    ├── RequestInFlight           the first request with this idempotency key has no answer yet
    ├── KeyReused                 the idempotency key was used for another change of the invoice
    ├── MailNotSent
    └── Unavailable               it may work later
        ├── StoreUnreachable      nothing was changed
        ├── NotReady              a part of the service, which it names, does not work
        ├── OutcomeUnknown        the change may have been made
        ├── InvoiceContended      another request is at work on the same invoice; nothing was changed
        ├── AccountContended      invoices come in while the account is deleted
        ├── QueueTooLong
        └── QueryTimeout

    DocumentError                 a document that cannot be read: its run ends as `failed`
"""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from serve_app.domain.invoice import FailureCode
from serve_app.domain.limits import megabytes

_MOST_LISTED = 10
"""Different reasons in one message."""
_MOST_REASONS = 100
"""A long invoice can lack a term in each of its lines."""


class ServiceError(Exception):
    """What was asked for was not done. `message` tells the caller why, in words meant for it; `param` names what of the
    request it is about: a parameter, a header, a part of the form or the path of a property in the body. None if it is
    about none of them.

    A subclass passes its own arguments to `Exception`, from which an error is rebuilt in another process.
    """

    message: str
    param: str | None = None

    def __str__(self) -> str:
        return self.message


class InvalidRequest(ServiceError):
    """The request must change before it can succeed."""

    def __init__(self, message: str, param: str | None = None) -> None:
        super().__init__(message, param)
        self.message = message
        self.param = param or self.param


class InvalidParameter(InvalidRequest):
    """A value that is not allowed."""


class MissingFile(InvalidRequest):
    """There is no document, or an empty one."""


class FileTooLarge(InvalidRequest):
    """A document over the size limit."""

    def __init__(self, max_bytes: int) -> None:
        Exception.__init__(self, max_bytes)
        self.message = f"The file is larger than the limit of {megabytes(max_bytes)} ({max_bytes} bytes)."


class UnsupportedFileType(InvalidRequest):
    """A document of no supported type."""


class FileUrlUnreachable(InvalidRequest):
    """The document that `file_url` names cannot be fetched."""

    param = "file_url"


class WrongState(ServiceError):
    """The invoice, or what else it is about, is not in a state in which this can be done."""


class AlreadyComplete(WrongState):
    """A complete invoice is read again only if forced."""

    message = "The invoice is complete. Send `force` = true to read its document again."


class NotComplete(WrongState):
    """An operation that needs a complete invoice."""

    message = (
        "Only a complete invoice can be marked as paid, sent for approval, reviewed or given as an electronic invoice."
    )


class InvoiceExported(WrongState):
    """The invoice is in an export, which another program has booked."""

    message = (
        "The invoice was exported, so its values cannot be changed. Unlock it first; the next export then contains it "
        "again."
    )


class InvoiceKept(WrongState):
    """The invoice must be kept by law until a day, in a country."""

    def __init__(self, until: str, country: str, law: str) -> None:
        super().__init__(until, country, law)
        self.message = f"The invoice is part of the books and must be kept until {until} ({country}: {law})."


class AccountKept(WrongState):
    """The law of a country wants the invoices of the account kept."""

    def __init__(self, country: str, account_id: UUID) -> None:
        super().__init__(country, account_id)
        self.message = (
            f"The law of {country} keeps the invoices of the account. Archive them (invoices package create), and lift "
            f"the rule (invoices account keep {account_id}) before you delete the account."
        )


class NothingToExport(WrongState):
    """No invoice is ready for an export, for these reasons."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__(reasons)
        counts = Counter(reasons).most_common(_MOST_LISTED)
        listed = "; ".join(f"{reason} ({count})" for reason, count in counts)
        done = "All complete invoices of this period were exported already"
        self.message = f"No invoice is ready for an export. {f'Of the others: {listed}' if listed else done}."


class EInvoiceNotPossible(WrongState):
    """No valid electronic invoice can be written of this invoice, for these reasons."""

    opening = ""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__(reasons)
        more = f"; and {len(reasons) - _MOST_REASONS} more" if len(reasons) > _MOST_REASONS else ""
        self.message = f"{self.opening} {'; '.join(reasons[:_MOST_REASONS])}{more}."


class EInvoiceIncomplete(EInvoiceNotPossible):
    """Terms that EN 16931 requires are missing, or their values are uncertain."""

    opening = "An electronic invoice needs these terms, which the invoice lacks, or has neither `high` nor confirmed:"


class EInvoiceInvalid(EInvoiceNotPossible):
    """The electronic invoice would break published rules."""

    opening = "The electronic invoice would not be valid:"


class ReviewChanged(WrongState):
    """A review was saved by somebody else, or the document was read again, since it was looked at."""

    message = "Somebody changed the review after this revision. Load it again and repeat your change."


class CutChanged(ReviewChanged):
    """The invoices of a file have changed since somebody decided how to cut it, or it is being cut or read."""

    message = "The invoices of this file were changed or are being read. Load its pages again and repeat your change."


class ChartChanged(WrongState):
    """The chart was saved by somebody else since it was looked at."""

    message = "Somebody changed the chart after this revision. Load it again and repeat your change."


class LeftAlone(WrongState):
    """A change of many invoices leaves this one out."""


class AlreadyDecided(LeftAlone):
    """A person has confirmed or rejected the invoice already; `status` is which."""

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.message = f"The invoice is already {status}."


class OpenElsewhere(LeftAlone):
    """Another person has the invoice's review open; `name` is who."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.message = f"{name} has the review open. Try again later."


class NeedsLook(LeftAlone):
    """The invoice was drawn for the audit sample, in which every value is looked at."""

    message = "The invoice belongs to the audit sample. Open it to decide."


class AccessDenied(ServiceError):
    """The caller has not shown that it may do this."""


class UnknownKey(AccessDenied):
    """A key that is unknown or revoked."""

    message = "This API key is unknown or revoked. Use another one."


class AccountSuspended(AccessDenied):
    """A valid key or session of an account that an operator has suspended."""

    message = "This account is suspended. Its data is kept. Contact whoever operates this service."


class ReadOnlyKey(AccessDenied):
    """A read-only key was used to change something."""

    message = "This API key can only read. Use a key with full access."


class InvalidFileLink(AccessDenied):
    """A download link that this deployment did not sign, or that was changed."""

    message = "This download link is not valid."


class ExpiredFileLink(AccessDenied):
    """A download link that is too old."""

    message = "This download link has expired. Request a new one."


class NotFound(ServiceError):
    """Unknown, or another account's."""


class InvoiceNotFound(NotFound):
    """There is no such invoice, or it is another account's."""

    message = "There is no invoice with this id."


class DocumentGone(NotFound):
    """The document was removed before the values."""

    message = "The document was removed because its retention period ended. The values of the invoice stay."


class OwnFieldNotFound(NotFound, LookupError):
    """The account has no such field."""

    message = "The account has no own field with this name."


class NoEInvoice(NotFound):
    """The invoice's file is no electronic invoice and contains none."""

    message = "The file of this invoice is no electronic invoice, and contains none that can be read."


class EventNotFound(NotFound):
    """There is no such event, or it is another account's."""

    message = "There is no event with this id."


class ExportNotFound(NotFound):
    """There is no such export, it is another account's, or its file went with an invoice that was deleted."""

    message = "There is no export with this id, or its file was removed because one of its invoices was deleted."


class WebhookEndpointNotFound(NotFound, LookupError):
    """There is no such webhook endpoint, or it is another account's."""

    message = "There is no webhook endpoint with this id."


class AccountNotFound(NotFound, LookupError):
    """There is no such account; only operators ask for one."""

    message = "There is no account with this id."


class ApiKeyNotFound(NotFound, LookupError):
    """There is no such key, or it is another account's."""

    message = "The account has no API key with this id."


class MailNotFound(NotFound, LookupError):
    """There is no such mail, or it is another account's."""

    message = "There is no mail with this id."


class PurchaseOrderNotFound(NotFound, LookupError):
    """There is no such order, or it is another account's."""

    message = "There is no purchase order with this id."


class PartNotFound(NotFound):
    """The pages of an invoice cannot be cut out of the file that it came in."""

    message = (
        "The pages of this invoice cannot be extracted from its file. Request the link with `?original=true` to get "
        "the whole file."
    )


class LimitReached(ServiceError):
    """The caller has used up what it may have for now."""


class RateLimitReached(LimitReached):
    """More requests in this minute than the key may send; `retry_seconds` are left of it."""

    def __init__(self, limit: int, retry_seconds: int) -> None:
        super().__init__(limit, retry_seconds)
        self.message = f"This key has sent more than {limit} requests in a minute. Try again in {retry_seconds} s."
        self.retry_seconds = retry_seconds


class MailLimitReached(LimitReached):
    """As many approval mails as may be sent today; `whose` continues "mails a day", and `retry_seconds` are left of the
    day."""

    def __init__(self, limit: int, whose: str, retry_seconds: int) -> None:
        super().__init__(limit, whose, retry_seconds)
        self.message = (
            f"At most {limit} approval e-mails a day {whose}. Nothing was sent. Try again in {retry_seconds} s."
        )
        self.retry_seconds = retry_seconds


class MonthlyLimitReached(LimitReached):
    """The account can send no further documents in this calendar month."""


class QuotaReached(MonthlyLimitReached):
    """The account's extractions of this calendar month are used up."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.message = (
            f"The monthly quota of {limit} extractions is used up. It resets at the start of next month (UTC)."
        )


class BudgetReached(MonthlyLimitReached):
    """The account's budget of this calendar month is used up. `currency`: a code of ISO 4217."""

    def __init__(self, limit: Decimal, currency: str) -> None:
        super().__init__(limit, currency)
        self.message = (
            f"The monthly budget of {limit:.2f} {currency} is used up. It resets at the start of next month (UTC)."
        )


class RequestInFlight(ServiceError):
    """The first request with this idempotency key has no answer yet."""

    message = "A request with this Idempotency-Key is still being processed. Try again in a moment."


class KeyReused(ServiceError):
    """The idempotency key was used for another change of the invoice."""

    message = "This Idempotency-Key was used for another body of the same call. Use a new key."
    param = "Idempotency-Key"


class MailNotSent(ServiceError):
    """The mail server refused a mail, or is out of reach."""

    message = "The e-mail was not sent: the mail server refused it or cannot be reached. Nothing was changed."


class Unavailable(ServiceError):
    """Not possible now; it may work later."""

    message = "The service cannot reach its storage. Nothing was changed. Try again."


class StoreUnreachable(Unavailable):
    """The store or the files are out of reach; nothing was changed."""


class NotReady(Unavailable):
    """No documents are accepted, or read, for want of a part of the service."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.message = f"The service is not ready: {what}."


class InvoiceContended(Unavailable):
    """Another request is at work on the same invoice; nothing was changed."""


class AccountContended(Unavailable):
    """New invoices come in while the account is deleted."""

    message = "The account still receives new invoices. Stop their senders and try again."


class OutcomeUnknown(Unavailable):
    """The store or the files went out of reach at a change, which may have been made."""

    message = (
        "The storage failed during the request, and the change may have been made. If you sent an Idempotency-Key, "
        "repeat the request with it; otherwise check the current state first."
    )


class QueueTooLong(Unavailable):
    """A document sent now would wait longer than the operator allows."""

    message = "The queue is too long. The document was not accepted. Send it again later."

    def __init__(self, retry_seconds: int) -> None:
        super().__init__(retry_seconds)
        self.retry_seconds = retry_seconds


class QueryTimeout(Unavailable):
    """A list whose filters leave too much to look through."""

    message = "The search takes too long. Use a filter that fewer entries match, or try again later."


class DocumentError(Exception):
    """A document that cannot be read, and why; never the service's fault, so never retried."""

    def __init__(self, code: FailureCode, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
