"""gzip from strangers takes time in proportion to its size, and ends."""

import asyncio
import gzip
import ssl
import time

import pytest

from serve_app.net.fetch import Fetcher
from serve_app.net.inflate import MOST_MEMBERS, STEP_BYTES, Inflater
from serve_app.net.outcome import TooLarge, Unreachable
from tests.net.sites import reply, serving
from tests.support.growth import assert_linear

MAX_BYTES = 15 * 1024**2
EMPTY = gzip.compress(b"")


def inflate(data: bytes, max_bytes: int = MAX_BYTES) -> bytes:
    inflater = Inflater(max_bytes)
    for at in range(0, len(data), STEP_BYTES):
        inflater.feed(data[at : at + STEP_BYTES])
    return inflater.finish()


def empty_members(size: int) -> bytes:
    return EMPTY * (size // len(EMPTY))


def large_members(size: int) -> bytes:
    return gzip.compress(bytes(range(256)) * 40, 0) * (size // 10_240)


def empty_blocks(size: int) -> bytes:
    """One member of empty stored blocks."""
    return EMPTY[:10] + b"\0\0\0\xff\xff" * (size // 5)


@pytest.mark.parametrize("make", [empty_members, large_members, empty_blocks])
def test_twice_the_data_take_twice_the_time(make: object) -> None:
    assert_linear(inflate, make, 4 * 1024**2)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1, 1000, STEP_BYTES - 1, STEP_BYTES, STEP_BYTES + 1, 500_000])
def test_members_of_any_size_come_whole(size: int) -> None:
    part = bytes(range(256)) * (size // 256) + bytes(size % 256)
    assert inflate(gzip.compress(part) + EMPTY + gzip.compress(part, 0)) == part + part


def test_as_many_members_as_programs_write_are_read() -> None:
    assert inflate(gzip.compress(b"x") * MOST_MEMBERS) == b"x" * MOST_MEMBERS
    with pytest.raises(Unreachable, match="too many parts"):
        inflate(gzip.compress(b"x") * (MOST_MEMBERS + 1))


def test_neither_side_of_it_exceeds_the_limit() -> None:
    assert inflate(gzip.compress(bytes(1000)), 1000) == bytes(1000)
    for data in (gzip.compress(bytes(1001)), empty_blocks(2000), gzip.compress(gzip.compress(bytes(10**8)))):
        with pytest.raises(TooLarge):
            inflate(data, 1000)


async def test_an_answer_of_empty_members_costs_no_more_than_a_file_of_its_size(
    fetch: Fetcher, server_tls: ssl.SSLContext
) -> None:
    size = MAX_BYTES - 1000
    plain, hostile = reply(bytes(size)), reply(empty_members(size), Content_Encoding="gzip")
    used, outcomes = [], []
    for answer in (plain, hostile):
        async with serving(answer, tls=server_tls) as site:
            started = time.process_time()
            calls = [fetch(site.url(), MAX_BYTES) for _ in range(6)]
            outcomes += await asyncio.gather(*calls, return_exceptions=True)
            used.append(time.process_time() - started)
    assert {str(outcome) for outcome in outcomes[6:]} == {"the server's response is gzip with too many parts"}
    assert used[1] < 3 * used[0]
