"""`/v1/quality`."""

import httpx

from serve_app.domain.account import Account
from serve_app.store.base import Store
from tests.services.review.test_quality import decide


async def test_levels_are_measured_on_what_people_decided(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    empty = (await client.get("/v1/quality")).json()
    assert (empty["promised"], empty["decided"], empty["levels"]) == (0.98, 0, [])
    for is_right in (True, True, False):
        await decide(store, account, is_right=is_right)
    answer = (await client.get("/v1/quality")).json()
    (amount,) = [row for row in answer["levels"] if row["field"] == "amount"]
    assert (amount["level"], amount["values"], amount["right"], amount["share"]) == ("high", 3, 2, 0.6667)
    assert amount["low"] < 0.6667 < amount["high"]
    assert {row["field"]: row["corrected"] for row in answer["fields"]}["amount"] == 1
    assert answer["thresholds"] == []
