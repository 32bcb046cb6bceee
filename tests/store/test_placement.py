"""SQLite stays on one machine."""

from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from serve_app.store.sqlite.engine.placement import refuse_many_nodes, refuse_network_file_system


def mount(monkeypatch: pytest.MonkeyPatch, *mounts: tuple[Path | str, str, str]) -> None:
    """The machine's mounts, in their order: point, kind, source."""
    found = [SimpleNamespace(mountpoint=str(point), fstype=kind, device=source) for point, kind, source in mounts]
    monkeypatch.setattr(psutil, "disk_partitions", lambda all: found)


@pytest.mark.parametrize(
    "kind",
    [
        *("nfs", "nfs4", "cifs", "smb3", "ceph", "lustre", "gpfs", "beegfs", "afs", "glusterfs", "davfs"),
        *("fuse.sshfs", "fuse.s3fs", "fuse.glusterfs", "fuse.ceph-fuse", "fuse.rclone", "fuse.juicefs"),
    ],
)
def test_a_network_file_system_is_refused_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    mount(monkeypatch, ("/", "ext4", "/dev/sda"), (tmp_path, kind, "server:/export"))
    with pytest.raises(ValueError, match=rf"network file system \({kind}\).* local disk, or MongoDB"):
        refuse_network_file_system(tmp_path / "data" / "invoices.db")


def test_a_web_folder_is_refused_without_showing_its_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mount(monkeypatch, (tmp_path, "fuse", "https://user:hunter2@host/folder"))
    with pytest.raises(ValueError, match="network file system") as caught:
        refuse_network_file_system(tmp_path / "invoices.db")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "kind", ["overlay", "ext4", "xfs", "btrfs", "zfs", "tmpfs", "apfs", "9p", "virtiofs", "fuseblk", "fuse.overlayfs"]
)
def test_a_local_file_system_is_let_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    mount(monkeypatch, ("/", "nfs4", "server:/root"), (tmp_path, kind, "/dev/sda"))
    refuse_network_file_system(tmp_path / "invoices.db")


def test_the_nearest_mount_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mount(monkeypatch, (tmp_path / "a", "nfs", "server:/a"), (tmp_path, "ext4", "/dev/sda"))
    refuse_network_file_system(tmp_path / "ab" / "invoices.db")
    with pytest.raises(ValueError, match="network file system"):
        refuse_network_file_system(tmp_path / "a" / "b" / "invoices.db")


def test_of_two_mounts_on_a_folder_the_later_one_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mount(monkeypatch, (tmp_path, "autofs", "systemd-1"), (tmp_path, "nfs4", "server:/export"))
    with pytest.raises(ValueError, match="nfs4"):
        refuse_network_file_system(tmp_path / "invoices.db")


def test_a_link_does_not_hide_where_the_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").symlink_to(tmp_path / "far")
    mount(monkeypatch, (tmp_path, "ext4", "/dev/sda"), (tmp_path / "far", "nfs", "server:/export"))
    with pytest.raises(ValueError, match="network file system"):
        refuse_network_file_system(tmp_path / "near" / "invoices.db")


def test_a_machine_that_does_not_show_its_mounts_is_let_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(all: bool) -> None:
        raise PermissionError

    monkeypatch.setattr(psutil, "disk_partitions", refuse)
    refuse_network_file_system(tmp_path / "invoices.db")


def test_this_machine_can_keep_a_database(tmp_path: Path) -> None:
    refuse_network_file_system(tmp_path / "invoices.db")


def test_sqlite_is_refused_on_a_cluster_of_several_nodes() -> None:
    with pytest.raises(ValueError, match="the Ray cluster has 2 nodes; use MongoDB"):
        refuse_many_nodes("sqlite:///data/invoices.db", 2)


def test_sqlite_on_one_node_and_mongodb_on_many_are_let_through() -> None:
    refuse_many_nodes("sqlite:///data/invoices.db", 1)
    refuse_many_nodes("mongodb://host/invoices", 9)
