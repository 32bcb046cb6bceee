"""Serve replaces a replica whose threads are stuck, and no other."""

import asyncio
import inspect
import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest

from actors.delivery import Delivery
from actors.dispatcher import Dispatcher
from actors.extractor import Extractor
from actors.health import ThreadCheck
from actors.ingress import Ingress
from actors.mailroom import Mailroom
from actors.reader import Reader
from actors.reconciler import Reconciler
from actors.verifier import Verifier
from serve_app.domain.errors import StoreUnreachable
from serve_app.store.base import Store
from serve_app.system import thread_pools
from serve_app.system.thread_pools import PoolStuck, ThreadPool

DEPLOYMENTS = [Delivery, Dispatcher, Extractor, Ingress, Mailroom, Reader, Reconciler, Verifier]


def store_with(ping: Any) -> Store:
    return cast(Store, SimpleNamespace(connection=SimpleNamespace(ping=ping)))


@pytest.fixture
def stuck_pool(monkeypatch: pytest.MonkeyPatch) -> ThreadPool:
    """The only pool; one with one thread."""
    pool = ThreadPool("stuck", 1, timeout_seconds=0.0)
    monkeypatch.setattr(thread_pools, "_ALL", (pool,))
    return pool


async def test_a_replica_with_a_stuck_pool_is_unwell_until_it_is_free(stuck_pool: ThreadPool) -> None:
    gate, check = threading.Event(), ThreadCheck()
    stuck = asyncio.ensure_future(stuck_pool.run(gate.wait, 10))
    await asyncio.sleep(0)
    check.check()
    with pytest.raises(PoolStuck, match="stuck"):
        check.check()
    gate.set()
    await stuck
    await stuck_pool.run(lambda: None)
    check.check()


async def test_a_replica_whose_store_never_answers_is_unwell() -> None:
    answer = asyncio.Event()
    check = ThreadCheck(store_with(answer.wait), timeout_seconds=0.0)
    check.check()
    with pytest.raises(RuntimeError, match="store"):
        check.check()
    answer.set()
    await asyncio.sleep(0.01)
    check.check()


async def test_a_replica_whose_store_is_out_of_reach_is_well() -> None:
    """Another one would not reach it either."""

    async def ping() -> None:
        raise StoreUnreachable

    check = ThreadCheck(store_with(ping), timeout_seconds=0.0)
    for _ in range(3):
        check.check()
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("deployment", DEPLOYMENTS)
async def test_the_health_of_every_deployment_includes_its_pools(deployment: Any, stuck_pool: ThreadPool) -> None:
    kind = deployment.func_or_class
    replica: Any = object.__new__(type("Replica", (), {"check_health": kind.check_health}))
    loop, reader = asyncio.get_running_loop().create_future(), SimpleNamespace(start=asyncio.Event().wait)
    vars(replica).update(_threads=ThreadCheck(), _loop=loop, _started=True, _out_of_order=False, _new=reader)
    gate = threading.Event()
    stuck = asyncio.ensure_future(stuck_pool.run(gate.wait, 10))
    await asyncio.sleep(0)
    await replica.check_health()
    with pytest.raises(PoolStuck):
        await replica.check_health()
    gate.set()
    await stuck


def test_serve_calls_the_health_check_of_every_deployment() -> None:
    assert all(inspect.iscoroutinefunction(each.func_or_class.check_health) for each in cast(list[Any], DEPLOYMENTS))
