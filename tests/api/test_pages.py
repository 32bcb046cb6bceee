"""`/v1/invoices/{id}/pages/{n}`."""

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.api.reviews import read_one


async def test_a_page_has_its_words_and_the_address_of_its_picture(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account)
    page = (await client.get(f"/v1/invoices/{record.invoice.id}/pages/1")).json()
    assert (page["page"], page["width"], page["height"]) == (1, 595.0, 842.0)
    assert page["words"] == [
        {"text": "Total", "box": [0.0, 0.0, 0.1, 0.02], "score": 0.99},
        {"text": "1,190.50", "box": [0.15, 0.0, 0.3, 0.02], "score": 0.74},
    ]
    picture = await client.get(page["picture"])
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")


@pytest.mark.parametrize("number", ["0", "2", "999999", "x", "-1"])
@pytest.mark.parametrize("what", ["", "/picture"])
async def test_a_page_that_is_not_there_is_404(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account, number: str, what: str
) -> None:
    record = await read_one(store, files, account)
    answer = await client.get(f"/v1/invoices/{record.invoice.id}/pages/{number}{what}")
    assert_error(answer, 404, "not_found", "part_unavailable")
