"""A watched folder on a disk."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from serve_app.services.watching.ports import (
    Destination,
    FileChanged,
    FileUnreadable,
    FolderEntry,
    FolderProblem,
)
from serve_app.services.watching.report import FileResult
from serve_app.watched import local
from serve_app.watched.local import MAX_DEPTH, LocalFolder

DONE, FAILED = Destination.DONE, Destination.FAILED
A, B = "sha256:" + "a" * 64, "sha256:" + "b" * 64


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "in"
    root.mkdir()
    return root


@pytest.fixture
def folder(root: Path) -> LocalFolder:
    folder = LocalFolder(root)
    folder.prepare()
    return folder


def put(root: Path, path: str, data: bytes = b"data") -> FolderEntry:
    """A file, as it is listed."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return listed(root, path)


def listed(root: Path, path: str) -> FolderEntry:
    (found,) = [entry for entry in LocalFolder(root).entries() if entry.path == path]
    return found


def paths(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir())


def move(folder: LocalFolder, entry: FolderEntry, content: str = A, destination: Destination = DONE) -> None:
    folder.move(entry, destination, content, FileResult().report(entry, content))


class TestEntries:
    def test_are_files_and_links_below_the_folder(self, root: Path, folder: LocalFolder) -> None:
        for path in ("a.pdf", "x/y/b.pdf", "done/c.pdf", "x/done/d.pdf", "failed/e.pdf"):
            put(root, path) if not path.startswith(("done", "failed")) else (root / path).write_bytes(b"")
        (root / "link").symlink_to("/etc/passwd")
        (root / "folder").symlink_to("/etc")
        os.mkfifo(root / "pipe")
        found = {entry.path: entry.is_link for entry in folder.entries()}
        assert found == {"a.pdf": False, "x/y/b.pdf": False, "x/done/d.pdf": False, "link": True, "folder": True}

    @pytest.mark.parametrize("name", [".a.pdf", "~$a.pdf", "a.pdf.part", "a.PDF.TMP", ".git/a.pdf", "Thumbs.db"])
    def test_have_no_hidden_or_temporary_names(self, root: Path, folder: LocalFolder, name: str) -> None:
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(b"data")
        assert list(folder.entries()) == []

    def test_may_have_any_name(self, root: Path, folder: LocalFolder) -> None:
        names = {"Rechnung für Mai.pdf", "請求書.pdf", "a\nb.pdf", os.fsdecode(b"\xff.pdf")}
        for name in names:
            put(root, name)
        assert {entry.path for entry in folder.entries()} == names
        for entry in list(folder.entries()):
            assert folder.read(entry, 10) == b"data"
            move(folder, entry)
        assert {path for path in paths(root) if not path.endswith(".json")} == {f"done/{name}" for name in names}

    def test_change_their_version_with_any_change(self, root: Path) -> None:
        first = put(root, "a.pdf")
        status = (root / "a.pdf").stat()
        (root / "a.pdf").write_bytes(b"new!")
        os.utime(root / "a.pdf", ns=(status.st_atime_ns, status.st_mtime_ns))
        assert listed(root, "a.pdf").version != first.version

    def test_are_not_listed_too_deep(self, root: Path, folder: LocalFolder) -> None:
        put(root, "a.pdf")
        (root / "/".join("x" * MAX_DEPTH)).mkdir(parents=True)
        assert [entry.path for entry in folder.entries()] == ["a.pdf"]
        assert folder.problem.endswith(f"cannot be read: it is more than {MAX_DEPTH} levels deep.")
        (root / "x").rename(root / ".x")
        assert [entry.path for entry in folder.entries()] == ["a.pdf"]
        assert folder.problem == ""

    def test_of_a_missing_folder_are_a_problem(self, tmp_path: Path) -> None:
        with pytest.raises(FolderProblem, match="No such file or directory"):
            list(LocalFolder(tmp_path / "gone").entries())


