"""Many calls at once through a real Ray Serve with two replicas of the ingress."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import pytest

from actors.proxy import MAX_BODY_BYTES
from benchmarks.api.memory import Peak, titled
from benchmarks.api.uploads import OFFERED, Refusal, upload_too_much
from serve_app.domain.account import Account, Plan
from serve_app.domain.clock import month_start, utc_now
from serve_app.domain.query import InvoiceQuery
from serve_app.settings import Settings
from serve_app.settings.keys import with_keys
from serve_app.store.base import Store
from serve_app.store.factory import open_store
from serve_app.wiring.accounts import build_accounts
from tests.integration.conftest import Service
from tests.support import make_record
from tests.support.until import until

pytestmark = pytest.mark.ray

NAME = "pair"
INGRESS = f"ServeReplica:{NAME}:Ingress"
PATH = "/v1/invoices"
LIMIT = 60
# The reader refuses it in a moment, so that a hundred cost no time.
UNREADABLE = b"%PDF-1.7 nothing"
# At a time, far over the limit.
UPLOADS = 4

NewAccount = Callable[..., Awaitable[tuple[Account, list[str]]]]


@dataclass(frozen=True, slots=True)
class ServicePair:
    """A second API next to that of `service`: two replicas on the same store, with a rate limit."""

    url: str
    settings: Settings
    pdf: bytes

    def client(self, raw: str | None = None) -> httpx.AsyncClient:
        headers = {} if raw is None else bearer(raw)
        limits = httpx.Limits(max_connections=None)
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=120, limits=limits)

    def answered(self) -> list[int]:
        """Requests that each replica has answered so far: lines of the log that it has open."""
        logs = [file.path for process in titled(INGRESS) for file in process.open_files() if "replica_" in file.path]
        return [Path(log).read_text().count("/v1/") for log in logs]


@pytest.fixture(scope="module")
def pair(service: Service) -> Iterator[ServicePair]:
    from ray import serve

    from actors.ingress import Ingress

    arguments = service.graph["applications"][0]["args"]["settings"]
    settings = with_keys(Settings(**arguments).model_copy(update={"rate_limit": LIMIT}))
    others = [serve.get_deployment_handle(name, "invoices") for name in ("Dispatcher", "Extractor", "Verifier")]
    plain: Any = Ingress
    ingress = plain.options(num_replicas=2, ray_actor_options={"num_cpus": 0}, graceful_shutdown_timeout_s=5)
    serve.run(ingress.bind(settings, *others), name=NAME, route_prefix=f"/{NAME}")
    yield ServicePair(f"{service.url}/{NAME}", settings, service.pdf.read_bytes())
    serve.delete(NAME)


@pytest.fixture
async def store(pair: ServicePair) -> AsyncIterator[Store]:
    store = open_store(pair.settings)
    yield store
    await store.connection.close()


@pytest.fixture
def new_account(store: Store) -> NewAccount:
    """Makes an account on a plan, with some keys; returns it and the raw keys."""

    async def make(plan: Plan = Plan.UNLIMITED, keys: int = 1) -> tuple[Account, list[str]]:
        accounts = build_accounts(store)
        account = await accounts.create_account(plan)
        return account, [(await accounts.create_key(account.id, "till"))[1] for _ in range(keys)]

    return make


def bearer(raw: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {raw}"}


async def create(client: httpx.AsyncClient, data: bytes = UNREADABLE, **more: Any) -> httpx.Response:
    return await client.post(PATH, files={"file": ("a.pdf", data, "application/pdf")}, **more)


async def finished(client: httpx.AsyncClient, count: int) -> list[dict[str, Any]]:
    """The account's invoices, once there are this many and all are finished."""
    async with asyncio.timeout(60):
        while True:
            invoices: list[dict[str, Any]] = (await client.get(PATH, params={"limit": 100})).json()["data"]
            if len(invoices) == count and all(invoice["status"] in {"complete", "failed"} for invoice in invoices):
                return invoices
            await asyncio.sleep(0.2)


async def invoices_of(store: Store, account: Account) -> list[str]:
    return [str(invoice.id) for invoice in (await store.invoices.page(account.id, InvoiceQuery(), 100)).items]


async def accepted(store: Store, account: Account) -> None:
    """Returns once the account has an invoice."""
    await until(lambda: invoices_of(store, account), 60)


async def used(store: Store, account: Account) -> int:
    return await store.quotas.used(account.id, month_start(utc_now()))


def code_of(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["code"]) if answer.status_code >= 400 else str(answer.status_code)


async def test_of_a_hundred_creates_with_one_key_one_makes_an_invoice(
    pair: ServicePair, store: Store, new_account: NewAccount
) -> None:
    account, raws = await new_account(keys=2)
    before = pair.answered()
    async with pair.client() as client:
        headers = [{**bearer(raw), "Idempotency-Key": "order 7"} for raw in raws]
        answers = await asyncio.gather(*(create(client, headers=headers[number % 2]) for number in range(100)))
        again = await create(client, headers=headers[0])
    assert {code_of(answer) for answer in answers} <= {"202", "idempotency_in_flight"}
    made = {answer.json()["id"] for answer in answers if answer.status_code == 202}
    assert made == {again.json()["id"]}
    assert again.headers["Idempotency-Replayed"] == "true"
    assert await invoices_of(store, account) == [*made]
    assert await used(store, account) == 1
    assert all(after > was for was, after in zip(before, pair.answered(), strict=True))


