"""What only the folder of files has to promise."""

import asyncio
import errno
import os
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from serve_app.domain.errors import ServiceError, StoreUnreachable, Unavailable
from serve_app.store.files import FolderFiles

HOUR = 3600


def names_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def make_left_over(folder: Path, name: str, age: float) -> Path:
    left_over = folder / ".parts" / name
    left_over.write_bytes(b"half a docu")
    moment = left_over.stat().st_mtime - age
    os.utime(left_over, (moment, moment))
    return left_over


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        yield


@pytest.mark.usefixtures("full_disk")
async def test_a_full_disk_is_503_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / ".parts").mkdir()
    with pytest.raises(StoreUnreachable):
        await FolderFiles(tmp_path).write("account/invoice", b"bytes")
    assert names_below(tmp_path) == []


async def test_a_large_file_reaches_the_disk_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a commit of the database never waits for all of it."""
    sizes: list[int] = []
    for name in ("fdatasync", "fsync"):
        sync = getattr(os, name)

        def note(fd: int, sync: Callable[[int], None] = sync) -> None:
            if stat.S_ISREG(os.fstat(fd).st_mode):
                sizes.append(os.fstat(fd).st_size)
            sync(fd)

        monkeypatch.setattr(os, name, note)
    files = FolderFiles(tmp_path)
    data = os.urandom(5 * 2**19)
    await files.write("account/large", data)
    assert sizes == [2**20, 2**21, len(data)]
    assert await files.read("account/large") == data
    sizes.clear()
    await files.write("account/small", b"bytes")
    await files.write("account/empty", b"")
    assert sizes == [5, 0]


async def test_a_folder_that_cannot_be_made_again_is_503(tmp_path: Path) -> None:
    files = FolderFiles(tmp_path / "files")
    (tmp_path / "files" / ".parts").rmdir()
    (tmp_path / "files").rmdir()
    (tmp_path / "files").write_text("in the way")
    with pytest.raises(ServiceError):
        await files.write("account/invoice", b"bytes")


def test_what_it_holds_is_its_owners_only(tmp_path: Path) -> None:
    root = tmp_path / "files"
    root.mkdir(mode=0o755)
    asyncio.run(FolderFiles(root).write("account/invoice", b"bytes"))
    modes = {str(path.relative_to(tmp_path)): stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert modes == {
        "files": 0o700,
        "files/.parts": 0o700,
        "files/account": 0o700,
        "files/account/invoice": 0o600,
    }


async def test_the_last_file_takes_its_accounts_folder_with_it(tmp_path: Path) -> None:
    files = FolderFiles(tmp_path)
    await files.write("account/first", b"bytes")
    await files.write("account/second", b"bytes")
    await files.delete("account/first")
    assert (tmp_path / "account").is_dir()
    await files.delete("account/second")
    assert not (tmp_path / "account").exists()


def test_a_folder_that_comes_and_goes_keeps_no_file_out(tmp_path: Path) -> None:
    async def come_and_go(files: FolderFiles, name: str) -> None:
        for _ in range(150):
            await files.write(f"account/{name}", b"bytes")
            await files.delete(f"account/{name}")

    # As processes of their own would, threads with a loop each do not wait for one another.
    with ThreadPoolExecutor() as threads:
        works = [threads.submit(asyncio.run, come_and_go(FolderFiles(tmp_path), str(number))) for number in range(8)]
    assert [work.exception() for work in works] == [None] * 8


async def test_tidying_removes_what_a_crash_left_an_hour_ago(tmp_path: Path) -> None:
    files = FolderFiles(tmp_path)
    await files.write("account/invoice", b"bytes")
    make_left_over(tmp_path, "old.part", 2 * HOUR)
    make_left_over(tmp_path, "older.part", 48 * HOUR)
    assert await files.tidy() == 2
    assert names_below(tmp_path) == ["account/invoice"]


async def test_tidying_leaves_a_write_that_is_under_way_alone(tmp_path: Path) -> None:
    files = FolderFiles(tmp_path)
    under_way = make_left_over(tmp_path, "new.part", 60)
    assert await files.tidy() == 0
    assert under_way.exists()


async def test_a_root_that_vanishes_is_out_of_reach_until_it_is_back(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "files", tmp_path / "elsewhere"
    files = FolderFiles(root)
    await files.write("account/kept", b"kept")
    root.rename(elsewhere)
    for call in (files.write("account/new", b"new"), files.read("account/kept"), files.delete("account/kept")):
        with pytest.raises(Unavailable):
            await call
    assert not root.exists()
    elsewhere.rename(root)
    assert await files.read("account/kept") == b"kept"
    await files.write("account/new", b"new")
