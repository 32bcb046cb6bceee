"""What can be done to several invoices at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from serve_app.domain.email_address import mail_server_form
from serve_app.domain.errors import (
    InvalidParameter,
    InvoiceNotFound,
    LimitReached,
    MailNotSent,
    ServiceError,
    Unavailable,
)
from serve_app.domain.ids import parse_id
from serve_app.domain.invoice import ReviewStatus
from serve_app.domain.plain_text import one_line, without_controls
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.record import Amendment
from serve_app.services.bundle import Services
from serve_app.services.review.change import MAX_REASON, ReviewChange
from serve_app.web.changes import record
from serve_app.web.invoices.outcome import Change, Outcome, read_changes
from serve_app.web.visitor import Visitor

AT_ONCE = 1000
"""How many invoices one act changes at most."""
_TOGETHER = 20
_TAG_LENGTH = 60
# After one of these, the others would fail as well.
_FINAL = (LimitReached, MailNotSent, Unavailable)

Do = Callable[[UUID], Awaitable[str | None]]


@dataclass(frozen=True, slots=True)
class BulkAction:
    """What is done to one invoice: `do` answers the token by which `undo_act` can undo it, or None. `done` is in words
    what was done, as in "marked as paid"; `audited` names it for the audit trail, empty if the service itself does."""

    do: Do
    done: str
    audited: str = ""
    undo_act: str = "take_back"


@dataclass(frozen=True, slots=True)
class BulkRequest:
    """An act with its value (a tag, an address, a reason or a person), on behalf of a visitor. `links` is where links
    in mail begin."""

    services: Services
    visitor: Visitor
    name: str
    value: str
    links: str

    def checked(self) -> BulkAction:
        """The act on one invoice. Raises InvalidParameter for a wrong value."""
        match self.name:
            case "paid" | "unpaid":
                return BulkAction(
                    self._amending(Amendment(paid=self.name == "paid")), f"marked as {self.name}", self.name
                )
            case "tag":
                return self._tagging(without_controls(self.value).strip())
            case "approval":
                return self._asking(self.value.strip())
            case "read":
                return BulkAction(self._reading, "queued to be read again", "read_again")
            case "confirm":
                return BulkAction(self._deciding(ReviewChange(status=ReviewStatus.CONFIRMED)), "confirmed")
            case "reject":
                return self._rejecting(one_line(self.value))
            case "assign":
                return self._assigning(self.value)
            case "take_back":
                return self._taking_back(read_changes(self.value))
            case "assign_back":
                return self._assigning_back(read_changes(self.value))
        raise InvalidParameter("Choose an action for the selected invoices.")

    def _amending(self, amendment: Amendment) -> Do:
        async def amend(id: UUID) -> None:
            await self.services.invoices.amend(self.visitor.account.id, id, amendment)

        return amend

    def _tagging(self, tag: str) -> BulkAction:
        if len(tag) > _TAG_LENGTH:
            raise InvalidParameter(f"A tag has at most {_TAG_LENGTH} characters.")
        done = f"tagged “{tag}”" if tag else "untagged"
        return BulkAction(self._amending(Amendment(sets_tag=True, entity_tag=tag or None)), done, "tagged")

    def _asking(self, address: str) -> BulkAction:
        if mail_server_form(address) is None:
            raise InvalidParameter("Enter the e-mail address of the approver, such as name@example.com.")
        asked_by, account = self.visitor.person.email, self.visitor.account.id

        async def ask(id: UUID) -> None:
            await self.services.approvals.request(account, id, address, asked_by, self.links)

        done = f"sent to {address} for approval"
        if not self.services.mail_check.has_server:
            done += "; the e-mail was written to a file, because this service has no mail server"
        return BulkAction(ask, done, "sent_for_approval")

    async def _reading(self, id: UUID) -> None:
        await self.services.invoices.read_again(self.visitor.account, id, force=True)

    def _rejecting(self, reason: str) -> BulkAction:
        if not reason:
            raise InvalidParameter("Enter the reason for the rejection.")
        if len(reason) > MAX_REASON:
            raise InvalidParameter(f"A reason has at most {MAX_REASON} characters.")
        return BulkAction(self._deciding(ReviewChange(status=ReviewStatus.REJECTED, reason=reason)), "rejected")

    def _deciding(self, change: ReviewChange) -> Do:
        account, actor = self.visitor.account.id, self.visitor.actor

        async def decide(id: UUID) -> str:
            return str(await self.services.bulk_review.decide(account, id, change, actor))

        return decide

    def _assigning(self, person: str) -> BulkAction:
        person_id = parse_id(person)
        if person and person_id is None:
            raise InvalidParameter("This person does not exist.")
        account, actor = self.visitor.account.id, self.visitor.actor

        async def assign(id: UUID) -> str:
            before = await self.services.bulk_review.assign(account, id, person_id, actor)
            return f"{person_id or ''}/{before or ''}"

        return BulkAction(assign, "assigned" if person_id else "unassigned", undo_act="assign_back")

    def _assigning_back(self, changes: Sequence[Change]) -> BulkAction:
        tokens = {change.invoice_id: change.token.partition("/") for change in changes}
        account, actor = self.visitor.account.id, self.visitor.actor

        async def assign_back(id: UUID) -> None:
            if id not in tokens:
                raise InvoiceNotFound
            given, _, before = tokens[id]
            await self.services.bulk_review.assign_back(account, id, parse_id(given), parse_id(before), actor)

        return BulkAction(assign_back, "assigned back")

    def _taking_back(self, changes: Sequence[Change]) -> BulkAction:
        revisions = {change.invoice_id: int(change.token) for change in changes if change.token.isdecimal()}
        account, actor = self.visitor.account.id, self.visitor.actor

        async def take_back(id: UUID) -> None:
            if id not in revisions:
                raise InvoiceNotFound
            await self.services.bulk_review.take_back(account, id, revisions[id], actor)

        return BulkAction(take_back, "open again")


async def run_bulk_action(bulk: BulkRequest, ids: Sequence[UUID]) -> Outcome:
    """Do it to each invoice. Raises InvalidParameter for a wrong value, before anything is done."""
    act = bulk.checked()
    outcome = Outcome(act.done, undo_act=act.undo_act)
    for start in range(0, len(ids), _TOGETHER):
        some = ids[start : start + _TOGETHER]
        results = await asyncio.gather(*(_attempt(bulk, act, id) for id in some))
        for id, result in zip(some, results, strict=True):
            outcome.add(id, result)
        if any(isinstance(result, _FINAL) for result in results):
            outcome.left = len(ids) - start - len(some)
            break
    return outcome


async def _attempt(bulk: BulkRequest, act: BulkAction, id: UUID) -> str | ServiceError | None:
    try:
        token = await act.do(id)
    except ServiceError as error:
        return error
    if act.audited:
        await record(bulk.services, bulk.visitor, f"invoice.{act.audited}", str(id))
    return token


async def matching(services: Services, account_id: UUID, query: InvoiceQuery) -> list[UUID]:
    """The ids of the newest invoices that match, AT_ONCE at most."""
    ids: list[UUID] = []
    more = True
    while more and len(ids) < AT_ONCE:
        page = await services.invoices.list(account_id, query, 100, ids[-1] if ids else None)
        ids += [invoice.id for invoice in page.items]
        more = page.has_more
    return ids
