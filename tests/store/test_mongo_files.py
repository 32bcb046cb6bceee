"""What only GridFS promises: half-written and half-deleted files are found and removed."""

from collections.abc import Iterator
from typing import Any

import pytest
from bson import ObjectId
from gridfs.errors import CorruptGridFile
from mongomock_motor import enabled_gridfs_integration

from serve_app.domain.errors import Unavailable
from serve_app.store.mongo.files import open_gridfs
from tests.support.mongomock import mock_client

URL = "mongodb://nowhere/files"


@pytest.fixture
def client() -> Iterator[Any]:
    with enabled_gridfs_integration():
        yield mock_client()


async def test_what_a_crash_left_half_written_is_removed(client: Any) -> None:
    files, collections = open_gridfs(URL, client), client.get_database("files")
    await files.write("a/kept", b"kept")
    id = ObjectId()
    await collections["fs.chunks"].insert_one({"files_id": id, "n": 0, "data": b"half"})
    await collections["fs.unfinished"].insert_one({"_id": id, "made_at": 0})
    assert await files.tidy() == 1
    assert await files.tidy() == 0
    assert await collections["fs.chunks"].count_documents({}) == 1
    assert await files.read("a/kept") == b"kept"


async def test_what_is_being_written_is_left_alone(client: Any) -> None:
    files, collections = open_gridfs(URL, client), client.get_database("files")
    await files.write("a/b", b"bytes")
    id = (await collections["fs.files"].find_one({}))["_id"]
    await collections["fs.unfinished"].insert_one({"_id": id, "made_at": 0})
    assert await files.tidy() == 0
    assert await files.read("a/b") == b"bytes"
    assert await collections["fs.unfinished"].count_documents({}) == 0


async def test_an_older_version_leaves_nothing_behind(client: Any) -> None:
    files, collections = open_gridfs(URL, client), client.get_database("files")
    await files.write("a/b", b"first")
    await files.write("a/b", b"second")
    assert await collections["fs.files"].count_documents({}) == 1
    assert await collections["fs.chunks"].count_documents({}) == 1
    await files.delete("a/b")
    for name in ("fs.files", "fs.chunks", "fs.unfinished"):
        assert await collections[name].count_documents({}) == 0


async def test_a_broken_file_does_not_pass_for_a_missing_one(client: Any) -> None:
    files = open_gridfs(URL, client)
    await files.write("a/b", b"bytes")
    await client.get_database("files")["fs.chunks"].delete_many({})
    with pytest.raises(CorruptGridFile):
        await files.read("a/b")


async def test_a_server_out_of_reach_is_503() -> None:
    files = open_gridfs("mongodb://127.0.0.1:1/files?serverSelectionTimeoutMS=100")
    with pytest.raises(Unavailable):
        await files.read("a/b")
    await files.close()
