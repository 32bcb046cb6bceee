"""What only the files in S3 have to promise."""

import logging
import os
import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest

from serve_app.domain.errors import StoreUnreachable
from serve_app.store.files.s3 import S3Files, S3Limits
from serve_app.store.files.s3_place import S3Place, parse_s3_url
from tests.support.buckets import names_in, new_bucket, s3_server

SHORT_TIMEOUTS = S3Limits(connect_seconds=0.2, read_seconds=0.2, attempts=1)


@pytest.fixture
def address() -> Iterator[str]:
    with s3_server() as address:
        yield address


async def fails_with_503(place: S3Place) -> None:
    """Every call reports that the storage is out of reach, never that a file is missing."""
    files = S3Files(place, SHORT_TIMEOUTS)
    for call in (files.read("a/b"), files.write("a/b", b"bytes"), files.delete("a/b")):
        with pytest.raises(StoreUnreachable):
            await call
    await files.close()


async def test_files_lie_below_their_prefix(address: str) -> None:
    place = new_bucket(address, "production/invoices")
    files = S3Files(place)
    await files.write("account/invoice", b"bytes")
    assert names_in(place) == ["production/invoices/account/invoice"]
    await files.close()


async def test_two_prefixes_of_a_bucket_are_two_stores(address: str) -> None:
    place = new_bucket(address, "one")
    one, other = S3Files(place), S3Files(replace(place, prefix="other"))
    await one.write("account/invoice", b"bytes")
    with pytest.raises(FileNotFoundError):
        await other.read("account/invoice")
    await other.delete("account/invoice")
    assert await one.read("account/invoice") == b"bytes"
    await one.close()
    await other.close()


async def test_a_bucket_that_does_not_exist_is_out_of_reach(address: str) -> None:
    await fails_with_503(S3Place("no-such-bucket", endpoint_url=address))


async def test_a_server_that_is_down_is_out_of_reach(address: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        await fails_with_503(S3Place("bucket", endpoint_url=f"http://127.0.0.1:{unused.getsockname()[1]}"))


async def test_a_server_that_never_answers_is_out_of_reach(address: str) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        await fails_with_503(S3Place("bucket", endpoint_url=f"http://127.0.0.1:{silent.getsockname()[1]}"))


async def test_missing_credentials_are_out_of_reach(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = new_bucket(address)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    await fails_with_503(place)


async def test_errors_are_logged_with_their_place_and_without_secrets(
    address: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("serve_app"), "propagate", True)
    await fails_with_503(S3Place("no-such-bucket", endpoint_url=address))
    record = next(record for record in caplog.records if record.name.startswith("serve_app"))
    assert record.getMessage() == "files out of reach: GetObject: NoSuchBucket"
    assert vars(record)["bucket"] == "no-such-bucket"
    assert os.environ["AWS_SECRET_ACCESS_KEY"] not in str(vars(record))


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("s3://bucket", S3Place("bucket")),
        ("s3://bucket/", S3Place("bucket")),
        ("s3://bucket/a/b/", S3Place("bucket", "a/b")),
        ("s3://bucket/a%20b?region=eu-west-1", S3Place("bucket", "a b", None, "eu-west-1")),
        ("s3://bucket?endpoint_url=http://127.0.0.1:9000", S3Place("bucket", "", "http://127.0.0.1:9000")),
        ("s3://bucket?endpoint_url=https%3A%2F%2Fs3.example.com", S3Place("bucket", "", "https://s3.example.com")),
    ],
)
def test_a_url_names_bucket_prefix_and_server(url: str, place: S3Place) -> None:
    assert parse_s3_url(url) == place


@pytest.mark.parametrize(
    "url",
    [
        "s3://",
        "s3:///prefix",
        "s3://key:hunter2@bucket",
        "s3://bucket?secret=hunter2",
        "s3://bucket?endpoint_url=ftp://host",
        "s3://bucket?endpoint_url=host:9000",
        "s3://bucket?endpoint_url=http://user:hunter2@host",
    ],
)
def test_a_url_that_names_none_is_refused_without_showing_its_secrets(url: str) -> None:
    with pytest.raises(ValueError, match=r"FILES_URL: .*(s3|endpoint_url)") as caught:
        parse_s3_url(url)
    assert "hunter2" not in str(caught.value)
