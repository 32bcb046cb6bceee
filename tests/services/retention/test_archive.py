"""Old events and their deliveries move to the archive: none is lost or doubled, whatever is cut off."""

import json
from collections import Counter
from datetime import timedelta
from uuid import UUID

import pytest

from serve_app.domain.archive import ARCHIVE
from serve_app.domain.erased import Erased
from serve_app.domain.errors import EventNotFound, StoreUnreachable
from serve_app.domain.invoice import Extraction
from serve_app.domain.query import DeliveryQuery, EventQuery
from serve_app.domain.retention import Retention
from serve_app.services.accounts.erase import AccountEraser
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.retention.archive import EventArchive, archived_lines
from serve_app.services.retention.rounds import RetentionRounds
from serve_app.services.upkeep.verification import Verification
from serve_app.services.webhooks.events import EventService
from serve_app.store.base import Files, Store
from tests.store.hooks import REACHED, claim_one
from tests.support import NOON, Clock, claim_next, newest_events
from tests.support.sound import Scene, make_scene, spread

LATER = NOON + timedelta(seconds=1)


@pytest.fixture
async def scene(store: Store, files: Files) -> Scene:
    """Four events, each delivered once."""
    scene = await make_scene(store, files)
    for _ in range(4):
        assert await store.deliveries.delivered(await claim_one(store, scene.endpoint), REACHED)
    return scene


@pytest.fixture
def archive(store: Store, files: Files, clock: Clock) -> EventArchive:
    return EventArchive(store, files, clock)


async def lines(files: Files, account_id: UUID, kind: str) -> list[dict[str, object]]:
    found = [json.loads(line) async for line in archived_lines(files, account_id)]
    return [line[kind] for line in found if kind in line]


async def deliveries(store: Store, account_id: UUID) -> int:
    return len((await store.deliveries.page(account_id, DeliveryQuery(), 100)).items)


async def logged_once(store: Store, files: Files, account_id: UUID) -> bool:
    """Whether each event is archived once, with its one delivery, and is in the store no more."""
    events, sent = await lines(files, account_id, "event"), await lines(files, account_id, "delivery")
    counts = Counter(event["id"] for event in events), Counter(delivery["event_id"] for delivery in sent)
    assert await newest_events(store, account_id) == []
    assert await deliveries(store, account_id) == 0
    return counts[0] == counts[1] and set(counts[0].values()) == {1} and len(events) == 4


async def test_what_was_sent_is_archived_byte_for_byte_with_every_attempt(
    archive: EventArchive, scene: Scene, store: Store, files: Files, verification: Verification
) -> None:
    account_id = scene.account.id
    page = (await store.events.page(account_id, EventQuery(), 10)).items
    before = {event.id: event.payload for event in page}
    assert await archive.move(account_id, LATER) == Erased(events=4, deliveries=4)
    assert await logged_once(store, files, account_id)
    found = [line async for line in archived_lines(files, account_id) if line.startswith('{"event"')]
    assert found == [f'{{"event":{before[id]}}}' for id in sorted(before)]
    sent = await lines(files, account_id, "delivery")
    assert all(delivery["state"] == "delivered" and len(delivery["attempts"]) == 1 for delivery in sent)  # type: ignore[arg-type]
    assert await verification.of_account(account_id) == []
    assert [stray async for stray in verification.strays([account_id])] == []
    assert await store.quotas.used(account_id, NOON.replace(day=1, hour=0, minute=0, second=0, microsecond=0)) == 4


async def test_what_is_young_or_waits_for_an_attempt_stays(
    archive: EventArchive, scene: Scene, store: Store, files: Files, verification: Verification
) -> None:
    account_id = scene.account.id
    assert await archive.move(account_id, NOON) == Erased()
    newest = (await store.deliveries.page(account_id, DeliveryQuery(), 1)).items[0]
    await store.deliveries.redeliver(account_id, newest.id)
    assert await archive.move(account_id, LATER) == Erased(events=3, deliveries=3)
    assert [event.id for event in await newest_events(store, account_id)] == [newest.event_id]
    assert await verification.of_account(account_id) == []
    again = await claim_one(store, scene.endpoint)
    assert again.id == newest.id
    await store.deliveries.delivered(again, REACHED)
    await archive.move(account_id, LATER)
    assert await logged_once(store, files, account_id)


