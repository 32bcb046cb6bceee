"""What an operator takes care of is published, part by part."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import trustme

from serve_app.domain.account import Account, Plan
from serve_app.domain.audit import AuditEntry, operator_at
from serve_app.domain.backup import MADE, TESTED
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.services.upkeep import care
from serve_app.services.upkeep.care import Care
from serve_app.store.base import Store
from tests.support import NOON, Clock, queue_new
from tests.support.meters import installed_meter

ACTOR = operator_at("ann", "host")


async def ahead() -> timedelta:
    return timedelta(seconds=-1.5)


async def lost() -> timedelta:
    raise StoreUnreachable


def entry(action: str, minutes: int) -> AuditEntry:
    return AuditEntry(new_id(), None, NOON + timedelta(minutes=minutes), ACTOR, action)


async def test_each_part_is_a_number(store: Store, tmp_path: Path) -> None:
    key, certificate = tmp_path / "signing.key", tmp_path / "mail.pem"
    key.write_text("key")
    trustme.CA().issue_cert("mail.example.com", not_after=NOON).cert_chain_pems[0].write_to_path(certificate)
    for action, minutes in ((MADE, 1), (TESTED, 2), (MADE, 3), ("plan.changed", 4)):
        await store.audit.add(entry(action, minutes))
    with installed_meter() as meter:
        await Care(store, {"files": tmp_path}, {"signing": key}, {"mail": certificate}, ahead).publish()
    found = meter.values
    assert found["invoices_disk_free_bytes", "files"] > 0
    assert found["invoices_backup_made_timestamp_seconds",] == (NOON + timedelta(minutes=3)).timestamp()
    assert found["invoices_backup_tested_timestamp_seconds",] == (NOON + timedelta(minutes=2)).timestamp()
    assert found["invoices_key_changed_timestamp_seconds", "signing"] == key.stat().st_mtime
    assert found["invoices_certificate_expires_timestamp_seconds", "mail"] == NOON.replace(microsecond=0).timestamp()
    assert found["invoices_clock_offset_seconds",] == -1.5
    assert found["invoices_clock_unkept",] in (0, 1)


async def test_listed_accounts_have_numbers_of_their_own(store: Store, clock: Clock) -> None:
    listed, other = (Account(new_id(), Plan.FREE, NOON) for _ in range(2))
    for account in (listed, other):
        await store.accounts.add(account)
        await queue_new(store, account.id, NOON)
    with installed_meter() as meter:
        await Care(store, {}, {}, {}, ahead, [listed.id], clock).publish()
    assert meter.values["invoices_account_month_documents", str(listed.id)] == 1
    assert meter.values["invoices_account_queue_documents", str(listed.id), "queued"] == 1
    assert meter.values["invoices_account_queue_documents", str(listed.id), "processing"] == 0
    assert not any(str(other.id) in labels for labels in meter.values)


async def test_without_a_backup_its_time_is_zero(store: Store) -> None:
    with installed_meter() as meter:
        await Care(store, {}, {}, {}, ahead).publish()
    assert meter.values["invoices_backup_made_timestamp_seconds",] == 0


async def test_a_part_that_is_out_of_reach_leaves_the_others(store: Store, tmp_path: Path) -> None:
    with installed_meter() as meter:
        await Care(store, {"files": tmp_path / "gone"}, {}, {"mail": tmp_path / "gone"}, lost).publish()
    assert meter.values.keys() == {
        ("invoices_backup_made_timestamp_seconds",),
        ("invoices_backup_tested_timestamp_seconds",),
        ("invoices_clock_unkept",),
    }


async def test_a_backup_is_found_behind_many_other_entries(store: Store) -> None:
    await store.audit.add(entry(MADE, 0))
    for _ in range(3):
        await store.audit.add(entry("plan.changed", 1))
    made = await care.newest(store.audit, [MADE])
    assert made[MADE] == replace(made[MADE], at=NOON)