class TestRead:
    def test_gives_the_listed_version_only(self, root: Path, folder: LocalFolder) -> None:
        entry = put(root, "a.pdf")
        assert folder.read(entry, 4) == b"data"
        with pytest.raises(FileChanged):
            folder.read(entry, 3)
        (root / "a.pdf").write_bytes(b"other")
        with pytest.raises(FileChanged):
            folder.read(entry, 10)
        (root / "a.pdf").unlink()
        with pytest.raises(FileChanged):
            folder.read(entry, 10)

    def test_refuses_a_change_during_the_read(
        self, root: Path, folder: LocalFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        entry = put(root, "a.pdf")
        check: Callable[[os.stat_result, FolderEntry], None] = local._check
        checked = []

        def change(status: os.stat_result, listed: FolderEntry) -> None:
            check(status, listed)
            checked.append(status)
            if len(checked) == 1:
                with (root / "a.pdf").open("ab") as file:
                    file.write(b"more")

        monkeypatch.setattr(local, "_check", change)
        with pytest.raises(FileChanged):
            folder.read(entry, 100)

    def test_never_follows_a_link(self, root: Path, folder: LocalFolder, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        put(outside, "a.pdf", b"secret")
        entry = put(root, "x/a.pdf")
        (root / "x").rename(root / "y")
        (root / "x").symlink_to(outside)
        with pytest.raises(FileChanged):
            folder.read(entry, 10)
        with pytest.raises(FileChanged):
            move(folder, entry)
        assert paths(outside) == ["a.pdf"]

    def test_names_the_reason_if_a_file_cannot_be_read(
        self, root: Path, folder: LocalFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        entry = put(root, "a.pdf")
        real = os.open

        def refuse(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
            if path == "a.pdf":
                raise PermissionError(13, "Permission denied")
            return real(path, flags, mode, dir_fd=dir_fd)

        monkeypatch.setattr(os, "open", refuse)
        with pytest.raises(FileUnreadable, match="Permission denied"):
            folder.read(entry, 10)


class TestMove:
    def test_puts_a_report_beside_the_file(self, root: Path, folder: LocalFolder) -> None:
        move(folder, put(root, "x/a.pdf"), destination=FAILED)
        assert paths(root) == ["failed/x/a.pdf", "failed/x/a.pdf.json"]
        assert json.loads((root / "failed/x/a.pdf.json").read_bytes())["content"] == A

    def test_gives_another_content_another_name(self, root: Path, folder: LocalFolder) -> None:
        for content in (A, B, A):
            move(folder, put(root, "a.pdf", content.encode()), content)
        mark = "b" * 12
        assert paths(root) == [f"done/a-{mark}.pdf", f"done/a-{mark}.pdf.json", "done/a.pdf", "done/a.pdf.json"]
        assert (root / "done/a.pdf").read_bytes() == A.encode()

    def test_replaces_no_file_of_others(self, root: Path, folder: LocalFolder) -> None:
        (root / "done/a.pdf").write_bytes(b"mine")
        (root / "done/b.pdf.json").write_bytes(b"mine")
        move(folder, put(root, "a.pdf"))
        move(folder, put(root, "b.pdf"))
        assert (root / "done/a.pdf").read_bytes() == (root / "done/b.pdf.json").read_bytes() == b"mine"

    def test_completes_after_a_crash_before_the_file_was_moved(self, root: Path, folder: LocalFolder) -> None:
        entry = put(root, "a.pdf")
        (root / "done/a.pdf.json").write_bytes(FileResult().report(entry, A))
        move(folder, entry)
        assert paths(root) == ["done/a.pdf", "done/a.pdf.json"]

    def test_leaves_a_file_that_changed(self, root: Path, folder: LocalFolder) -> None:
        entry = put(root, "a.pdf")
        put(root, "a.pdf", b"other")
        with pytest.raises(FileChanged):
            move(folder, entry)
        assert paths(root) == ["a.pdf"]

    def test_returns_a_file_that_was_replaced_in_the_last_moment(
        self, root: Path, folder: LocalFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        entry = put(root, "a.pdf")
        real = os.rename

        def replace_first(source: str, target: str, **folders: int) -> None:
            if not paths(root / "done")[1:]:
                (root / "new").write_bytes(b"third")
                (root / "new").replace(root / "a.pdf")
            real(source, target, **folders)

        monkeypatch.setattr(os, "rename", replace_first)
        with pytest.raises(FileChanged):
            move(folder, entry)
        back, report = paths(root)
        assert (root / back).read_bytes() == b"third"
        assert report == "done/a.pdf.json"

    def test_shortens_names_that_leave_no_room_for_the_report(self, root: Path, folder: LocalFolder) -> None:
        name = "ü" * 124 + ".pdf"
        move(folder, put(root, name))
        file, report = paths(root)
        assert report == f"{file}.json"
        assert file.endswith(f"-{'a' * 12}.pdf")

    def test_works_where_a_file_has_the_name_of_the_folder(self, root: Path, folder: LocalFolder) -> None:
        (root / "done/x").write_bytes(b"mine")
        move(folder, put(root, "x/a.pdf"))
        assert paths(root) == ["done/a.pdf", "done/a.pdf.json", "done/x"]

    def test_reports_a_full_disk_and_leaves_the_file(
        self, root: Path, folder: LocalFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(descriptor: int) -> None:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(28, "No space left on device")

        entry = put(root, "a.pdf")
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(FolderProblem, match="No space left on device"):
                move(folder, entry)
        assert paths(root) == ["a.pdf"]
        move(folder, entry)
        assert paths(root) == ["done/a.pdf", "done/a.pdf.json"]


class TestPrepare:
    def test_refuses_destinations_that_are_links(self, root: Path, tmp_path: Path) -> None:
        (root / "done").symlink_to(tmp_path)
        with pytest.raises(FolderProblem, match="Not a directory"):
            LocalFolder(root).prepare()

    def test_checks_that_reports_can_be_written(
        self, root: Path, folder: LocalFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = os.open

        def refuse(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
            if flags & os.O_CREAT:
                raise OSError(30, "Read-only file system")
            return real(path, flags, mode, dir_fd=dir_fd)

        monkeypatch.setattr(os, "open", refuse)
        with pytest.raises(FolderProblem, match="Read-only file system"):
            folder.prepare()

    def test_refuses_a_folder_that_a_link_replaced(self, root: Path, folder: LocalFolder, tmp_path: Path) -> None:
        put(root, "a.pdf")
        root.rename(tmp_path / "aside")
        root.symlink_to(tmp_path / "aside")
        with pytest.raises(FolderProblem, match="Not a directory"):
            list(folder.entries())
