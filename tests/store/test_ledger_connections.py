"""Connections to the APIs of other programs, in both stores."""

from dataclasses import replace

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.ledger_connection import Ledger, LedgerConnection
from serve_app.store.base import Store
from tests.support import NOON


def connection_of(account: Account, ledger: Ledger = Ledger.XERO) -> LedgerConnection:
    return LedgerConnection(account.id, ledger, {"tenant_id": "Müller"}, "sealed", NOON)


async def test_there_is_one_of_an_account_and_a_program(store: Store, account: Account) -> None:
    connections, known = store.ledger_connections, connection_of(account)
    assert await connections.set(known)
    changed = replace(known, sealed="other")
    assert await connections.set(changed)
    assert await connections.set(connection_of(account, Ledger.ODOO))
    assert await connections.get(account.id, Ledger.XERO) == changed
    assert len(await connections.list_all()) == 2
    assert await connections.get(new_id(), Ledger.XERO) is None


async def test_a_secret_is_replaced_unless_it_was_changed(store: Store, account: Account) -> None:
    connections, known = store.ledger_connections, connection_of(account)
    await connections.set(known)
    assert await connections.replace_secret(known, "new")
    assert not await connections.replace_secret(known, "late")
    found = await connections.get(account.id, Ledger.XERO)
    assert found == replace(known, sealed="new")


async def test_they_are_removed_and_go_with_their_account(store: Store, account: Account) -> None:
    connections, known = store.ledger_connections, connection_of(account)
    await connections.set(known)
    assert await connections.remove(account.id, Ledger.XERO)
    assert not await connections.remove(account.id, Ledger.XERO)
    await connections.set(known)
    await store.erasure.account(account.id)
    assert await connections.list_all() == []
    assert not await connections.set(known)
