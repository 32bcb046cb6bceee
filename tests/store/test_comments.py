"""Comments belong to an invoice of an account, and go with it."""

from dataclasses import replace

from serve_app.domain.account import Account, Plan
from serve_app.domain.comment import Comment
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.support import NOON, queue_new

ANN, BOB = new_id(), new_id()


async def test_comments_are_listed_oldest_first_and_by_whom_they_name(store: Store, account: Account) -> None:
    record = await queue_new(store, account.id)
    ids = account.id, record.invoice.id
    comments = [Comment(new_id(), *ids, NOON, ANN, "Ann", text, (BOB,) * (text == "two")) for text in ("one", "two")]
    for comment in comments:
        assert await store.comments.add(comment)
    assert await store.comments.of_invoice(*ids, 9) == comments
    assert await store.comments.of_invoice(*ids, 1) == comments[1:]
    assert await store.comments.mentioning(account.id, BOB, 9) == comments[1:]
    assert await store.comments.mentioning(account.id, ANN, 9) == []


async def test_other_accounts_have_nothing_of_them(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    record = await queue_new(store, account.id)
    comment = Comment(new_id(), account.id, record.invoice.id, NOON, ANN, "Ann", "one", (BOB,))
    assert await store.comments.add(comment)
    assert not await store.comments.add(replace(comment, id=new_id(), account_id=other.id))
    assert not await store.comments.add(replace(comment, id=new_id(), invoice_id=new_id()))
    assert await store.comments.of_invoice(other.id, record.invoice.id, 9) == []
    assert await store.comments.mentioning(other.id, BOB, 9) == []


async def test_they_go_with_their_invoice(store: Store, account: Account) -> None:
    record = await queue_new(store, account.id)
    comment = Comment(new_id(), account.id, record.invoice.id, NOON, ANN, "Ann", "one", (BOB,))
    await store.comments.add(comment)
    await store.erasure.invoice(record, NOON)
    assert await store.comments.of_invoice(account.id, record.invoice.id, 9) == []
    assert await store.comments.mentioning(account.id, BOB, 9) == []
    assert not await store.comments.add(replace(comment, id=new_id()))
