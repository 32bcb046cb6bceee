"""`FILES_URL`: which files store it names."""

from pathlib import Path

import pytest

from serve_app.settings import Settings
from serve_app.settings.files_url import files_url_or_default, folder_of
from serve_app.store.files import FolderFiles
from serve_app.store.files.factory import open_files
from tests.support.buckets import s3_server


@pytest.mark.parametrize(
    ("files_url", "database_url", "expected"),
    [
        (None, "sqlite:///data/invoices.db", "data/files"),
        ("", "sqlite:///data/invoices.db", "data/files"),
        (None, "mongodb://host/invoices", "gridfs"),
        (None, "mongodb+srv://host/invoices", "gridfs"),
        ("/srv/files", "mongodb://host/invoices", "/srv/files"),
        ("s3://bucket", "sqlite:///data/invoices.db", "s3://bucket"),
    ],
)
def test_files_go_with_the_database_where_no_place_is_chosen(
    files_url: str | None, database_url: str, expected: str
) -> None:
    assert files_url_or_default(files_url, database_url) == expected


@pytest.mark.parametrize("url", ["/srv/my files", "file:///srv/my%20files"])
def test_a_folder_has_two_spellings(url: str) -> None:
    assert folder_of(url) == Path("/srv/my files")


@pytest.mark.parametrize("url", ["gridfs", "mongodb://host/files", "s3://bucket"])
def test_other_places_are_no_folder(url: str) -> None:
    assert folder_of(url) is None


def test_a_relative_folder_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert folder_of("./gridfs") == tmp_path / "gridfs"


async def test_a_folder_is_opened_by_its_path(tmp_path: Path) -> None:
    files = open_files(Settings(files_url=str(tmp_path / "files")))
    assert isinstance(files, FolderFiles)
    await files.close()


async def test_a_bucket_is_opened_by_its_url() -> None:
    from serve_app.store.files.s3 import S3Files

    with s3_server() as address:
        files = open_files(Settings(files_url=f"s3://bucket/prefix?endpoint_url={address}"))
    assert isinstance(files, S3Files)
    await files.close()


def test_gridfs_without_mongodb_is_refused() -> None:
    with pytest.raises(ValueError, match="FILES_URL: gridfs needs a DATABASE_URL that begins with mongodb://"):
        open_files(Settings(files_url="gridfs", database_url="sqlite:///data/invoices.db"))


def test_an_unknown_place_is_refused_without_showing_its_secrets() -> None:
    with pytest.raises(ValueError, match="FILES_URL: ftp:// is not a file store") as caught:
        open_files(Settings(files_url="ftp://user:hunter2@host/files"))
    assert "hunter2" not in str(caught.value)
