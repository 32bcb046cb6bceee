"""What a mail came to: its invoices, and what came to nothing."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from serve_app.domain.inbound_mail import FAILURES, InboundMail, MailState, Outcome
from serve_app.domain.invoice import Invoice, Status


@dataclass(frozen=True, slots=True)
class Problem:
    """A part that came to nothing, with the reason for people."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class MailResult:
    """`invoices` are those that were read, `open` those that still are, `known` files that the account had before."""

    invoices: int
    open: int
    known: int
    problems: tuple[Problem, ...]
    is_finished: bool
    """Nothing changes by itself any more, whatever the mail's state says."""

    @property
    def is_empty(self) -> bool:
        """Nothing in the mail was a document."""
        return not (self.invoices or self.open or self.known or self.problems)


def invoices_of(mail: InboundMail) -> set[UUID]:
    """The ids of the invoices that the mail has made."""
    return {part.invoice_id for part in mail.parts if part.outcome is Outcome.INVOICE and part.invoice_id}


def result_of(mail: InboundMail, invoices: Iterable[Invoice]) -> MailResult:
    """`invoices` are those of the mail as they are now; those that were deleted count for nothing."""
    mine = {invoice.id: invoice for invoice in invoices if invoice.id in invoices_of(mail)}
    names = {part.invoice_id: part.name for part in mail.parts}
    failed = [invoice for invoice in mine.values() if invoice.status is Status.FAILED]
    unread = tuple(
        Problem(names[invoice.id] or "A document", invoice.failure.message if invoice.failure else "It was not read.")
        for invoice in failed
    )
    left = tuple(Problem(part.name or "The mail", part.reason) for part in mail.parts if part.outcome in FAILURES)
    unfinished = sum(not invoice.is_finished for invoice in mine.values())
    return MailResult(
        invoices=len(mine) - unfinished - len(failed),
        open=unfinished,
        known=sum(part.outcome is Outcome.SAME_FILE for part in mail.parts),
        problems=(*unread, *left),
        is_finished=mail.state is MailState.DONE or (mail.state is MailState.READING and not unfinished),
    )
