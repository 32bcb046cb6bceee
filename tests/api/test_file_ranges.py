"""Parts of a download: who was cut off goes on, and who shows pages asks for some."""

from urllib.parse import urlsplit

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.record import file_key_of
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.api.invoices import complete_one

DATA = bytes(range(200))
EVERYTHING = (200, DATA, None)


@pytest.fixture
async def path(client: httpx.AsyncClient, store: Store, files: Files, account: Account) -> str:
    invoice = await complete_one(store, account)
    await files.write(file_key_of(account.id, invoice.id), DATA)
    link: str = (await client.get(f"/v1/invoices/{invoice.id}/file")).json()["url"]
    return urlsplit(link).path


async def get(anyone: httpx.AsyncClient, path: str, **headers: str) -> tuple[int, bytes, str | None]:
    answer = await anyone.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    assert answer.headers["Accept-Ranges"] == "bytes"
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    return answer.status_code, answer.content, answer.headers.get("Content-Range")


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("bytes=0-0", 0, 0),
        ("bytes=10-19", 10, 19),
        ("bytes=190-", 190, 199),
        ("bytes=190-5000", 190, 199),
        ("bytes=-10", 190, 199),
        ("bytes=-5000", 0, 199),
        ("BYTES=0-9", 0, 9),
    ],
)
async def test_one_range_is_answered_alone(
    anyone: httpx.AsyncClient, path: str, asked: str, first: int, last: int
) -> None:
    part = DATA[first : last + 1]
    assert await get(anyone, path, Range=asked) == (206, part, f"bytes {first}-{last}/200")


@pytest.mark.parametrize(
    "asked",
    [
        "bytes=0-1,5-6",
        "bytes=9-1",
        "bytes=-",
        "bytes=x-1",
        "bytes=1",
        "lines=0-1",
        "",
        "bytes=\u0661-\u0662",
        "bytes=--1",
    ],
)
async def test_several_ranges_and_what_is_none_give_the_whole(anyone: httpx.AsyncClient, path: str, asked: str) -> None:
    answer = await anyone.get(path, headers={b"Range": asked.encode()})
    assert (answer.status_code, answer.content) == (200, DATA)


@pytest.mark.parametrize("asked", ["bytes=200-", "bytes=200-300", "bytes=-0", "bytes=9999999999999999999-"])
async def test_a_range_after_the_end_is_416(anyone: httpx.AsyncClient, path: str, asked: str) -> None:
    answer = await anyone.get(path, headers={"Range": asked})
    assert_error(answer, 416, "invalid_request_error", "range_not_satisfiable")
    assert answer.headers["Content-Range"] == "bytes */200"


async def test_a_range_of_another_version_gives_the_whole(anyone: httpx.AsyncClient, path: str) -> None:
    tag = (await anyone.get(path)).headers["ETag"]
    assert not tag.startswith("W/")
    assert (await get(anyone, path, Range="bytes=0-9", If_Range=tag))[0] == 206
    for other in ('"other"', f"W/{tag}", "Sat, 16 May 2026 12:00:00 GMT"):
        assert await get(anyone, path, Range="bytes=0-9", If_Range=other) == EVERYTHING


async def test_head_shows_the_size_and_heeds_no_range(anyone: httpx.AsyncClient, path: str) -> None:
    answer = await anyone.head(path, headers={"Range": "bytes=0-9"})
    assert (answer.status_code, answer.headers["Content-Length"], answer.content) == (200, "200", b"")
    assert answer.headers["Accept-Ranges"] == "bytes"


async def test_a_download_that_was_cut_off_is_completed(anyone: httpx.AsyncClient, path: str) -> None:
    begun = await anyone.get(path, headers={"Range": "bytes=0-99"})
    rest = await anyone.get(path, headers={"Range": "bytes=100-", "If-Range": begun.headers["ETag"]})
    assert begun.content + rest.content == DATA
