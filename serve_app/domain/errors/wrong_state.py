"""Errors of what the request is about: its state does not allow the change."""

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from serve_app.domain.errors.base import ServiceError

_MOST_LISTED = 10
"""Different reasons in one message."""
_MOST_REASONS = 100
"""A long invoice can lack a term in each of its lines."""


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
