"""What the tests of mail look up in the store."""

from serve_app.domain.account import Account
from serve_app.domain.inbound_mail import InboundMail
from serve_app.store.base import Store


async def present(store: Store, mail: InboundMail) -> InboundMail:
    found = await store.mails.get(mail.account_id, mail.id)
    assert found is not None
    return found


async def actions(store: Store, account: Account) -> list[str]:
    return [entry.action for entry in (await store.audit.page(account.id, 10)).items]
