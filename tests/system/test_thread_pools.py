"""Blocking work has named threads, and no kind of it waits for another."""

import ast
import asyncio
import multiprocessing
import pickle
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

import pytest

from serve_app.system.thread_pools import (
    HASHING,
    LARGE_BYTES,
    PoolStuck,
    ThreadPool,
    check_pools,
    decoding_pool,
    run_alone,
)

ROOT = Path(__file__).parents[2]
SERVING = ("serve_app", "actors", "models")
SHARED = {"to_thread", "run_in_executor", "set_default_executor"}
"""Ways into the executor that everything in a process shares."""


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    gate = threading.Event()
    yield gate
    gate.set()


def test_nothing_of_the_service_uses_the_shared_executor() -> None:
    files = [file for folder in SERVING for file in (ROOT / folder).rglob("*.py")]
    texts = ((file, file.read_text()) for file in files)
    # Parsing all of them takes many seconds.
    suspected = ((file, text) for file, text in texts if any(name in text for name in SHARED))
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file, text in suspected
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Attribute) and node.attr in SHARED)
        or (isinstance(node, ast.Name) and node.id in SHARED)
    ]
    assert len(files) > 500
    assert found == [], "use a pool of serve_app.system.thread_pools"


async def test_a_pool_that_is_busy_delays_no_other(gate: threading.Event) -> None:
    busy, free = ThreadPool("busy", 1), ThreadPool("free", 1)
    stuck = [asyncio.ensure_future(busy.run(gate.wait, 10)) for _ in range(3)]
    assert await asyncio.wait_for(free.run(lambda: 7), 5) == 7
    gate.set()
    assert await asyncio.gather(*stuck) == [True] * 3


async def test_work_gets_its_arguments_context_and_errors() -> None:
    pool, context = ThreadPool("one", 1), ContextVar("context", default="none")
    context.set("mine")

    def work(text: str, *, end: str) -> str:
        return text + context.get() + end

    assert await pool.run(work, "it is ", end=".") == "it is mine."
    with pytest.raises(ZeroDivisionError):
        await pool.run(lambda: 1 // 0)


async def test_a_job_that_waits_is_dropped_with_its_caller(gate: threading.Event) -> None:
    pool = ThreadPool("one", 1)
    done: list[str] = []
    first = asyncio.ensure_future(pool.run(gate.wait, 10))
    second = asyncio.ensure_future(pool.run(done.append, "second"))
    await asyncio.sleep(0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    gate.set()
    assert await first
    await pool.run(done.append, "third")
    assert done == ["third"]


async def test_a_pool_without_a_free_thread_is_stuck_until_one_is_free(gate: threading.Event) -> None:
    pool = ThreadPool("one", 1, timeout_seconds=0.0)
    running = asyncio.ensure_future(pool.run(gate.wait, 10))
    await asyncio.sleep(0)
    pool.check()
    with pytest.raises(PoolStuck, match="one"):
        pool.check()
    gate.set()
    await running
    await pool.run(lambda: None)
    pool.check()


async def test_a_pool_that_is_busy_for_a_while_is_not_stuck(gate: threading.Event) -> None:
    pool = ThreadPool("one", 1, timeout_seconds=60.0)
    running = asyncio.ensure_future(pool.run(gate.wait, 10))
    await asyncio.sleep(0)
    for _ in range(3):
        pool.check()
    gate.set()
    assert await running


def test_pools_that_have_nothing_to_do_are_well() -> None:
    for _ in range(3):
        check_pools()


async def test_endless_work_has_a_thread_of_its_own(gate: threading.Event) -> None:
    running = asyncio.ensure_future(run_alone(gate.wait, "alone"))
    await asyncio.sleep(0)
    assert any(thread.name.startswith("alone") for thread in threading.enumerate())
    gate.set()
    assert await running


def test_another_process_uses_its_own_pool_of_the_same_name() -> None:
    assert pickle.loads(pickle.dumps(HASHING)) is HASHING  # noqa: S301 - our own bytes


def test_a_process_that_is_forked_has_threads_of_its_own() -> None:
    assert _in_pool() == 8
    with multiprocessing.get_context("fork").Pool(1) as processes:
        assert processes.apply_async(_in_pool).get(30) == 8


def _in_pool() -> int:
    return asyncio.run(HASHING.run(lambda: 8))


async def test_small_inputs_do_not_wait_for_large_ones(gate: threading.Event) -> None:
    large = [asyncio.ensure_future(decoding_pool(2 * LARGE_BYTES).run(gate.wait, 10)) for _ in range(9)]
    assert await asyncio.wait_for(decoding_pool(LARGE_BYTES).run(lambda: 7), 5) == 7
    gate.set()
    assert await asyncio.gather(*large) == [True] * 9
