"""A look-up without an answer does not delay look-ups of other names."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from ipaddress import ip_network

import pytest

from serve_app.net.guard import Guard
from serve_app.net.lookups import SharedLookups
from serve_app.net.outcome import BadUrl

HERE = ["127.0.0.1"]


class Names:
    """A server of names that does not answer for `dead` ones until it is told to."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.answers = threading.Event()
        self.error: OSError | None = None

    def __call__(self, name: str) -> list[str]:
        self.asked[name] += 1
        if name.startswith("dead"):
            self.answers.wait(60)
        if self.error:
            raise self.error
        return HERE


@pytest.fixture
def names() -> Iterator[Names]:
    names = Names()
    yield names
    names.answers.set()


async def begun(lookups: SharedLookups, *names: str) -> list[asyncio.Task[list[str]]]:
    """Tasks that wait for the names."""
    tasks = [asyncio.create_task(lookups(name)) for name in names]
    await asyncio.sleep(0)
    return tasks


async def stop(tasks: list[asyncio.Task[list[str]]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_two_hundred_dead_names_delay_nobody(names: Names) -> None:
    lookups = SharedLookups(names)
    waiting = await begun(lookups, *(f"dead{number}" for number in range(200) for _ in range(8)))
    assert await asyncio.wait_for(lookups("alive"), 30) == HERE
    await stop(waiting)


async def test_who_asks_for_a_name_that_is_being_looked_up_gets_that_answer(names: Names) -> None:
    lookups = SharedLookups(names)
    waiting = await begun(lookups, *10 * ["dead"])
    names.answers.set()
    assert await asyncio.gather(*waiting) == 10 * [HERE]
    assert names.asked == {"dead": 1}


async def test_nothing_is_kept(names: Names) -> None:
    lookups = SharedLookups(names)
    for _ in range(3):
        await lookups("alive")
    assert names.asked == {"alive": 3}


async def test_a_failure_is_shared_and_not_kept(names: Names) -> None:
    lookups = SharedLookups(names)
    names.error = OSError("no such name")
    waiting = await begun(lookups, "dead", "dead")
    names.answers.set()
    assert await asyncio.gather(*waiting, return_exceptions=True) == 2 * [names.error]
    names.error = None
    assert await lookups("dead") == HERE


async def test_who_goes_away_leaves_the_others_their_answer(names: Names) -> None:
    lookups = SharedLookups(names)
    leaving, staying = await begun(lookups, "dead", "dead")
    await stop([leaving])
    names.answers.set()
    assert await staying == HERE


async def test_a_lookup_that_nobody_waits_for_is_joined_by_who_asks_next(names: Names) -> None:
    lookups = SharedLookups(names)
    await stop(await begun(lookups, "dead"))
    waiting = await begun(lookups, "dead")
    names.answers.set()
    assert await asyncio.gather(*waiting) == [HERE]
    assert names.asked == {"dead": 1}


async def test_a_lookup_that_nobody_waits_for_is_not_begun(names: Names) -> None:
    lookups = SharedLookups(names, threads=1)
    waiting = await begun(lookups, "dead")
    await stop(await begun(lookups, "abandoned", "abandoned"))
    names.answers.set()
    await asyncio.gather(*waiting)
    assert await lookups("alive") == HERE
    assert names.asked == {"dead": 1, "alive": 1}


async def test_a_lookup_that_somebody_waits_for_is_begun_though_others_went_away(names: Names) -> None:
    lookups = SharedLookups(names, threads=1)
    waiting = await begun(lookups, "dead")
    leaving, staying = await begun(lookups, "alive", "alive")
    await stop([leaving])
    names.answers.set()
    assert await asyncio.gather(*waiting, staying) == [HERE, HERE]


async def test_an_answer_that_is_shared_is_judged_by_each_for_itself(names: Names) -> None:
    guard = Guard([ip_network("10.0.0.0/8")], lookup=lambda name: names(name) and ["8.8.8.8"])
    checks = [asyncio.create_task(guard.check(f"{scheme}://dead.example/")) for scheme in ("https", "http")]
    await asyncio.sleep(0)
    names.answers.set()
    secure, plain = await asyncio.gather(*checks, return_exceptions=True)
    assert str(secure) == "https://dead.example/"
    assert isinstance(plain, BadUrl)
    assert names.asked == {"dead.example": 1}
