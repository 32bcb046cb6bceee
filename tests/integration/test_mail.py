"""Mails through the whole service, on a real Ray."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

import pytest

from serve_app.domain.inbound_mail import Envelope, InboundMail, MailQuery, MailState, Outcome, Way
from serve_app.store.base import Store
from serve_app.store.factory import open_files, open_store
from serve_app.wiring.mailroom import build_mailroom
from tests.integration.conftest import Service, replica
from tests.support.mail_corpus import with_file

pytestmark = pytest.mark.ray

FINISHED_WITHIN_S = 300
MAILS = 5


async def finished(store: Store, account_id: UUID) -> Sequence[InboundMail]:
    while True:
        found = (await store.mails.page(account_id, MailQuery(state=MailState.DONE), 2 * MAILS)).items
        if len(found) == MAILS:
            return found
        await asyncio.sleep(0.5)


async def test_a_killed_mailroom_loses_no_mail(service: Service) -> None:
    store, files = open_store(service.settings), open_files(service.settings)
    mailroom = build_mailroom(store, files, service.settings)
    address = await mailroom.addresses.first(service.account_id)
    envelope = Envelope(mailroom.addresses.written(address), Way.SMTP, "anna@example.com")
    pdf = service.pdf.read_bytes()
    for number in range(MAILS):
        raw = with_file(pdf + b"\n%% %d" % number, text=f"Number {number}")
        await mailroom.reception.receive(raw, envelope)
    replica("Mailroom").kill()

    async with asyncio.timeout(FINISHED_WITHIN_S):
        parts = [mail.part("2") for mail in await finished(store, service.account_id)]
    invoices = [
        await store.invoices.get(service.account_id, part.invoice_id) for part in parts if part and part.invoice_id
    ]
    assert [part and part.outcome for part in parts] == [Outcome.INVOICE] * MAILS
    assert {(invoice.source, invoice.status) for invoice in invoices if invoice} == {("email", "complete")}
    await store.connection.close()
