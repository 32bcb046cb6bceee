"""However often and by however many it is asked, the store and the models are looked at once a second."""

import asyncio
from pathlib import Path
from typing import cast

import pytest

from serve_app.domain.errors import NotReady, ServiceError, Unavailable
from serve_app.services.upkeep import readiness
from serve_app.services.upkeep.readiness import Readiness
from serve_app.store.base import Connection
from serve_app.system import disks


class Part:
    """The store, or the models: counts how often it is looked at."""

    def __init__(self) -> None:
        self.looks = 0
        self.is_ready = True
        self.answers = asyncio.Event()
        self.answers.set()

    async def ping(self) -> None:
        self.looks += 1
        await self.answers.wait()
        if not self.is_ready:
            raise OSError("gone")


class Time:
    """Seconds that tests let pass."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def store() -> Part:
    return Part()


@pytest.fixture
def ready(store: Part, time: Time) -> Readiness:
    return Readiness(cast(Connection, store), Part().ping, time)


@pytest.mark.parametrize("is_ready", [True, False])
async def test_many_at_once_share_a_look(ready: Readiness, store: Part, is_ready: bool) -> None:
    store.is_ready = is_ready
    store.answers.clear()
    asked = [asyncio.create_task(ready.check()) for _ in range(50)]
    await asyncio.sleep(0)
    store.answers.set()
    found = await asyncio.gather(*asked, return_exceptions=True)
    assert [isinstance(error, ServiceError) for error in found] == [not is_ready] * 50
    assert store.looks == 1


async def test_what_was_found_is_good_for_a_second(ready: Readiness, store: Part, time: Time) -> None:
    for is_ready in (False, True, False):
        store.is_ready = is_ready
        for _ in range(2):
            if is_ready:
                await ready.check()
            else:
                with pytest.raises(Unavailable):
                    await ready.check()
        time.now += 1
    assert store.looks == 3


async def problem_of(store: Part, models: Part, *folders: Path) -> str:
    """What `/readyz/extract` says."""
    with pytest.raises(NotReady) as found:
        await Readiness(cast(Connection, store), models.ping, folders=folders).check_extracting()
    return found.value.message


async def test_the_part_that_does_not_work_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    works, gone = Part(), Part()
    gone.is_ready = False
    assert "database" in await problem_of(gone, works, tmp_path)
    assert "model" in await problem_of(works, gone, tmp_path)
    assert "disk" in await problem_of(works, works, tmp_path / "gone")
    monkeypatch.setattr(disks, "RESERVE_BYTES", 10**18)
    assert "disk" in await problem_of(works, works, tmp_path)


async def test_with_room_it_is_ready(tmp_path: Path) -> None:
    await Readiness(cast(Connection, Part()), Part().ping, folders=[tmp_path]).check()


async def test_a_part_that_does_not_answer_is_asked_once(time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call to a bucket goes on in its thread, whoever has stopped waiting for it."""
    monkeypatch.setattr(readiness, "_TIMEOUT_S", 0)
    bucket, store = Part(), Part()
    bucket.answers.clear()
    ready = Readiness(cast(Connection, store), Part().ping, time, further={"the bucket does not answer": bucket.ping})
    for _ in range(3):
        with pytest.raises(NotReady):
            await ready.check()
        time.now += 1
    assert bucket.looks == 1
    monkeypatch.setattr(readiness, "_TIMEOUT_S", 3)
    bucket.answers.set()
    await ready.check()
