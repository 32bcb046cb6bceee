"""What is older than it is to be kept is removed, and a receipt tells how much."""

from datetime import timedelta

import pytest

from serve_app.domain.account import Account, Plan, sandbox_of
from serve_app.domain.erased import Erased
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.retention import Removal, Retention
from serve_app.services.accounts.erase import AccountEraser
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.retention.rounds import RetentionRounds
from serve_app.store.base import Files, Store
from tests.support import NOON, Clock, claim_next, newest_events, queue_new


class Scene:
    def __init__(self, store: Store, files: Files, account: Account, clock: Clock) -> None:
        self.store, self.files, self.account, self.clock = store, files, account, clock

    async def complete(self, account: Account | None = None, days_ago: int = 0) -> InvoiceRecord:
        owner = account or self.account
        record = await queue_new(self.store, owner.id, NOON - timedelta(days=days_ago))
        await self.files.write(record.file_key, b"bytes")
        await self.store.queue.save_result(await claim_next(self.store), Extraction(vendor_name="ACME"), NOON)
        await newest_events(self.store, owner.id)
        return record

    async def round(self, default: int = 0) -> None:
        await RetentionRounds(self.store, self.files, Retention(default), self.clock).run()

    async def is_there(self, record: InvoiceRecord) -> bool:
        return await self.store.invoices.get(record.account_id, record.invoice.id) is not None

    async def another(self) -> Account:
        account = Account(new_id(), Plan.FREE, NOON)
        await self.store.accounts.add(account)
        return account


@pytest.fixture
def scene(store: Store, files: Files, account: Account, clock: Clock) -> Scene:
    return Scene(store, files, account, clock)


async def test_old_invoices_go_with_all_they_have_and_young_ones_stay(scene: Scene) -> None:
    old, young = await scene.complete(days_ago=31), await scene.complete(days_ago=29)
    await scene.round(default=30)
    assert (await scene.is_there(old), await scene.is_there(young)) == (False, True)
    assert [file.key async for file in scene.files.list_all()] == [young.file_key]
    assert [event.data.invoice.id for event in await newest_events(scene.store, scene.account.id)] == [young.invoice.id]
    (receipt,) = await scene.store.retention.receipts(10)
    assert (receipt.account_id, receipt.why) == (scene.account.id, Removal.RETENTION)
    assert (receipt.before, receipt.done_at) == (NOON - timedelta(days=30), NOON)
    assert receipt.erased == Erased(invoices=1, files=1, events=1)


async def test_an_account_may_have_a_rule_of_its_own(scene: Scene) -> None:
    others = [await scene.another() for _ in range(3)]
    rules = [Retention(10), Retention(0), Retention(None)]
    for other, rule in zip(others, rules, strict=True):
        assert await scene.store.retention.set_rule(other.id, rule)
    records = [await scene.complete(other, days_ago=20) for other in (*others, scene.account)]
    await scene.round(default=0)
    assert [await scene.is_there(record) for record in records] == [False, True, True, True]
    await scene.round(default=15)
    assert [await scene.is_there(record) for record in records] == [False, True, False, False]


async def test_test_data_follows_the_rule_of_its_account(scene: Scene) -> None:
    other = await scene.another()
    assert await scene.store.retention.set_rule(other.id, Retention(10))
    sandboxes = [sandbox_of(account, NOON) for account in (other, scene.account)]
    for sandbox in sandboxes:
        await scene.store.accounts.add(sandbox)
    records = [await scene.complete(sandbox, days_ago=20) for sandbox in sandboxes]
    await scene.round(default=0)
    assert [await scene.is_there(record) for record in records] == [False, True]
    await scene.round(default=15)
    assert [await scene.is_there(record) for record in records] == [False, False]


async def test_what_is_not_finished_stays(scene: Scene) -> None:
    record = await queue_new(scene.store, scene.account.id, NOON - timedelta(days=100))
    await scene.round(default=1)
    assert await scene.is_there(record)


async def test_more_than_a_batch_goes_in_one_round_and_a_second_one_does_nothing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serve_app.services.retention.rounds._BATCH", 2)
    for _ in range(5):
        await scene.complete(days_ago=2)
    await scene.round(default=1)
    receipts = await scene.store.retention.receipts(10)
    assert sorted(receipt.erased.invoices for receipt in receipts) == [1, 2, 2]
    await scene.round(default=1)
    assert await scene.store.retention.receipts(10) == receipts


async def test_a_round_that_breaks_off_leaves_an_open_receipt_and_the_next_one_goes_on(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [await scene.complete(days_ago=2) for _ in range(2)]
    remove = InvoiceEraser.remove

    async def once(self: InvoiceEraser, record: InvoiceRecord) -> Erased:
        await remove(self, record)
        raise StoreUnreachable

    monkeypatch.setattr(InvoiceEraser, "remove", once)
    with pytest.raises(StoreUnreachable):
        await scene.round(default=1)
    (receipt,) = await scene.store.retention.receipts(10)
    assert receipt.done_at is None
    monkeypatch.undo()
    await scene.round(default=1)
    assert not any([await scene.is_there(record) for record in records])
    receipts = await scene.store.retention.receipts(10)
    assert [receipt.done_at for receipt in receipts] == [NOON, None]


async def test_a_process_looks_once_an_hour(scene: Scene) -> None:
    now = [5.0]
    rounds = RetentionRounds(scene.store, scene.files, Retention(1), scene.clock, lambda: now[0])
    await rounds.run()
    record = await scene.complete(days_ago=2)
    await rounds.run()
    assert await scene.is_there(record)
    now[0] += 3601
    await rounds.run()
    assert not await scene.is_there(record)


async def test_a_deletion_has_a_receipt_and_that_of_an_account_outlives_it(scene: Scene) -> None:
    record = await scene.complete()
    await scene.complete()
    await scene.store.retention.set_rule(scene.account.id, Retention(7))
    await InvoiceEraser(scene.store, scene.files, scene.clock).erase(scene.account.id, record.invoice.id)
    erased = await AccountEraser(scene.store, scene.files, scene.clock).erase(scene.account.id)
    last, first = await scene.store.retention.receipts(10, scene.account.id)
    assert (first.why, first.erased.invoices) == (Removal.INVOICE, 1)
    assert (last.why, last.erased) == (Removal.ACCOUNT, erased)
    assert await scene.store.retention.rules() == {}


async def test_receipts_are_listed_newest_first_of_one_account_or_all(scene: Scene) -> None:
    other = await scene.another()
    for owner in (scene.account, other, scene.account):
        await scene.complete(owner, days_ago=2)
        await scene.round(default=1)
    newest, middle, oldest = await scene.store.retention.receipts(10)
    assert [each.account_id for each in (newest, middle, oldest)] == [scene.account.id, other.id, scene.account.id]
    assert await scene.store.retention.receipts(10, scene.account.id) == [newest, oldest]
    assert await scene.store.retention.receipts(1, after=newest.id) == [middle]


async def test_an_account_that_is_not_there_gets_no_rule(scene: Scene) -> None:
    assert not await scene.store.retention.set_rule(new_id(), Retention(1))
    assert await scene.store.retention.rules() == {}


async def test_the_law_of_a_country_keeps_them_longer(scene: Scene, clock: Clock) -> None:
    old = await scene.complete(days_ago=400)
    await scene.store.retention.set_rule(scene.account.id, Retention(30, documents_days=30, country="DE"))
    await scene.round()
    assert await scene.is_there(old)
    assert old.file_key in [file.key async for file in scene.files.list_all()]
    clock.now += timedelta(days=11 * 366)
    await scene.round()
    assert not await scene.is_there(old)
