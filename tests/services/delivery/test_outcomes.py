"""Outcomes of attempts are recorded while others continue, and errors in recording are reported."""

import asyncio
from collections.abc import Sequence

import pytest

from serve_app.domain.errors import ServiceError, StoreUnreachable
from serve_app.services.delivery.attempt import Outcome
from serve_app.services.delivery.outcomes import Outcomes
from tests.services.delivery.makers import make_outcome


class Book:
    """Writes while it is open; fails a given number of times."""

    def __init__(self, failures: int = 0) -> None:
        self.written: list[list[Outcome]] = []
        self.failures = failures
        self.is_open = asyncio.Event()

    async def write(self, some: Sequence[Outcome]) -> None:
        await self.is_open.wait()
        if self.failures:
            self.failures -= 1
            raise StoreUnreachable
        self.written.append(list(some))


async def test_all_that_ends_during_one_write_is_written_by_the_next() -> None:
    book = Book()
    outcomes, made = Outcomes(book.write, 10), [make_outcome() for _ in range(4)]
    await outcomes.add(made[0])
    await asyncio.sleep(0)
    for outcome in made[1:]:
        await outcomes.add(outcome)
    book.is_open.set()
    await outcomes.written()
    assert book.written == [made[:1], made[1:]]


async def test_who_adds_waits_while_as_many_as_may_be_are_unwritten() -> None:
    book = Book()
    outcomes = Outcomes(book.write, 2)
    await outcomes.add(make_outcome())
    waiting = asyncio.create_task(outcomes.add(make_outcome()))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not waiting.done()
    book.is_open.set()
    async with asyncio.timeout(5):
        await waiting
        await outcomes.written()
    assert sum(map(len, book.written)) == 2


async def test_a_write_that_fails_is_reported_to_all_who_wait_for_it() -> None:
    book = Book(failures=1)
    outcomes = Outcomes(book.write, 2)
    await outcomes.add(make_outcome())
    waiting = asyncio.create_task(outcomes.add(make_outcome()))
    await asyncio.sleep(0)
    book.is_open.set()
    async with asyncio.timeout(5):
        with pytest.raises(ServiceError):
            await waiting
        with pytest.raises(ServiceError):
            await outcomes.written()


async def test_what_ends_after_a_write_has_failed_is_written_if_it_can_be() -> None:
    book = Book(failures=1)
    book.is_open.set()
    outcomes, made = Outcomes(book.write, 10), [make_outcome() for _ in range(2)]
    await outcomes.add(made[0])
    with pytest.raises(ServiceError):
        await outcomes.written()
    with pytest.raises(ServiceError):
        await outcomes.add(made[1])
    with pytest.raises(ServiceError):
        await outcomes.written()
    assert book.written == [made]


async def test_where_nothing_was_added_nothing_is_written() -> None:
    book = Book()
    await Outcomes(book.write, 2).written()
    assert book.written == []
