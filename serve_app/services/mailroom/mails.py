"""What people see of mails, and what they decide about them."""

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import InvalidParameter, MailNotFound, Unavailable
from serve_app.domain.inbound_mail import LEFT_OUT, HeldFor, InboundMail, MailQuery, MailState
from serve_app.domain.invoice import Invoice
from serve_app.domain.mail_trust import claimed_sender
from serve_app.domain.query import ListPage
from serve_app.store.base import Files, Mails

_BATCH = 100
_TRIES = 10


class MailService:
    """Every method raises LookupError for a mail that the account does not have, and Unavailable. A decision about a
    mail that is in another state by now changes nothing."""

    def __init__(
        self, mails: Mails, files: Files, clock: Clock = utc_now, on_queued: Callable[[], None] = lambda: None
    ) -> None:
        self._mails = mails
        self._files = files
        self._clock = clock
        self._on_queued = on_queued

    async def page(
        self, account_id: UUID, query: MailQuery, limit: int, after: UUID | None = None
    ) -> ListPage[InboundMail]:
        """Newest first, starting strictly after the id `after` in that order."""
        return await self._mails.page(account_id, query, limit, after)

    async def list_after(
        self, account_id: UUID, query: MailQuery, limit: int, after: UUID | None = None
    ) -> ListPage[InboundMail]:
        """The same. Raises InvalidParameter if the account has no mail `after`."""
        if after is not None and await self._mails.get(account_id, after) is None:
            raise InvalidParameter("starting_after: there is no mail with this id.", "starting_after")
        return await self._mails.page(account_id, query, limit, after)

    async def get(self, account_id: UUID, mail_id: UUID) -> InboundMail:
        mail = await self._mails.get(account_id, mail_id)
        if mail is None:
            raise MailNotFound
        return mail

    async def raw(self, account_id: UUID, mail_id: UUID) -> bytes:
        """Its bytes as they came in. Raises LookupError if they have been removed, too."""
        mail = await self.get(account_id, mail_id)
        try:
            return await self._files.read(mail.file_key)
        except FileNotFoundError:
            raise LookupError(f"the bytes of mail {mail_id} were removed") from None

    async def admit(self, account_id: UUID, mail_id: UUID) -> InboundMail:
        """Take the mail apart although its sender is not known."""
        return await self._decide(account_id, mail_id, self._admitted)

    async def discard(self, account_id: UUID, mail_id: UUID) -> InboundMail:
        """Make no invoice of a mail that is held."""
        return await self._decide(account_id, mail_id, _discarded)

    async def discard_all_of(self, account_id: UUID, address_id: UUID, sender: str) -> int:
        """Discard all held mails to the address that say they are of this sender; returns how many."""
        query, count, after = MailQuery(held_for=HeldFor.SENDER, address_id=address_id), 0, None
        while True:
            page = await self._mails.page(account_id, query, _BATCH, after)
            for mail in page.items:
                if claimed_sender(mail) == sender:
                    await self.discard(account_id, mail.id)
                    count += 1
            if not page.has_more:
                return count
            after = page.items[-1].id

    async def read_again(self, account_id: UUID, mail_id: UUID) -> InboundMail:
        """Take the mail apart anew, as today's rules say; what has become an invoice stays one."""
        return await self._decide(account_id, mail_id, self._again)

    async def read_anyway(self, account_id: UUID, mail_id: UUID, path: str) -> InboundMail:
        """Make an invoice of a part that was left out: because the account has the same file, or because it seemed to
        be no document. If it cannot be read, its outcome says so."""

        def insist_on_part(mail: InboundMail) -> InboundMail:
            part = mail.part(path)
            if part is None or part.outcome not in LEFT_OUT:
                return mail
            return self._again(mail.with_part(replace(part, is_wanted=True)))

        return await self._decide(account_id, mail_id, insist_on_part)

    async def settle(self, account_id: UUID, mail_id: UUID) -> InboundMail:
        """Say that nothing more is to be done about the mail's problems."""
        return await self._decide(account_id, mail_id, lambda mail: replace(mail, is_settled=True, problems=0))

    async def note_fetched(self, account_id: UUID, mail_id: UUID, path: str, invoice: Invoice) -> InboundMail:
        """Show the invoice, whose file was fetched from a link of this part, among the parts of the mail."""
        return await self._decide(account_id, mail_id, lambda mail: mail.with_fetched(path, invoice))

    async def _decide(
        self, account_id: UUID, mail_id: UUID, decide: Callable[[InboundMail], InboundMail]
    ) -> InboundMail:
        for _ in range(_TRIES):
            mail = await self.get(account_id, mail_id)
            decided = decide(mail)
            if decided == mail:
                return mail
            saved = await self._mails.save(decided)
            if saved is not None:
                self._on_queued()
                return saved
        raise Unavailable

    def _admitted(self, mail: InboundMail) -> InboundMail:
        if mail.held_for is not HeldFor.SENDER:
            return mail
        return replace(mail, state=MailState.QUEUED, held_for=None, due_at=self._clock(), is_admitted=True)

    def _again(self, mail: InboundMail) -> InboundMail:
        if mail.state not in {MailState.DONE, MailState.READING, MailState.DISCARDED} or not mail.has_raw:
            return mail
        is_admitted = mail.is_admitted or mail.state is MailState.DISCARDED
        return replace(
            mail, state=MailState.QUEUED, due_at=self._clock(), claims=0, is_admitted=is_admitted, is_settled=False
        )


def _discarded(mail: InboundMail) -> InboundMail:
    if mail.state is not MailState.HELD:
        return mail
    return replace(mail, state=MailState.DISCARDED, held_for=None, due_at=None)
