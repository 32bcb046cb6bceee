"""The bytes of documents: whole or not there."""

import errno
import os
from pathlib import Path

import pytest

from serve_app.domain.errors import ServiceError
from serve_app.store.files import FolderFiles


async def test_what_is_written_is_read_until_it_is_deleted(tmp_path: Path) -> None:
    files = FolderFiles(tmp_path / "new" / "folder")
    await files.write("account/invoice", b"bytes")
    assert await files.read("account/invoice") == b"bytes"
    await files.delete("account/invoice")
    await files.delete("account/invoice")
    with pytest.raises(FileNotFoundError):
        await files.read("account/invoice")


@pytest.mark.parametrize("key", ["", "/etc/passwd", "../x", "a/../../x", "a//b", "a/", "a.part", "a\x00", "a\n", "ä"])
async def test_no_key_leaves_the_folder(tmp_path: Path, key: str) -> None:
    files = FolderFiles(tmp_path)
    with pytest.raises(ValueError, match="not a file key"):
        await files.write(key, b"bytes")
    with pytest.raises(ValueError, match="not a file key"):
        await files.read(key)
    with pytest.raises(ValueError, match="not a file key"):
        await files.delete(key)


async def test_a_full_disk_is_503_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    files = FolderFiles(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        (tmp_path / "account").mkdir()
        with pytest.raises(ServiceError) as caught:
            await files.write("account/invoice", b"bytes")
    assert (caught.value.status, caught.value.code) == (503, "service_unavailable")
    assert "Retry-After" in caught.value.headers
    assert list((tmp_path / "account").iterdir()) == []
