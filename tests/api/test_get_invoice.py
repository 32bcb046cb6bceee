"""GET /v1/invoices/{id}."""

import httpx
import pytest

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.support import NOON, UNKNOWN_ID, make_record, queue_invoice


async def test_a_read_only_key_reads(
    anyone: httpx.AsyncClient, make_key: MakeKey, store: Store, account: Account
) -> None:
    record = make_record(account.id)
    await queue_invoice(store, record)
    answer = await anyone.get(f"/v1/invoices/{record.invoice.id}", headers=await make_key(Scope.READ))
    assert answer.status_code == 200
    assert answer.json() == record.invoice.model_dump(mode="json")


@pytest.mark.parametrize("id", [UNKNOWN_ID, "7", "not-a-uuid", "%00", "0" * 500])
async def test_an_unknown_id_is_404(client: httpx.AsyncClient, id: str) -> None:
    assert_error(await client.get(f"/v1/invoices/{id}"), 404, "not_found", "invoice_not_found")


async def test_another_accounts_id_is_404(client: httpx.AsyncClient, store: Store) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    record = make_record(other.id)
    await queue_invoice(store, record)
    answer = await client.get(f"/v1/invoices/{record.invoice.id}")
    assert_error(answer, 404, "not_found", "invoice_not_found")
