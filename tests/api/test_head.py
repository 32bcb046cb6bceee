"""HEAD is GET without the body, wherever there is GET."""

import httpx
import pytest

from tests.api.checks import assert_error
from tests.support import PDF_BYTES, FakeModels


@pytest.fixture
async def paths(client: httpx.AsyncClient) -> list[str]:
    """Every kind of address that has GET, with an invoice behind it."""
    invoice = (await client.post("/v1/invoices", files={"file": ("a.pdf", PDF_BYTES)})).json()["id"]
    link = (await client.get(f"/v1/invoices/{invoice}/file")).json()["url"]
    of_the_api = [
        f"/v1/{name}" for name in ("invoices", "vendors", "events", "me", "openapi.json", f"invoices/{invoice}")
    ]
    others = ["/livez", "/readyz", "/docs", "/docs/favicon.png", "/approvals/nonsense", "/v1/nothing", "/v1/invoices/7"]
    return [*of_the_api, f"/v1/invoices/{invoice}/file", link, *others]


async def test_it_has_the_status_and_headers_of_get(client: httpx.AsyncClient, paths: list[str]) -> None:
    changing = {"x-request-id", "x-ratelimit-remaining"}
    for path in paths:
        head, get = await client.head(path), await client.get(path)
        assert (head.status_code, head.content) == (get.status_code, b""), path
        assert get.content, path
        for name in ("content-length", "content-type", "x-request-id", "x-ratelimit-remaining"):
            assert (name in head.headers) is (name in get.headers), (path, name)
        kept = [{n: v for n, v in answer.headers.items() if n not in changing} for answer in (head, get)]
        # The link is signed each time, so its length may differ.
        assert kept[0] == kept[1], path


async def test_it_counts_as_a_request(client: httpx.AsyncClient) -> None:
    left = [int((await client.head("/v1/me")).headers["X-RateLimit-Remaining"]) for _ in range(2)]
    assert left == [59, 58]


async def test_where_get_is_not_it_is_not_either(client: httpx.AsyncClient) -> None:
    answer = await client.head("/v1/invoices/7/extract")
    assert (answer.status_code, answer.headers["Allow"], answer.content) == (405, "POST", b"")
    answer = await client.post("/readyz")
    assert_error(answer, 405, "invalid_request_error", "method_not_allowed")
    assert answer.headers["Allow"] == "GET, HEAD"


async def test_troubles_have_no_body_either(anyone: httpx.AsyncClient, models: FakeModels) -> None:
    models.are_ready = False
    for path, status in (("/v1/me", 401), ("/readyz/extract", 503)):
        answer = await anyone.head(path)
        assert (answer.status_code, answer.content) == (status, b"")
        assert int(answer.headers["Content-Length"]) > 0


async def test_the_log_says_what_was_asked(client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"):
        await client.head("/livez")
    assert [record.__dict__["method"] for record in caplog.records if record.message == "answered"] == ["HEAD"]
