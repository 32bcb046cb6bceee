"""Whoever keeps a copy of the invoices asks for what has changed, and misses nothing."""

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.record import Amendment
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.invoices import complete_one
from tests.support import Clock

PATH = "/v1/invoices"


class Copy:
    """A copy that is brought up to date page by page."""

    def __init__(self, client: httpx.AsyncClient, limit: int) -> None:
        self._client = client
        self._limit = limit
        self._place: dict[str, str] = {}
        self.tags: dict[str, str | None] = {}
        self.read = 0

    async def step(self) -> bool:
        """Read a page; whether another one follows."""
        asked = {"sort": "updated_at", "limit": str(self._limit), **self._place}
        page = (await self._client.get(PATH, params=asked)).json()
        self.tags |= {one["id"]: one["entity_tag"] for one in page["data"]}
        self.read += len(page["data"])
        if page["data"]:
            last = page["data"][-1]
            self._place = {"updated_after": last["updated_at"], "starting_after": last["id"]}
        return bool(page["has_more"])

    async def finish(self) -> None:
        while await self.step():
            pass


@pytest.fixture
async def ids(store: Store, clock: Clock, account: Account) -> list[str]:
    """Ten invoices that were all read at the same moment, some time ago."""
    found = [str((await complete_one(store, account)).id) for _ in range(10)]
    clock.advance(60)
    return found


async def tag(client: httpx.AsyncClient, id: str, text: str) -> None:
    assert (await client.patch(f"{PATH}/{id}", json={"entity_tag": text})).status_code == 200


@pytest.mark.parametrize("limit", [1, 3, 100])
async def test_every_change_is_found_whatever_else_changes_meanwhile(
    client: httpx.AsyncClient, clock: Clock, ids: list[str], limit: int
) -> None:
    copy = Copy(client, limit)
    await copy.step()
    # One that was read already, and one that was not, in the middle of the walk and at the same moment.
    await tag(client, ids[0], "first")
    await tag(client, ids[9], "last")
    clock.advance(60)
    await copy.finish()
    assert copy.tags == {id: {ids[0]: "first", ids[9]: "last"}.get(id) for id in ids}
    before = copy.read
    await copy.finish()
    assert copy.read == before


async def test_a_change_is_listed_once_no_earlier_one_can_appear_any_more(
    client: httpx.AsyncClient, store: Store, account: Account, clock: Clock, ids: list[str]
) -> None:
    copy = Copy(client, 100)
    await copy.finish()
    late, started = await complete_one(store, account), clock.now
    clock.advance(5)
    await tag(client, ids[0], "fast")
    await copy.finish()
    assert copy.tags[ids[0]] is None
    # A write that began before it and ends after it.
    await store.invoices.amend(account.id, late.id, Amendment(sets_tag=True, entity_tag="slow"), started)
    clock.advance(20)
    await copy.finish()
    assert (copy.tags[ids[0]], copy.tags[str(late.id)]) == ("fast", "slow")


async def test_the_place_stays_where_an_invoice_was_deleted(client: httpx.AsyncClient, ids: list[str]) -> None:
    copy = Copy(client, 4)
    await copy.step()
    await client.delete(f"{PATH}/{ids[3]}")
    await copy.finish()
    assert copy.tags.keys() == set(ids)


async def test_changes_since_a_moment_are_filtered_as_any_list(
    client: httpx.AsyncClient, clock: Clock, ids: list[str]
) -> None:
    await tag(client, ids[4], "north")
    clock.advance(60)
    since = (await client.get(f"{PATH}/{ids[3]}")).json()["updated_at"]
    for more in ({}, {"sort": "updated_at"}, {"sort": "updated_at", "entity_tag": "north"}):
        found = (await client.get(PATH, params={"updated_after": since, **more})).json()["data"]
        assert [one["id"] for one in found] == [ids[4]]


async def test_a_place_needs_its_moment(client: httpx.AsyncClient, ids: list[str]) -> None:
    answer = await client.get(PATH, params={"sort": "updated_at", "starting_after": ids[0]})
    assert "updated_after" in assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
