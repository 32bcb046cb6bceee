"""Who is next in a line."""

import asyncio

import pytest

from serve_app.services.processing.fair_semaphore import FairSemaphore


async def pass_through(
    semaphore: FairSemaphore, name: str, seen: list[str], delay: float = 0.0, owner: str = "a"
) -> None:
    async with semaphore.turn(delay, owner):
        seen.append(name)
        await asyncio.sleep(0.01)


async def test_a_later_call_goes_before_one_that_is_put_back() -> None:
    semaphore, seen = FairSemaphore(), list[str]()
    async with asyncio.TaskGroup() as group:
        for name, delay in (("first", 0.0), ("page 9", 18.0), ("page 2", 4.0), ("new", 0.0)):
            group.create_task(pass_through(semaphore, name, seen, delay))
            await asyncio.sleep(0)
    assert seen == ["first", "new", "page 2", "page 9"]


async def test_a_call_that_was_put_back_is_not_put_back_for_ever() -> None:
    semaphore, seen = FairSemaphore(), list[str]()
    async with asyncio.TaskGroup() as group:
        group.create_task(pass_through(semaphore, "first", seen))
        await asyncio.sleep(0)
        group.create_task(pass_through(semaphore, "old", seen, 0.02))
        for _ in range(6):
            group.create_task(pass_through(semaphore, "new", seen))
            await asyncio.sleep(0.01)
    assert seen.index("old") < len(seen) - 2


async def test_owners_take_turns_whatever_they_bring() -> None:
    semaphore, seen = FairSemaphore(2), list[str]()
    async with asyncio.TaskGroup() as group:
        for _ in range(8):
            group.create_task(pass_through(semaphore, "a", seen, owner="a"))
        await asyncio.sleep(0)
        for _ in range(2):
            group.create_task(pass_through(semaphore, "b", seen, 100.0, owner="b"))
    assert seen[:2] == ["a", "a"]
    assert seen[2:6].count("b") == 2


async def test_an_owner_with_one_call_does_not_wait_behind_many_earlier_ones() -> None:
    semaphore, seen = FairSemaphore(), list[str]()
    async with asyncio.TaskGroup() as group:
        for _ in range(8):
            group.create_task(pass_through(semaphore, "a", seen, owner="a"))
        await asyncio.sleep(0)
        group.create_task(pass_through(semaphore, "b", seen, owner="b"))
    assert seen[:3] == ["a", "b", "a"]


async def test_a_call_that_is_cancelled_leaves_no_gap() -> None:
    semaphore, seen = FairSemaphore(), list[str]()
    holder = asyncio.create_task(pass_through(semaphore, "holder", seen))
    await asyncio.sleep(0)
    waiting = asyncio.create_task(pass_through(semaphore, "waiting", seen))
    await asyncio.sleep(0)
    waiting.cancel()
    await holder
    async with asyncio.timeout(1):
        await pass_through(semaphore, "next", seen)
    assert seen == ["holder", "next"]


async def test_a_call_that_is_cancelled_as_it_is_called_gives_its_place_back() -> None:
    semaphore, seen = FairSemaphore(), list[str]()
    async with semaphore.turn():
        waiting = asyncio.create_task(pass_through(semaphore, "waiting", seen))
        await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    async with asyncio.timeout(1):
        await pass_through(semaphore, "next", seen)
    assert seen == ["next"]