@pytest.mark.parametrize("step", ["write", "read", "remove_archived"])
async def test_a_round_that_is_cut_off_loses_nothing_and_doubles_nothing(
    archive: EventArchive, scene: Scene, store: Store, files: Files, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Killed after each of its steps; the next round finds what it left."""
    part = store.retention if step == "remove_archived" else files
    work = getattr(type(part), step)

    async def once(*arguments: object) -> None:
        await work(*arguments)
        raise StoreUnreachable

    account_id = scene.account.id
    with monkeypatch.context() as killed:
        killed.setattr(type(part), step, once)
        with pytest.raises(StoreUnreachable):
            await archive.move(account_id, LATER)
    there = {event.id for event in await newest_events(store, account_id)}
    archived = {event["id"] for event in await lines(files, account_id, "event")}
    assert len(there | archived) == 4
    await archive.move(account_id, LATER)
    assert await logged_once(store, files, account_id)


async def test_deliveries_that_went_before_their_event_stay_in_its_archive(
    archive: EventArchive, scene: Scene, store: Store, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is sent again between being read and being removed, so its event stays for the next round."""
    account_id = scene.account.id
    remove = type(store.retention).remove_archived
    other = (await store.deliveries.page(account_id, DeliveryQuery(), 1)).items[0]

    async def late(*arguments: object) -> Erased:
        await store.deliveries.redeliver(account_id, other.id)
        return await remove(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as between:
        between.setattr(type(store.retention), "remove_archived", late)
        assert await archive.move(account_id, LATER) == Erased(events=3, deliveries=3)
    await store.deliveries.delivered(await claim_one(store, scene.endpoint), REACHED)
    assert await archive.move(account_id, LATER) == Erased(events=1, deliveries=1)
    assert await logged_once(store, files, account_id)
    attempts = {line["id"]: len(line["attempts"]) for line in await lines(files, account_id, "delivery")}  # type: ignore[arg-type]
    assert attempts.pop(str(other.id)) == 2
    assert set(attempts.values()) == {1}


async def test_an_archive_that_is_not_read_as_it_was_written_costs_no_row(
    archive: EventArchive, scene: Scene, store: Store, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = type(files).write

    async def damaged(self: Files, key: str, data: bytes) -> None:
        await write(self, key, data[:-1])

    monkeypatch.setattr(type(files), "write", damaged)
    assert await archive.move(scene.account.id, LATER) == Erased()
    assert len(await newest_events(store, scene.account.id)) == 4


async def test_with_its_invoice_an_archived_event_is_erased(
    archive: EventArchive, scene: Scene, store: Store, files: Files, clock: Clock, verification: Verification
) -> None:
    account_id, invoice_id = scene.account.id, scene.first.invoice.id
    await archive.move(account_id, LATER)
    await InvoiceEraser(store, files, clock).erase(account_id, invoice_id)
    left = await lines(files, account_id, "event")
    assert len(left) == 3
    assert str(invoice_id) not in [event["data"]["invoice"]["id"] for event in left]  # type: ignore[index]
    assert await verification.of_account(account_id) == []
    await AccountEraser(store, files, clock).erase(account_id)
    assert await files.keys_in(ARCHIVE) == []


async def test_an_invoice_that_is_erased_while_its_event_is_archived_leaves_no_file(
    archive: EventArchive, scene: Scene, store: Store, files: Files, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = type(files).write

    async def late(self: Files, key: str, data: bytes) -> None:
        if str(scene.first.invoice.id) in key:
            await InvoiceEraser(store, files, clock).erase(scene.account.id, scene.first.invoice.id)
        await write(self, key, data)

    monkeypatch.setattr(type(files), "write", late)
    await archive.move(scene.account.id, LATER)
    assert str(scene.first.invoice.id) not in str(await files.keys_in(ARCHIVE))
    assert len(await lines(files, scene.account.id, "event")) == 3


async def test_a_list_goes_on_from_an_archived_event_for_thirty_days(
    archive: EventArchive, scene: Scene, store: Store, clock: Clock
) -> None:
    service, account_id = EventService(store.events), scene.account.id
    first, *_ = (await service.list(account_id, EventQuery(), 10)).items
    await archive.move(account_id, LATER)
    page = await service.list(account_id, EventQuery(), 10, after=first.id)
    assert (list(page.items), page.has_more) == ([], False)
    with pytest.raises(EventNotFound):
        await service.get(account_id, first.id)


async def test_a_run_after_the_archiving_is_reported_like_any_other(
    archive: EventArchive, scene: Scene, store: Store, files: Files, verification: Verification
) -> None:
    account_id = scene.account.id
    await archive.move(account_id, LATER)
    invoice = await store.invoices.get(account_id, scene.first.invoice.id)
    assert invoice is not None
    await store.intake.rerun(invoice, account_id, NOON.replace(day=1), None)
    await store.queue.save_result(await claim_next(store), Extraction(vendor_name="Acme Ltd"), NOON)
    await spread(store)
    assert await verification.of_account(account_id) == []
    await store.deliveries.delivered(await claim_one(store, scene.endpoint), REACHED)
    await archive.move(account_id, LATER)
    events = await lines(files, account_id, "event")
    assert len(events) == 5
    assert await verification.of_account(account_id) == []


@pytest.mark.parametrize("store_kind", ["sqlite", "mongomock"])
async def test_a_missing_archive_is_named(
    archive: EventArchive, scene: Scene, files: Files, verification: Verification
) -> None:
    await archive.move(scene.account.id, LATER)
    await files.delete((await files.keys_in(ARCHIVE))[0])
    assert {found.kind for found in await verification.of_account(scene.account.id)} == {"events"}


@pytest.mark.parametrize("store_kind", ["sqlite", "mongomock"])
async def test_an_account_may_have_a_rule_of_its_own(scene: Scene, store: Store, files: Files, clock: Clock) -> None:
    await store.retention.set_rule(scene.account.id, Retention(events_days=0))
    clock.now = NOON + timedelta(days=31)
    await RetentionRounds(store, files, Retention(0, 30), clock).run()
    assert len(await newest_events(store, scene.account.id)) == 4
    await store.retention.set_rule(scene.account.id, Retention(values_days=0))
    await RetentionRounds(store, files, Retention(0, 30), clock).run()
    assert await logged_once(store, files, scene.account.id)
    assert await store.invoices.get(scene.account.id, scene.first.invoice.id) is not None


@pytest.mark.parametrize("store_kind", ["sqlite", "mongomock"])
async def test_more_than_a_batch_goes_in_one_round(
    archive: EventArchive, scene: Scene, store: Store, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serve_app.services.retention.archive._BATCH", 3)
    assert await archive.move(scene.account.id, LATER) == Erased(events=4, deliveries=4)
