"""Which calls are repeated, with which key and how patiently."""

import logging
from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from invoices_client import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AsyncClient,
    AuthenticationError,
    InvoicesError,
    QuotaExceededError,
    RateLimitError,
    ServiceError,
)
from invoices_client.options import Options
from invoices_client.rate_limit import RateLimit
from invoices_client.retries import Retries

KEY = "inv_live_secret"
Step = httpx.Response | httpx.TransportError


def refusal(status: int, type: str, code: str, retry_after: str | None = None) -> httpx.Response:
    headers = {"X-Request-Id": "r1", **({"Retry-After": retry_after} if retry_after else {})}
    return httpx.Response(status, json={"error": {"type": type, "code": code, "message": "no"}}, headers=headers)


LIMIT = refusal(429, "rate_limit_error", "rate_limited", "0")
QUOTA = refusal(429, "quota_exceeded", "monthly_quota_reached", "9")
FAULT = refusal(500, "api_error", "internal")
IN_FLIGHT = refusal(409, "api_error", "idempotency_in_flight", "0")
SLOW = refusal(408, "invalid_request_error", "request_timeout")
LOST, NEVER_SENT = httpx.ReadError("reset"), httpx.ConnectError("refused")
DONE = httpx.Response(204)


class Service:
    """Gives each of the answers, and keeps the requests."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if isinstance(step, httpx.TransportError):
            raise step
        return httpx.Response(step.status_code, content=step.content, headers=step.headers)


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
async def client(service: Service) -> AsyncIterator[AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.MockTransport(service)) as http:
        yield AsyncClient(api_key=KEY, http_client=http, backoff=0, max_retries=2)


@pytest.mark.parametrize("first", [LIMIT, FAULT, IN_FLIGHT, SLOW, LOST, NEVER_SENT])
async def test_a_create_is_repeated_with_one_key(service: Service, client: AsyncClient, first: Step) -> None:
    service.steps = [first, first, QUOTA]
    with pytest.raises(QuotaExceededError):
        await client.invoices.create(file=b"%PDF")
    assert len(service.requests) == 3
    assert len({request.headers["Idempotency-Key"] for request in service.requests}) == 1
    assert len({request.content.partition(b"%PDF")[1] for request in service.requests}) == 1


async def test_a_change_is_repeated_with_one_key_or_that_of_the_caller(service: Service, client: AsyncClient) -> None:
    calls = (
        lambda key: client.invoices.update("1", paid=True, idempotency_key=key),
        lambda key: client.invoices.extract("1", force=True, idempotency_key=key),
        lambda key: client.invoices.request_approval("1", email="boss@example.com", idempotency_key=key),
    )
    for call in calls:
        for given in (None, "mine"):
            service.requests, service.steps = [], [LOST, IN_FLIGHT, QUOTA]
            with pytest.raises(QuotaExceededError):
                await call(given)
            keys = {request.headers["Idempotency-Key"] for request in service.requests}
            assert (len(service.requests), len(keys)) == (3, 1)
            assert given is None or keys == {given}


@pytest.mark.parametrize(
    ("answer", "error"), [(LIMIT, RateLimitError), (FAULT, ServiceError), (LOST, APIConnectionError)]
)
async def test_retries_end(service: Service, client: AsyncClient, answer: Step, error: type[InvoicesError]) -> None:
    service.steps = [answer]
    with pytest.raises(error):
        await client.me()
    assert len(service.requests) == 3
    with pytest.raises(error):
        await client.with_options(max_retries=0).me()
    assert len(service.requests) == 4


@pytest.mark.parametrize("answer", [QUOTA, refusal(401, "authentication_error", "invalid_api_key")])
async def test_what_does_not_change_is_not_repeated(service: Service, client: AsyncClient, answer: Step) -> None:
    service.steps = [answer]
    with pytest.raises(APIError) as error:
        await client.invoices.create(file=b"%PDF")
    assert (len(service.requests), error.value.request_id) == (1, "r1")
    assert isinstance(error.value, QuotaExceededError | AuthenticationError)


@pytest.mark.parametrize(("first", "calls"), [(FAULT, 1), (LOST, 1), (NEVER_SENT, 2), (LIMIT, 2), (SLOW, 2)])
async def test_a_call_without_a_key_is_repeated_only_if_nothing_was_done(
    service: Service, client: AsyncClient, first: Step, calls: int
) -> None:
    service.steps = [first, QUOTA]
    with pytest.raises((APIError, APIConnectionError)):
        await client.webhook_endpoints.rotate_secret("1")
    assert len(service.requests) == calls


async def test_an_id_cannot_leave_its_place_in_the_path(service: Service, client: AsyncClient) -> None:
    service.steps = [DONE]
    await client.invoices.delete("a/../b?c")
    assert service.requests[0].url.raw_path == b"/v1/invoices/a%2F..%2Fb%3Fc"


async def test_a_proxys_answer_is_an_error_too(service: Service, client: AsyncClient) -> None:
    service.steps = [httpx.Response(502, text="<html>Bad Gateway</html>")]
    with pytest.raises(APIError) as error:
        await client.me()
    assert (type(error.value), error.value.status, error.value.code) == (APIError, 502, "")


async def test_a_late_answer_is_an_error_of_its_own(service: Service, client: AsyncClient) -> None:
    service.steps = [httpx.ReadTimeout("slow")]
    with pytest.raises(APITimeoutError):
        await client.me()


async def test_a_held_call_may_be_silent_for_longer(service: Service, client: AsyncClient) -> None:
    service.steps = [QUOTA]
    for wait in (True, False):
        with pytest.raises(QuotaExceededError):
            await client.with_options(timeout=5).invoices.create(file=b"%PDF", wait=wait)
    read = [request.extensions["timeout"]["read"] for request in service.requests]
    assert read == [75.0, 5]


async def test_logs_have_no_key_document_or_link(
    service: Service, client: AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    service.steps = [LIMIT, DONE]
    with caplog.at_level(logging.DEBUG, "invoices_client"):
        await client.invoices.delete("7")
        await client.request("GET", "/v1/files/token-of-a-link", params={"vendor": "acme"})
    text = "".join(record.getMessage() for record in caplog.records if record.name == "invoices_client")
    assert "DELETE /v1/invoices/7 is repeated" in text
    assert "204" in text
    assert not any(secret in text for secret in (KEY, "token-of-a-link", "acme"))


async def test_a_client_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INVOICES_API_KEY", raising=False)
    with pytest.raises(ValueError, match="INVOICES_API_KEY"):
        AsyncClient()
    monkeypatch.setenv("INVOICES_API_KEY", KEY)
    monkeypatch.setenv("INVOICES_URL", "https://invoices.example/")
    async with AsyncClient() as client:
        assert client._transport.options.url == "https://invoices.example"


class TestPauses:
    OPTIONS = Options("", "", max_retries=9, backoff=0.5)

    @pytest.fixture
    def retries(self) -> Retries:
        return Retries(self.OPTIONS, repeatable=True)

    def test_they_grow(self, retries: Retries) -> None:
        pauses = [retries.pause(APIError(FAULT)) or 0 for _ in range(9)]
        bounds = [min(0.5 * 2**attempt, 8) for attempt in range(9)]
        assert all(bound / 2 <= pause <= bound for pause, bound in zip(pauses, bounds, strict=True))
        assert retries.pause(APIError(FAULT)) is None

    @pytest.mark.parametrize(("asked", "longest"), [("17", 17), ("120", 120), ("121", None), ("soon", 0.5)])
    def test_they_are_as_long_as_the_service_asks(self, retries: Retries, asked: str, longest: float | None) -> None:
        pause = retries.pause(APIError(refusal(429, "rate_limit_error", "rate_limited", asked)))
        assert pause is longest if longest is None else pause is not None and pause <= longest

    def test_a_held_key_is_waited_for_beyond_the_retries(self, retries: Retries) -> None:
        held = APIError(refusal(409, "api_error", "idempotency_in_flight", "5"))
        assert [retries.pause(held) for _ in range(31)] == [*[5.0] * 30, None]
        assert retries.pause(APIError(FAULT)) is not None


class TestRateLimit:
    def limit(self, now: list[float]) -> tuple[RateLimit, Callable[[int, int], None]]:
        limit = RateLimit(lambda: now[0])

        def note(remaining: int, reset: int) -> None:
            headers = {"Limit": "3", "Remaining": str(remaining), "Reset": str(reset)}
            date = {"Date": "Sun, 17 May 2026 12:00:00 GMT"}
            limit.note({**{f"X-RateLimit-{name}": value for name, value in headers.items()}, **date})

        return limit, note

    def test_calls_wait_for_the_next_window(self) -> None:
        now = [0.0]
        limit, note = self.limit(now)
        noon = 1779019200
        assert limit.reserve() == 0
        note(2, noon + 10)
        assert [limit.reserve() for _ in range(3)] == [0, 0, 10]
        # An answer that was overtaken counts nothing back.
        note(1, noon + 10)
        now[0] = 4
        assert limit.reserve() == 6
        now[0] = 10
        assert limit.reserve() == 0

    def test_a_service_without_a_limit_is_not_waited_for(self) -> None:
        limit = RateLimit()
        limit.note({})
        assert limit.reserve() == 0
