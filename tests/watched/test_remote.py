"""What all watched folders promise, on a disk, in a bucket and on an SFTP server."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import boto3
import pytest

from serve_app.domain.user_error import UserError
from serve_app.services.watching.ports import Destination, FileChanged, FolderAccess, FolderEntry, FolderProblem
from serve_app.services.watching.report import FileResult
from serve_app.store.files.s3_place import S3Place
from serve_app.watched.local import LocalFolder
from serve_app.watched.places import canonical_place, open_place, overlaps
from serve_app.watched.sftp import SftpFolder
from serve_app.watched.sftp_place import SftpAccess, SftpPlace
from tests.support.buckets import new_bucket, s3_server
from tests.support.sftp import SftpServer, sftp_server

DONE = Destination.DONE
A, B = "sha256:" + "a" * 64, "sha256:" + "b" * 64


class Owner(Protocol):
    """Who puts files into the folder; `place` is how it is written."""

    @property
    def place(self) -> str: ...

    def put(self, path: str, data: bytes) -> None: ...

    def get(self, path: str) -> bytes: ...

    def paths(self) -> list[str]: ...


@dataclass
class Disk:
    root: Path

    @property
    def place(self) -> str:
        return str(self.root)

    def put(self, path: str, data: bytes) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(data)

    def get(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def paths(self) -> list[str]:
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*") if not path.is_dir())


@dataclass
class Server(Disk):
    url: str = ""

    @property
    def place(self) -> str:
        return self.url


@dataclass
class Bucket:
    s3: S3Place

    def __post_init__(self) -> None:
        self._client = boto3.client("s3", endpoint_url=self.s3.endpoint_url)

    @property
    def place(self) -> str:
        return canonical_place(f"s3://{self.s3.bucket}/{self.s3.prefix}?endpoint_url={self.s3.endpoint_url}")

    def put(self, path: str, data: bytes) -> None:
        self._client.put_object(Bucket=self.s3.bucket, Key=self.s3.name_of(path), Body=data)

    def get(self, path: str) -> bytes:
        return self._client.get_object(Bucket=self.s3.bucket, Key=self.s3.name_of(path))["Body"].read()

    def paths(self) -> list[str]:
        found = self._client.list_objects_v2(Bucket=self.s3.bucket).get("Contents", [])
        return sorted(each["Key"].removeprefix(f"{self.s3.prefix}/") for each in found)

    def close(self) -> None:
        self._client.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SftpServer]:
    with sftp_server(tmp_path) as server:
        yield server


@pytest.fixture(params=["disk", "bucket", "sftp"])
def owner(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Owner]:
    if request.param == "disk":
        (tmp_path / "in").mkdir()
        yield Disk(tmp_path / "in")
    elif request.param == "bucket":
        with s3_server() as url, closing(Bucket(new_bucket(url, "a b/in"))) as bucket:
            yield bucket
    else:
        server: SftpServer = request.getfixturevalue("server")
        yield Server(server.folder / "in", server.place.url)


@pytest.fixture
def folder(owner: Owner, request: pytest.FixtureRequest) -> Iterator[FolderAccess]:
    access = SftpAccess()
    if isinstance(owner, Server):
        access = request.getfixturevalue("server").access
    with closing(open_place(owner.place, access)) as folder:
        folder.prepare()
        yield folder


def listed(folder: FolderAccess) -> dict[str, FolderEntry]:
    return {entry.path: entry for entry in folder.entries()}


def report(entry: FolderEntry, content: str) -> bytes:
    return FileResult().report(entry, content)


class TestEveryFolder:
    def test_lists_files_but_no_finished_hidden_or_temporary_ones(self, owner: Owner, folder: FolderAccess) -> None:
        for path in ("a.pdf", "north/b.pdf", "north/done/c.pdf"):
            owner.put(path, b"data")
        for path in ("done/d.pdf", "failed/x/e.pdf", ".f.pdf", "x/.git/g.pdf", "h.pdf.part"):
            owner.put(path, b"data")
        found = listed(folder)
        assert found.keys() == {"a.pdf", "north/b.pdf", "north/done/c.pdf"}
        assert {entry.size for entry in found.values()} == {4}
        assert folder.problem == ""

    def test_reads_the_listed_version_only(self, owner: Owner, folder: FolderAccess) -> None:
        owner.put("größe 1.pdf", b"data")
        owner.put("empty.pdf", b"")
        found = listed(folder)
        entry = found["größe 1.pdf"]
        assert folder.read(entry, 4) == b"data"
        assert folder.read(found["empty.pdf"], 4) == b""
        with pytest.raises(FileChanged):
            folder.read(entry, 3)
        owner.put("größe 1.pdf", b"other data")
        with pytest.raises(FileChanged):
            folder.read(entry, 100)
        with pytest.raises(FileChanged):
            folder.read(FolderEntry("gone.pdf", 1, entry.version), 100)

    def test_moves_a_file_with_a_report(self, owner: Owner, folder: FolderAccess) -> None:
        owner.put("north/a.pdf", b"data")
        entry = listed(folder)["north/a.pdf"]
        folder.move(entry, DONE, A, report(entry, A))
        assert owner.paths() == ["done/north/a.pdf", "done/north/a.pdf.json"]
        assert owner.get("done/north/a.pdf") == b"data"
        assert json.loads(owner.get("done/north/a.pdf.json"))["content"] == A
        with pytest.raises(FileChanged):
            folder.move(entry, DONE, A, report(entry, A))

    def test_gives_another_content_another_name(self, owner: Owner, folder: FolderAccess) -> None:
        for content in (A, B, A):
            owner.put("a.pdf", content.encode())
            entry = listed(folder)["a.pdf"]
            folder.move(entry, DONE, content, report(entry, content))
        mark = "b" * 12
        assert owner.paths() == [f"done/a-{mark}.pdf", f"done/a-{mark}.pdf.json", "done/a.pdf", "done/a.pdf.json"]
        assert owner.get("done/a.pdf") == A.encode()

    def test_completes_a_move_after_a_crash(self, owner: Owner, folder: FolderAccess) -> None:
        owner.put("a.pdf", b"data")
        entry = listed(folder)["a.pdf"]
        # A bucket has no rename: the copy may exist, too.
        owner.put("done/a.pdf.json", report(entry, A))
        owner.put("done/a.pdf", b"data")
        folder.move(entry, DONE, A, report(entry, A))
        assert owner.paths() == ["done/a.pdf", "done/a.pdf.json"]

    def test_leaves_a_file_that_changed(self, owner: Owner, folder: FolderAccess) -> None:
        owner.put("a.pdf", b"data")
        entry = listed(folder)["a.pdf"]
        owner.put("a.pdf", b"other data")
        with pytest.raises(FileChanged):
            folder.move(entry, DONE, A, report(entry, A))
        assert owner.paths() == ["a.pdf"]


class TestSftp:
    def test_needs_a_known_server(self, server: SftpServer, tmp_path: Path) -> None:
        (tmp_path / "empty").touch()
        with pytest.raises(FolderProblem, match="not found in known_hosts"):
            SftpFolder.open(server.place, SftpAccess(None, server.access.password, tmp_path / "empty"))

    def test_reports_a_wrong_password_without_repeating_it(self, server: SftpServer) -> None:
        with pytest.raises(FolderProblem, match="refuses the key or the password") as raised:
            SftpFolder.open(server.place, SftpAccess(None, "wrong one", server.access.known_hosts))
        assert "wrong one" not in str(raised.value)

    def test_reports_a_missing_folder_and_creates_none(self, server: SftpServer) -> None:
        place = SftpPlace(server.place.host, server.port, server.place.user, "/gone")
        with (
            closing(SftpFolder.open(place, server.access)) as folder,
            pytest.raises(FolderProblem, match="No such file"),
        ):
            folder.prepare()
        assert [path.name for path in server.folder.iterdir()] == ["in"]

    def test_refuses_destinations_that_are_no_folders(self, server: SftpServer, tmp_path: Path) -> None:
        (server.folder / "in/done").symlink_to(tmp_path)
        with (
            closing(SftpFolder.open(server.place, server.access)) as folder,
            pytest.raises(FolderProblem, match="done is not a folder"),
        ):
            folder.prepare()

    def test_does_not_follow_links(self, server: SftpServer) -> None:
        (server.folder / "in/a.pdf").symlink_to("/etc/passwd")
        (server.folder / "in/x").symlink_to("/etc")
        with closing(SftpFolder.open(server.place, server.access)) as folder:
            assert {entry.path: entry.is_link for entry in folder.entries()} == {"a.pdf": True, "x": True}


class TestBucket:
    def test_that_is_missing_is_a_problem(self) -> None:
        with s3_server() as url:
            place = canonical_place(f"s3://no-such-bucket/in?endpoint_url={url}")
            with (
                closing(open_place(place, SftpAccess())) as folder,
                pytest.raises(FolderProblem, match="PutObject: NoSuchBucket"),
            ):
                folder.prepare()


class TestPlaces:
    @pytest.mark.parametrize(
        ("text", "place"),
        [
            ("s3://b/in/", "s3://b/in"),
            ("s3://b?region=eu-central-1", "s3://b?region=eu-central-1"),
            ("s3://b/a%20b?endpoint_url=http://x:1", "s3://b/a%20b?endpoint_url=http%3A%2F%2Fx%3A1"),
            ("sftp://ann@Host/in//x/../y/", "sftp://ann@host:22/in/y"),
            ("sftp://ann@[::1]:2222", "sftp://ann@[::1]:2222/"),
        ],
    )
    def test_are_written_in_one_way(self, text: str, place: str) -> None:
        assert canonical_place(text) == place
        assert canonical_place(place) == place

    @pytest.mark.parametrize(
        "text",
        ["ftp://host/in", "sftp://host/in", "sftp://ann:secret@host/in", "s3:///in", "s3://b?key=x", "sftp://a@h:x/"],
    )
    def test_that_name_nothing_are_refused_without_secrets(self, text: str) -> None:
        with pytest.raises(UserError) as raised:
            canonical_place(text)
        assert "secret" not in str(raised.value)

    @pytest.mark.parametrize(
        ("first", "second", "is_same"),
        [
            ("/srv/in", "/srv/in", True),
            ("/srv/in", "/srv/in/x", True),
            ("/srv/in", "/srv/in2", False),
            ("s3://b", "s3://b/in", True),
            ("s3://b/in?region=x", "s3://b/in", True),
            ("s3://b/in?endpoint_url=http%3A%2F%2Fx", "s3://b/in", False),
            ("sftp://a@h:22/in", "sftp://b@h:22/in/x", True),
            ("sftp://a@h:22/in", "sftp://a@h:23/in", False),
        ],
    )
    def test_that_overlap(self, first: str, second: str, is_same: bool) -> None:
        assert overlaps(first, second) == overlaps(second, first) == is_same


def test_a_local_path_opens_a_folder_of_this_machine(tmp_path: Path) -> None:
    assert isinstance(open_place(str(tmp_path), SftpAccess()), LocalFolder)
