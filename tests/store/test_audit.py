"""What people did is kept in order, for each account alone."""

from datetime import timedelta

from serve_app.domain.account import Account
from serve_app.domain.audit import AuditEntry, actor_of
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.support import NOON
from tests.support.people import COMMAND_LINE, add_member


async def test_entries_are_listed_newest_first_page_by_page(store: Store, account: Account) -> None:
    ann = await add_member(store, account)
    entries = [
        AuditEntry(
            new_id(), account.id, NOON + timedelta(seconds=number), actor, "key.revoked", "till", {"n": str(number)}
        )
        for number, actor in enumerate((actor_of(ann), COMMAND_LINE, actor_of(ann)))
    ]
    for entry in entries:
        await store.audit.add(entry)
    first = await store.audit.page(account.id, 2)
    assert (list(first.items), first.has_more) == (entries[:0:-1], True)
    second = await store.audit.page(account.id, 2, after=entries[1].id)
    assert (list(second.items), second.has_more) == (entries[:1], False)


async def test_accounts_and_the_deployment_have_their_own_entries(store: Store, account: Account) -> None:
    entries = [AuditEntry(new_id(), owner, NOON, COMMAND_LINE, "person.invited") for owner in (account.id, None)]
    for entry in entries:
        await store.audit.add(entry)
    assert (await store.audit.page(account.id, 10)).items == (entries[0],)
    assert (await store.audit.page(None, 10)).items == (entries[1],)
    assert (await store.audit.page(new_id(), 10)).items == ()


async def test_what_was_done_to_one_thing_is_found(store: Store, account: Account) -> None:
    entries = [AuditEntry(new_id(), account.id, NOON, COMMAND_LINE, "invoice.paid", name) for name in ("one", "two")]
    entries += [AuditEntry(new_id(), None, NOON, COMMAND_LINE, "invoice.paid", "one")]
    entries += [AuditEntry(new_id(), account.id, NOON, COMMAND_LINE, "invoice.tagged", "one")]
    for entry in entries:
        await store.audit.add(entry)
    assert await store.audit.of_target(account.id, "one", 10) == [entries[3], entries[0]]
    assert await store.audit.of_target(account.id, "one", 1) == [entries[3]]