async def test_of_a_hundred_creates_with_ten_units_left_ten_are_accepted(
    pair: ServicePair, store: Store, new_account: NewAccount
) -> None:
    account, raws = await new_account(Plan.PRO, keys=2)
    limit = Plan.PRO.monthly_limit or 0
    for _ in range(limit - 10):
        await store.intake.reserve(make_record(account.id), month_start(utc_now()), limit)
    async with pair.client() as client:
        answers = await asyncio.gather(*(create(client, headers=bearer(raws[number % 2])) for number in range(100)))
    assert Counter(map(code_of, answers)) == {"202": 10, "monthly_quota_reached": 90}
    assert await used(store, account) == limit
    assert len(await invoices_of(store, account)) == 10


async def test_of_120_requests_in_a_minute_60_are_answered(pair: ServicePair, new_account: NewAccount) -> None:
    _, (raw,) = await new_account()
    await begin_of_window()
    before = pair.answered()
    async with pair.client(raw) as client:
        answers = await asyncio.gather(*(client.get("/v1/me") for _ in range(2 * LIMIT)))
    assert Counter(map(code_of, answers)) == {"200": LIMIT, "rate_limited": LIMIT}
    accepted = [answer for answer in answers if answer.status_code == 200]
    assert sorted(int(answer.headers["X-RateLimit-Remaining"]) for answer in accepted) == list(range(LIMIT))
    (reset,) = {int(answer.headers["X-RateLimit-Reset"]) for answer in answers}
    assert reset % 60 == 0
    assert {answer.headers["X-RateLimit-Limit"] for answer in answers} == {str(LIMIT)}
    refused = [answer for answer in answers if answer.status_code == 429]
    assert {answer.headers["X-RateLimit-Remaining"] for answer in refused} == {"0"}
    assert all(1 <= int(answer.headers["Retry-After"]) <= 60 for answer in refused)
    assert all(after > was for was, after in zip(before, pair.answered(), strict=True))


async def begin_of_window() -> None:
    """Away from the end of a minute: the requests are to fall into one."""
    if utc_now().second > 45:
        await asyncio.sleep(61 - utc_now().second)


async def test_a_revoked_key_fails_on_its_very_next_call_on_all_replicas(
    pair: ServicePair, store: Store, new_account: NewAccount
) -> None:
    account, (raw,) = await new_account()
    (key,) = await store.keys.of_account(account.id)
    async with pair.client(raw) as client:
        answers = await asyncio.gather(*(client.get("/v1/me") for _ in range(20)))
        assert Counter(map(code_of, answers)) == {"200": 20}
        before = pair.answered()
        assert await store.keys.revoke(account.id, key.id, utc_now())
        # Which replica answers is Serve's choice, by queue lengths that may be ten seconds old: until both have.
        async with asyncio.timeout(60):
            while not all(after > was for was, after in zip(before, pair.answered(), strict=True)):
                answers = await asyncio.gather(*(client.get("/v1/me") for _ in range(20)))
                assert Counter(map(code_of, answers)) == {"invalid_api_key": 20}


async def test_the_document_of_a_caller_that_hangs_up_is_read(
    pair: ServicePair, store: Store, new_account: NewAccount
) -> None:
    account, (raw,) = await new_account()
    async with pair.client(raw) as hasty, pair.client(raw) as client:
        call = asyncio.create_task(create(hasty, pair.pdf, params={"wait": True}))
        await accepted(store, account)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        (invoice,) = await finished(client, 1)
    assert invoice["status"] == "complete"


async def test_who_hangs_up_at_any_moment_leaves_an_invoice_that_is_read_or_nothing(
    pair: ServicePair, store: Store, new_account: NewAccount
) -> None:
    account, (raw,) = await new_account()

    async def cut(seconds: float) -> None:
        async with pair.client(raw) as client:
            call = asyncio.create_task(create(client, params={"wait": True}))
            await asyncio.sleep(seconds)
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)

    await asyncio.gather(*(cut(number * 0.05) for number in range(30)))
    # What was being taken in is taken in.
    await asyncio.sleep(2)
    count = await used(store, account)
    async with pair.client(raw) as client:
        assert len(await finished(client, count)) == count
    assert count > 0


async def test_no_header_of_a_client_steers_serve(pair: ServicePair, new_account: NewAccount) -> None:
    _, (raw,) = await new_account()
    steering = {
        "X-Request-Timeout-Seconds": "0.001",
        "X-Request-Disconnect-Disabled": "?1",
        "Serve_Multiplexed_Model_Id": "none",
    }
    async with pair.client(raw) as client:
        answer = await create(client, pair.pdf, params={"wait": True}, headers=steering)
    assert (answer.status_code, answer.json()["status"]) == (200, "complete")


@pytest.mark.parametrize("announced", [True, False])
async def test_uploads_far_over_the_limit_are_refused_and_memory_stays_flat(
    pair: ServicePair, new_account: NewAccount, announced: bool
) -> None:
    _, (raw,) = await new_account()

    async def round_of_uploads() -> list[Refusal]:
        calls = (upload_too_much(pair.url, raw, announced=announced) for _ in range(UPLOADS))
        return await asyncio.gather(*calls)

    # Buffers and threads that stay are made by the first ones.
    await round_of_uploads()
    with Peak(titled("ProxyActor", INGRESS)) as memory:
        refusals = [answer for _ in range(3) for answer in await round_of_uploads()]
    assert {refusal.status for refusal in refusals} <= {413, None}
    # Most hear of it early. After the answer the server takes in what still comes and throws it away.
    assert median(refusal.sent for refusal in refusals) < OFFERED / 4
    # Bodies on their way, twice for the copy between the two: however many uploads there were before.
    assert memory.growth <= 2 * UPLOADS * MAX_BODY_BYTES
