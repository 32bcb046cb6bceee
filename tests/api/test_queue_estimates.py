"""What callers are told about a queue, and a service that takes no more."""

import httpx
import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account
from serve_app.domain.load import PageKind
from serve_app.domain.pace import Pace, Stage
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.services import build_services
from tests.api.test_create_invoice import form
from tests.support import NOON, Clock, FakeCutter, FakeModels, FakeNotifier, queue_new

PATH = "/v1/invoices"
COSTS = {(Stage.READ, PageKind.TEXT): 20.0}


@pytest.fixture
async def pace(store: Store) -> None:
    """Twenty seconds of work for a page, which take as long."""
    await store.paces.note(Pace("a", NOON, COSTS, speed=1.0))


@pytest.mark.usefixtures("pace")
async def test_a_queued_invoice_says_when_it_will_be_started(client: httpx.AsyncClient) -> None:
    first, second = [(await client.post(PATH, **form())).json() for _ in range(2)]
    assert first["estimated_start_at"] == "2026-05-17T12:00:10Z"
    found = (await client.get(f"{PATH}/{second['id']}")).json()
    # The one before it takes 20 s; rounded up to five seconds. The backlog is looked at every two seconds.
    assert found["estimated_start_at"] in {"2026-05-17T12:00:10Z", "2026-05-17T12:00:30Z"}
    assert {each["estimated_start_at"] for each in (await client.get(PATH)).json()["data"]} == {None}


async def test_without_a_known_speed_it_does_not_say(client: httpx.AsyncClient) -> None:
    assert (await client.post(PATH, **form())).json()["estimated_start_at"] is None


@pytest.mark.usefixtures("pace")
async def test_a_wait_that_timed_out_says_so_too(
    client: httpx.AsyncClient, app: FastAPI, store: Store, files: Files, settings: Settings
) -> None:
    settings = settings.model_copy(update={"max_held_calls": 0})
    app.state.services = build_services(store, files, FakeNotifier(), FakeCutter(), FakeModels(), settings, Clock())
    answer = (await client.post(PATH, params={"wait": "true"}, **form())).json()
    assert answer["wait_timed_out"]
    assert answer["estimated_start_at"] is not None


@pytest.fixture
def short_wait(app: FastAPI, store: Store, files: Files, settings: Settings) -> None:
    """The service accepts nothing that would wait for more than half a minute."""
    settings = settings.model_copy(update={"max_wait_seconds": 30.0})
    app.state.services = build_services(store, files, FakeNotifier(), FakeCutter(), FakeModels(), settings, Clock())


@pytest.mark.usefixtures("pace", "short_wait")
async def test_a_document_that_would_wait_too_long_is_refused(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    for _ in range(3):
        await queue_new(store, account.id)
    answer = await client.post(PATH, headers={"Idempotency-Key": "k"}, **form())
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "queue_too_long"
    assert answer.json()["error"]["type"] == "api_error"
    assert answer.headers["Retry-After"] == "30"
    assert (await store.queue.backlog()).documents() == 3
    # The key may be used again at once.
    assert (await client.post(PATH, headers={"Idempotency-Key": "k"}, **form())).status_code == 503


@pytest.mark.usefixtures("pace", "short_wait")
async def test_a_replay_is_answered_however_long_the_queue_is(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    first = await client.post(PATH, headers={"Idempotency-Key": "k"}, **form())
    assert first.status_code == 202
    for _ in range(3):
        await queue_new(store, account.id)
    again = await client.post(PATH, headers={"Idempotency-Key": "k"}, **form())
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (202, "true")
