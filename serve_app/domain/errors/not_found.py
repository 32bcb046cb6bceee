"""Errors of ids and names that are unknown, or another account's."""

from serve_app.domain.errors.base import ServiceError


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
