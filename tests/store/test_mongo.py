"""What only MongoDB promises: it may be out of reach, and come back; its writes are durable; its clock decides."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pymongo.errors import AutoReconnect, CursorNotFound, OperationFailure, WriteConcernError
from pymongo.helpers_shared import _RETRYABLE_ERROR_CODES

from serve_app.domain.account import Account, Plan
from serve_app.domain.errors import OutcomeUnknown, ServiceError, StoreUnreachable, Unavailable
from serve_app.domain.ids import new_id
from serve_app.domain.person import Person
from serve_app.domain.session import IDLE_LIFE
from serve_app.store.base import Store
from serve_app.store.mongo.engine.client import call_seconds, database_name, open_client, url_beside
from serve_app.store.mongo.engine.indexes import FILE_INDEXES, INDEXES
from serve_app.store.mongo.engine.server_clock import ServerClock
from serve_app.store.mongo.invoices.codec import to_decimal128
from serve_app.store.mongo.store import open_mongo
from tests.store.mongo_faults import Fault, FaultyClient, Kind, background_done
from tests.support import MONTH, NOON, Clock, make_record
from tests.support.mongomock import mock_client
from tests.support.people import make_session

URL = "mongodb://nowhere/invoices"
# Nothing listens on the port of TCP's multiplexer.
NOBODY = "mongodb://somebody:secret@127.0.0.1:1/invoices?serverSelectionTimeoutMS=100"


def account() -> Account:
    return Account(new_id(), Plan.FREE, NOON)


def with_fault(fault: Fault, client: Any = None) -> Store:
    return open_mongo(URL, 8, Clock(), FaultyClient(client or mock_client(), fault))


def failing(error: Exception, client: Any) -> Store:
    """A store of which every operation fails like this."""

    class Failing(Fault):
        async def do(self, operation: Callable[[], Any], name: str, *where: Any) -> Any:
            raise error

    return with_fault(Failing(), client)


async def test_a_server_out_of_reach_is_503_and_no_password_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    store = open_mongo(NOBODY, 8)
    with caplog.at_level(logging.DEBUG, "serve_app"), pytest.raises(StoreUnreachable):
        await store.connection.ping()
    await store.connection.close()
    assert "out of reach" in caplog.text
    assert "secret" not in caplog.text


async def test_a_server_that_comes_up_late_is_used_without_a_restart() -> None:
    fault = Fault(Kind.LOST_REQUEST, at=3)
    fault.arm()
    store, known = with_fault(fault), account()
    with pytest.raises(ServiceError):
        await store.accounts.add(known)
    await store.accounts.add(known)
    assert await store.accounts.get(known.id) == known


@pytest.mark.parametrize(
    "error",
    [
        AutoReconnect("gone"),
        OperationFailure("disk full", 14031),
        OperationFailure("stepped down", 189),
        WriteConcernError("not by a majority", 64),
        CursorNotFound("the cursor is gone", 43),
        *(OperationFailure("passes", code) for code in sorted(_RETRYABLE_ERROR_CODES)),
        *(OperationFailure("interrupted", code) for code in (175, 237, 11601)),
    ],
)
async def test_errors_of_the_database_are_503(error: Exception) -> None:
    with pytest.raises(Unavailable):
        await failing(error, mock_client()).accounts.get(new_id())


async def test_a_fault_of_the_program_is_not_hidden() -> None:
    with pytest.raises(OperationFailure):
        await failing(OperationFailure("unknown operator", 2), mock_client()).accounts.get(new_id())


async def test_writes_wait_for_the_journals_of_a_majority_and_the_url_wins() -> None:
    client = open_client("mongodb://host/?journal=false&socketTimeoutMS=500")
    assert client.write_concern.document == {"w": "majority", "j": False, "wtimeout": 8000}
    assert client.options.pool_options.socket_timeout == 0.5
    client.close()
    client = open_client("mongodb://host")
    assert client.write_concern.document["j"] is True
    client.close()


async def test_an_option_that_the_driver_would_pass_over_is_refused() -> None:
    with pytest.raises(ValueError, match="is called journal") as caught:
        open_client("mongodb://user:secret@host/?J=false")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["mongodb://user:p@ss@word@host", "mongodb://host:port:secret", "mysql://secret"])
def test_what_is_no_url_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(ValueError, match="not a valid MongoDB URL") as caught:
        open_mongo(url, 8)
    assert "secret" not in str(caught.value)
    assert "word" not in str(caught.value).replace("password", "")


def test_the_database_is_the_path_of_the_url() -> None:
    assert database_name("mongodb://a,b:27018/till%20one?w=1") == "till one"
    assert database_name("mongodb+srv://user:password@host") == "invoices"


@pytest.mark.parametrize(
    ("url", "beside"),
    [
        ("mongodb://a,b:27018/till%2Done?w=1", "mongodb://a,b:27018/till-one_drill?w=1"),
        ("mongodb://host", "mongodb://host/invoices_drill"),
        ("mongodb://u:p%40@host/app", "mongodb://u:p%40@host/app_drill?authSource=app"),
        ("mongodb://u:p@host/?w=1", "mongodb://u:p@host/invoices_drill?w=1&authSource=admin"),
        ("mongodb://u:p@host/app?authSource=admin", "mongodb://u:p@host/app_drill?authSource=admin"),
        ("mongodb+srv://u:p@host/app", "mongodb+srv://u:p@host/app_drill"),
    ],
)
def test_a_database_beside_another_has_the_same_user(url: str, beside: str) -> None:
    assert url_beside(url, "_drill") == beside
    open_client(beside).close()


async def test_a_write_goes_on_when_its_caller_is_gone() -> None:
    client: Any = mock_client()
    store, record = with_fault(Fault(), client), make_record(new_id())
    await store.intake.reserve(record, MONTH, None)
    call = asyncio.create_task(store.intake.add(record))
    await asyncio.sleep(0)
    call.cancel()
    with suppress(asyncio.CancelledError):
        await call
    await store.connection.close()
    assert await store.intake.stale(NOON + timedelta(days=1), 10) == []
    assert await store.queue.claim_due_invoice(timedelta(minutes=1)) is not None


async def test_mongodb_tidies_what_is_over_but_never_early() -> None:
    client: Any = mock_client()
    store = open_mongo(URL, 8, Clock(), client)
    await store.sessions.add(make_session(Person(new_id(), "ann@example.com", "Ann", NOON))[0])
    row = await client.get_database("invoices").sessions.find_one({})
    assert row["purge_at"] > datetime.now(UTC) + IDLE_LIFE


def test_amounts_are_exact_up_to_34_digits() -> None:
    longest = Decimal("9" * 32 + ".99")
    assert to_decimal128(longest).to_decimal() == longest
    assert to_decimal128(Decimal("1" * 40)).to_decimal() == Decimal("1" * 34 + "0" * 6)


class Server:
    """Answers `hello` with its time."""

    def __init__(self, time: datetime) -> None:
        self.time = time
        self.asked = 0

    async def command(self, name: str) -> dict[str, Any]:
        assert name == "hello"
        self.asked += 1
        return {"localTime": self.time}


async def test_the_servers_clock_is_asked_once_and_again_after_an_error() -> None:
    server = Server(datetime(2030, 1, 1))  # noqa: DTZ001 - as the driver gives it
    clock = ServerClock(server)
    first, second = await clock.now(), await clock.now()
    assert datetime(2030, 1, 1, tzinfo=UTC) <= first <= second < datetime(2030, 1, 1, 0, 1, tzinfo=UTC)
    assert server.asked == 1
    server.time = datetime(2020, 1, 1)  # noqa: DTZ001
    clock.forget()
    assert (await clock.now()).year == 2020


def test_operators_find_every_index_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs/reference/mongodb.md").read_text(encoding="utf-8")
    for index in (*INDEXES, *FILE_INDEXES):
        assert f"`{index.collection}`" in text
        assert f"`{index.name}`" in text


async def test_a_call_has_one_deadline_which_the_url_may_set() -> None:
    assert call_seconds("mongodb://host") == 5
    url = "mongodb://host/?timeoutMS=2500"
    assert call_seconds(url) == 2.5
    client = open_client(url)
    # Builds of indexes take longer.
    assert client.options.timeout is None
    client.close()


@pytest.mark.parametrize("milliseconds", ["0", "-1", "soon"])
def test_a_deadline_that_is_none_is_refused(milliseconds: str) -> None:
    with pytest.raises(ValueError, match="not a valid MongoDB URL"):
        call_seconds(f"mongodb://host/?timeoutMS={milliseconds}")


async def test_a_503_says_whether_something_may_have_been_changed() -> None:
    store = failing(AutoReconnect("gone"), mock_client())
    # Nothing was asked for: not even the indexes are there.
    for call in (store.accounts.get(new_id()), store.accounts.add(account())):
        with pytest.raises(ServiceError, match="Nothing was changed"):
            await call
    fault = Fault(Kind.LOST_ANSWER, at=1)
    store = with_fault(fault)
    await store.connection.ping()
    await background_done()
    fault.arm()
    with pytest.raises(OutcomeUnknown, match="may have been made"):
        await store.accounts.add(account())


async def test_an_outage_that_lasts_is_logged_once_in_a_while(caplog: pytest.LogCaptureFixture) -> None:
    store = failing(AutoReconnect("gone"), mock_client())
    for _ in range(20):
        with pytest.raises(ServiceError):
            await store.connection.ping()
    assert [record.message for record in caplog.records] == ["database out of reach: AutoReconnect: gone"]
