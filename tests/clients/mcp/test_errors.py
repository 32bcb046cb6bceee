"""What goes wrong reaches the agent in words, without keys."""

import httpx
import pytest
from mcp import Client, MCPError

from invoices_mcp import Access, Options, build_server
from tests.clients.mcp.conftest import texts

KEY = "inv_live_secret"


def refused(status: int, type: str, code: str, **headers: str) -> httpx.Response:
    error = {"type": type, "code": code, "message": "The cause.", "param": None}
    return httpx.Response(status, json={"error": error}, headers={"X-Request-Id": "r1", **headers})


CASES = [
    (refused(401, "authentication_error", "invalid_api_key"), "The invoice service refused the API key"),
    (refused(404, "not_found", "invoice_not_found"), "The cause. (404 invoice_not_found, request r1)"),
    (refused(429, "rate_limit_error", "rate_limited", **{"Retry-After": "300"}), "Too many calls. Try again in 300 s."),
    (refused(402, "quota_exceeded", "quota_exceeded"), "The account's monthly extractions are used up"),
    (
        refused(503, "api_error", "service_unavailable", **{"Retry-After": "300"}),
        "could not do it now. Try again later",
    ),
    (None, "The invoice service does not answer. Try again later."),
]


@pytest.mark.parametrize(("response", "words"), CASES, ids=["401", "404", "429", "402", "503", "away"])
@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
async def test_errors_of_the_service(
    response: httpx.Response | None, words: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if response is None:
            raise httpx.ConnectError(f"no way to {request.url} with {KEY}")
        return response

    monkeypatch.setattr("invoices_mcp.access._RETRIES", 0)
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        server = build_server(Access(lambda: KEY, http, Options(), url="http://service"))
        async with Client(server, mode=mode) as agent:
            assert len((await agent.list_tools()).tools) == 9
            result = await agent.call_tool("get_invoice", {"invoice_id": "1"})
            marked = await agent.call_tool("mark_paid", {"invoice_id": "1"})
            with pytest.raises(MCPError) as error:
                await agent.read_resource("invoices://1")
            with pytest.raises(MCPError) as listing:
                await agent.list_resources()
    shown = [*texts(result), *texts(marked), str(error.value), str(listing.value)]
    assert all(words in text for text in shown), shown
    assert not any(KEY in text or "http://" in text for text in shown)
    assert result.is_error
    assert marked.is_error
