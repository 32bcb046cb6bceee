"""What can be done to several invoices at once."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from serve_app.domain.email_address import mail_server_form
from serve_app.domain.errors import InvalidParameter, LimitReached, MailNotSent, ServiceError, Unavailable
from serve_app.domain.plain_text import without_controls
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.record import Amendment
from serve_app.services.bundle import Services
from serve_app.web.changes import record
from serve_app.web.visitor import Visitor

AT_ONCE = 1000
"""How many invoices one act changes at most."""
_TOGETHER = 20
_TAG_LENGTH = 60
# After one of these, the others would fail as well.
_FINAL = (LimitReached, MailNotSent, Unavailable)

Act = Callable[[UUID], Awaitable[object]]


@dataclass(slots=True)
class Outcome:
    """What became of an act: how many invoices it changed, and why it did not change others."""

    done: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    left: int = 0

    def words(self, done: str) -> str:
        """The outcome for a person; `done` is what was done, as in "marked as paid"."""
        parts = [f"{self.done} {'invoice' if self.done == 1 else 'invoices'} {done}."] if self.done else []
        parts += [f"{count} not: {why}" for why, count in self.refused.items()]
        if self.left:
            parts.append(f"{self.left} left as they were.")
        return " ".join(parts) or "Nothing was selected."


@dataclass(frozen=True, slots=True)
class Wanted:
    """An act with its value (a tag or an address), on behalf of a visitor. `links` is where links in mail begin."""

    services: Services
    visitor: Visitor
    name: str
    value: str
    links: str

    def checked(self) -> tuple[Act, str]:
        """The act on one invoice, and the words for what was done. Raises InvalidParameter for a wrong value."""
        match self.name:
            case "paid" | "unpaid":
                return self._amending(Amendment(paid=self.name == "paid")), f"marked as {self.name}"
            case "tag":
                tag = without_controls(self.value).strip()
                if len(tag) > _TAG_LENGTH:
                    raise InvalidParameter(f"A tag has at most {_TAG_LENGTH} characters.")
                done = f"tagged “{tag}”" if tag else "without a tag now"
                return self._amending(Amendment(sets_tag=True, entity_tag=tag or None)), done
            case "approval":
                address = self.value.strip()
                if mail_server_form(address) is None:
                    raise InvalidParameter(
                        "Enter the mail address of the person who is to approve, as name@example.com."
                    )
                return self._asking(address), f"sent to {address} for approval"
            case "read":
                return self._reading, "queued to be read again"
        raise InvalidParameter("Choose what to do with the selected invoices.")

    def _amending(self, amendment: Amendment) -> Act:
        return lambda id: self.services.invoices.amend(self.visitor.account.id, id, amendment)

    def _asking(self, address: str) -> Act:
        asked_by, account = self.visitor.person.email, self.visitor.account.id
        return lambda id: self.services.approvals.request(account, id, address, asked_by, self.links)

    async def _reading(self, id: UUID) -> None:
        await self.services.invoices.read_again(self.visitor.account, id, force=True)


_AUDITED = {"paid": "paid", "unpaid": "unpaid", "tag": "tagged", "approval": "sent_for_approval"}
_AUDITED |= {"read": "read_again"}


async def carry_out(wanted: Wanted, ids: Sequence[UUID]) -> str:
    """Do it to each invoice; what happened, in words. Raises InvalidParameter for a wrong value, before anything is
    done."""
    act, done = wanted.checked()
    outcome = Outcome()
    for start in range(0, len(ids), _TOGETHER):
        some = ids[start : start + _TOGETHER]
        results = await asyncio.gather(*(_attempt(wanted, act, id) for id in some))
        errors = [result for result in results if result is not None]
        outcome.done += len(some) - len(errors)
        outcome.refused.update(error.message for error in errors)
        if any(isinstance(error, _FINAL) for error in errors):
            outcome.left = len(ids) - start - len(some)
            break
    return outcome.words(done)


async def _attempt(wanted: Wanted, act: Act, id: UUID) -> ServiceError | None:
    try:
        await act(id)
    except ServiceError as error:
        return error
    await record(wanted.services, wanted.visitor, f"invoice.{_AUDITED[wanted.name]}", str(id))
    return None


async def matching(services: Services, account_id: UUID, query: InvoiceQuery) -> list[UUID]:
    """The ids of the newest invoices that match, AT_ONCE at most."""
    ids: list[UUID] = []
    more = True
    while more and len(ids) < AT_ONCE:
        page = await services.invoices.list(account_id, query, 100, ids[-1] if ids else None)
        ids += [invoice.id for invoice in page.items]
        more = page.has_more
    return ids
