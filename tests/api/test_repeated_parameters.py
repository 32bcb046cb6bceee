"""A query parameter must be given only once: which of two values is meant would be unclear."""

import httpx
import pytest

from serve_app.domain.account import Scope
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.support import PDF_BYTES, UNKNOWN_ID


@pytest.mark.parametrize(
    "url",
    [
        "/v1/invoices?status=failed&status=complete",
        "/v1/invoices?limit=5&limit=5",
        "/v1/invoices?limit=5&colour=red&limit=500",
        "/v1/events?type=invoice.failed&type=invoice.completed",
        "/v1/vendors?limit=1&limit=2",
        f"/v1/invoices/{UNKNOWN_ID}/file?original=true&original=false",
    ],
)
async def test_a_repeated_parameter_is_400(client: httpx.AsyncClient, url: str) -> None:
    message = assert_error(await client.get(url), 400, "invalid_request_error", "invalid_parameter")
    assert message == f"{url.partition('?')[2].partition('=')[0]}: send it only once."


async def test_it_is_400_where_a_document_is_sent_too_but_the_key_comes_first(
    anyone: httpx.AsyncClient, make_key: MakeKey
) -> None:
    async def post(key: dict[str, str]) -> httpx.Response:
        files = {"file": ("a.pdf", PDF_BYTES)}
        return await anyone.post("/v1/invoices?wait=true&wait=false", files=files, headers=key)

    assert_error(await post({}), 401, "authentication_error", "missing_api_key")
    assert_error(await post(await make_key(Scope.READ)), 403, "authentication_error", "insufficient_scope")
    answer = await post(await make_key())
    assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
    assert answer.headers["X-RateLimit-Remaining"] == "59"


async def test_an_unknown_parameter_is_ignored_however_often_it_is_given(client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/invoices?colour=red&colour=blue")).status_code == 200
