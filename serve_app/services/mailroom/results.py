"""What mails came to, as their invoices are now."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from serve_app.domain.inbound_mail import InboundMail, MailState
from serve_app.domain.mail_result import MailResult, invoices_of, result_of
from serve_app.store.base import Invoices, Mails


class MailResults:
    """An invoice may be read again, or deleted, long after its mail was done."""

    def __init__(self, mails: Mails, invoices: Invoices) -> None:
        self._mails = mails
        self._invoices = invoices

    async def of(self, mails: Sequence[InboundMail]) -> list[MailResult]:
        """One for each. What they say about problems is written down where it has changed, so that the next list of
        mails with problems is right. Raises Unavailable."""
        return list(await asyncio.gather(*(self._result_of(mail) for mail in mails)))

    async def _result_of(self, mail: InboundMail) -> MailResult:
        found = await asyncio.gather(*(self._invoices.get(mail.account_id, each) for each in invoices_of(mail)))
        result = result_of(mail, [invoice for invoice in found if invoice is not None])
        count = 0 if mail.is_settled else len(result.problems)
        if mail.state is MailState.DONE and mail.problems != count and not result.open:
            await self._mails.save(replace(mail, problems=count))
        return result
