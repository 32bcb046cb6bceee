"""What every files store promises: bytes are whole or not there."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from serve_app.domain.ids import new_id
from serve_app.store.base import Files
from tests.support.file_stores import KINDS, open_file_store

NO_KEYS = ["", "/etc/passwd", "../x", "a/../../x", "a//b", "a/", "a.part", "a\x00", "a\n", "ä"]


@pytest.fixture(params=KINDS)
def open_files_again(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Files]]:
    """Opens the same place once more, as another process would."""
    with open_file_store(request.param, tmp_path / "new" / "folder") as open_again:
        yield open_again


@pytest.fixture
async def files(open_files_again: Callable[[], Files]) -> AsyncIterator[Files]:
    opened = open_files_again()
    yield opened
    await opened.close()


def new_key() -> str:
    return f"{new_id()}/{new_id()}"


async def test_what_is_written_is_read_until_it_is_deleted(files: Files) -> None:
    key = new_key()
    await files.write(key, b"bytes")
    assert await files.read(key) == b"bytes"
    await files.delete(key)
    with pytest.raises(FileNotFoundError):
        await files.read(key)


async def test_deleting_what_is_not_there_is_no_error(files: Files) -> None:
    key = new_key()
    await files.delete(key)
    await files.write(key, b"bytes")
    await files.delete(key)
    await files.delete(key)


async def test_the_keys_in_a_folder_are_listed(files: Files) -> None:
    assert await files.keys_in("pages") == []
    for key in ("pages/a/1", "pages/a/2", "pages/b/1", "pagesof/a", "a/pages/1"):
        await files.write(key, b"bytes")
    await files.delete("pages/a/2")
    assert sorted(await files.keys_in("pages")) == ["pages/a/1", "pages/b/1"]


async def test_all_files_are_listed_and_a_changed_one_has_another_version(files: Files) -> None:
    keys = {"pages/a/1", "evidence/a/b/2", "a/1", "a/1-pictures/1", "single"}
    for key in keys:
        await files.write(key, b"bytes")
    first = {file.key: file.version async for file in files.list_all()}
    assert first.keys() == keys
    await files.write("a/1", b"other bytes")
    second = {file.key: file.version async for file in files.list_all()}
    assert {key for key in keys if first[key] != second[key]} == {"a/1"}


async def test_another_process_reads_what_was_written(files: Files, open_files_again: Callable[[], Files]) -> None:
    key = new_key()
    await files.write(key, b"bytes")
    other = open_files_again()
    assert await other.read(key) == b"bytes"
    await other.delete(key)
    await other.close()
    with pytest.raises(FileNotFoundError):
        await files.read(key)


async def test_writing_again_replaces_the_whole_file(files: Files) -> None:
    key = new_key()
    await files.write(key, b"a long first version")
    await files.write(key, b"short")
    assert await files.read(key) == b"short"
    await files.delete(key)
    with pytest.raises(FileNotFoundError):
        await files.read(key)


@pytest.mark.parametrize("size", [0, 1, 255 * 1024, 255 * 1024 + 1, 15 * 1024 * 1024])
async def test_files_of_every_size_come_back_byte_for_byte(files: Files, size: int) -> None:
    key, data = new_key(), bytes(range(256)) * (size // 256 + 1)
    await files.write(key, data[:size])
    assert await files.read(key) == data[:size]


async def test_files_of_one_account_do_not_touch_each_other(files: Files) -> None:
    account = new_id()
    keys = [f"{account}/a", f"{account}/ab", f"{account}/A", f"{account}-2/a"]
    for key in keys:
        await files.write(key, key.encode())
    await files.delete(keys[0])
    assert [await files.read(key) for key in keys[1:]] == [key.encode() for key in keys[1:]]


async def test_files_of_one_account_come_and_go_at_the_same_time(files: Files) -> None:
    account = new_id()

    async def come_and_go(number: int) -> None:
        for _ in range(5):
            await files.write(f"{account}/{number}", bytes([number]))
            assert await files.read(f"{account}/{number}") == bytes([number])
            await files.delete(f"{account}/{number}")

    await asyncio.gather(*(come_and_go(number) for number in range(8)))


@pytest.mark.parametrize("key", NO_KEYS)
async def test_no_key_leaves_its_place(files: Files, key: str) -> None:
    with pytest.raises(ValueError, match="not a file key"):
        await files.write(key, b"bytes")
    with pytest.raises(ValueError, match="not a file key"):
        await files.read(key)
    with pytest.raises(ValueError, match="not a file key"):
        await files.delete(key)


async def test_a_write_that_is_given_up_leaves_a_whole_file_or_none(files: Files) -> None:
    key, data = new_key(), b"x" * 3_000_000
    write = asyncio.create_task(files.write(key, data))
    await asyncio.sleep(0)
    write.cancel()
    await asyncio.gather(write, return_exceptions=True)
    # It may still be under way, so it must be whole whenever it is there.
    for _ in range(20):
        try:
            assert await files.read(key) == data
        except FileNotFoundError:
            await asyncio.sleep(0.01)


async def test_tidying_keeps_every_document(files: Files) -> None:
    keys = [new_key() for _ in range(3)]
    for key in keys:
        await files.write(key, b"bytes")
    assert await files.tidy() == 0
    assert [await files.read(key) for key in keys] == [b"bytes"] * 3
