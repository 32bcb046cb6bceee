"""What responses contain besides their body."""

import json
import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.telemetry.logs import JsonFormatter
from tests.api.checks import assert_error
from tests.api.invoices import complete_one
from tests.support import PDF_BYTES

FORM = {"file": ("a.pdf", PDF_BYTES)}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"wait_seconds": 0.05})


async def test_every_202_shows_where_the_invoice_is(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    complete = await complete_one(store, account)
    answers = [
        await client.post("/v1/invoices", files=FORM),
        await client.post("/v1/invoices?wait=true", files=FORM),
        await client.post(f"/v1/invoices/{complete.id}/extract", json={"force": True}),
    ]
    assert [answer.status_code for answer in answers] == [202, 202, 202]
    assert [answer.json().get("wait_timed_out") for answer in answers] == [None, True, None]
    for answer in answers:
        shown = await client.get(answer.headers["Location"])
        assert shown.json()["id"] == answer.json()["id"]


async def test_a_quota_that_is_used_up_shows_the_seconds_to_the_end_of_the_month(client: httpx.AsyncClient) -> None:
    for _ in range(10):
        await client.post("/v1/invoices", files=FORM)
    answer = await client.post("/v1/invoices", files=FORM)
    assert_error(answer, 429, "quota_exceeded", "monthly_quota_reached")
    over = datetime.now(UTC) + timedelta(seconds=int(answer.headers["Retry-After"]))
    assert (over.day, over.hour, over.minute) == (1, 0, 0)


@pytest.fixture
def log_lines(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], list[dict[str, object]]]]:
    """The log as the service writes it."""
    caplog.handler.setFormatter(JsonFormatter())
    with caplog.at_level(logging.INFO):
        yield lambda: [json.loads(line) for line in caplog.text.splitlines() if line.startswith("{")]


async def test_the_log_has_the_details_of_a_fault_under_the_answers_request_id(
    client: httpx.AsyncClient,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    log_lines: Callable[[], list[dict[str, object]]],
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(store.quotas, "used", broken)
    answer = await client.get("/v1/me", headers={"X-Request-Id": "order-7"})
    assert_error(answer, 500, "api_error", "internal")
    assert answer.headers["X-Request-Id"] == "order-7"
    logged = [line for line in log_lines() if "secret detail" in json.dumps(line)]
    assert [line["request_id"] for line in logged] == ["order-7"]


async def test_faults_of_the_framework_are_in_the_envelope_too(app: FastAPI, anyone: httpx.AsyncClient) -> None:
    @app.get("/v1/wrong")
    async def wrong() -> object:
        return object()

    @app.get("/v1/typed")
    async def typed(number: int) -> int:
        return number

    assert_error(await anyone.get("/v1/wrong"), 500, "api_error", "internal")
    assert_error(await anyone.get("/v1/typed"), 400, "invalid_request_error", "invalid_parameter")
