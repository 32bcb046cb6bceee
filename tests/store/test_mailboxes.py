"""It is remembered how far a mailbox was read."""

from collections.abc import Callable
from datetime import timedelta

from serve_app.domain.mailbox import MailboxPosition
from serve_app.store.base import Store
from tests.support import NOON


async def test_each_folder_has_its_own_position(store: Store, open_again: Callable[[], Store]) -> None:
    assert await store.mailboxes.position("a@mail.test:993/INBOX") is None
    first, second = MailboxPosition(2**32 - 1, 7, NOON), MailboxPosition(1, 9, NOON + timedelta(hours=1))
    await store.mailboxes.set_position("a@mail.test:993/INBOX", first)
    await store.mailboxes.set_position("a@mail.test:993/Bills", second)
    other = open_again()
    assert await other.mailboxes.position("a@mail.test:993/INBOX") == first
    await other.mailboxes.set_position("a@mail.test:993/INBOX", second)
    assert await store.mailboxes.position("a@mail.test:993/INBOX") == second
