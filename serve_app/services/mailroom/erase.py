"""Removes mails permanently, with the invoice that came with them or with their account."""

import logging
from dataclasses import replace
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.inbound_mail import InboundMail
from serve_app.services.mailroom.cleanup import end_mail, erased
from serve_app.store.base import Files, Store

_BATCH = 100
_TRIES = 10

log = logging.getLogger(__name__)


class MailEraser:
    """Every call can be repeated after a crash."""

    def __init__(self, store: Store, files: Files, clock: Clock = utc_now) -> None:
        self._store = store
        self._files = files
        self._clock = clock

    async def forget_invoice(self, account_id: UUID, invoice_id: UUID) -> None:
        """Delete the bytes of every mail that contains this invoice, and what people wrote in it; its other invoices
        have files of their own. To be called before the invoice itself is removed."""
        for mail in await self._store.mails.of_invoice(account_id, invoice_id):
            await self._forget(mail, invoice_id)
        await self._store.mail_documents.forget(account_id, invoice_id)

    async def _forget(self, mail: InboundMail, invoice_id: UUID) -> None:
        present: InboundMail | None = mail
        for _ in range(_TRIES):
            if present is None:
                return
            await self._files.delete(present.file_key)
            if await self._store.mails.save(erased(present, invoice_id)) is not None:
                log.info("mail erased", extra={"mail_id": str(mail.id), "account_id": str(mail.account_id)})
                return
            present = await self._store.mails.get(mail.account_id, mail.id)
        raise StoreUnreachable

    async def close_addresses(self, account_id: UUID) -> None:
        """Take no more mail for the account."""
        now = self._clock()
        for address in await self._store.mail_addresses.of_account(account_id):
            if address.takes_mail_at(now):
                await self._store.mail_addresses.save(replace(address, ends_at=now))

    async def remove_all(self, account_id: UUID) -> int:
        """Remove all mails of the account; returns how many. A mail that changes meanwhile is tried again."""
        removed = 0
        while mails := await self._store.mails.of_account(account_id, _BATCH):
            ended = [await end_mail(mail, self._store.mails, self._files) for mail in mails]
            removed += sum(ended)
        return removed
