"""Errors of the service itself: the same request may succeed later."""

from serve_app.domain.errors.base import ServiceError


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


class MailNotSent(ServiceError):
    """The mail server refused a mail, or is out of reach."""

    message = "The e-mail was not sent: the mail server refused it or cannot be reached. Nothing was changed."
