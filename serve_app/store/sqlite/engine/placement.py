"""Where an SQLite database must not be: SQLite's shared memory and locks work within one machine only."""

from pathlib import Path

import psutil

from serve_app.domain.user_error import UserError
from serve_app.settings import sqlite_path

# File systems shared by several machines, as the kernel names them; through FUSE the name begins with `fuse.`.
_IN_THE_KERNEL = {
    *("nfs", "nfs3", "nfs4", "cifs", "smb2", "smb3", "smbfs", "ncpfs", "afs", "openafs", "coda", "afpfs", "webdav"),
    *("ceph", "glusterfs", "lustre", "gpfs", "beegfs", "beegfs_nodev", "pvfs2", "orangefs", "panfs", "wekafs"),
    *("gfs", "gfs2", "ocfs2", "davfs"),
}
_THROUGH_FUSE = {
    *("sshfs", "s3fs", "davfs2", "curlftpfs", "smbnetfs", "rclone", "gcsfuse", "goofys", "mount-s3", "mountpoint-s3"),
    *("blobfuse", "blobfuse2", "ceph-fuse", "juicefs", "seaweedfs", "mfs", "moosefs", "lizardfs", "saunafs", "quobyte"),
}
_NETWORK = _IN_THE_KERNEL | _THROUGH_FUSE
_FUSE = "fuse"


def refuse_network_file_system(path: Path) -> None:
    """Raises UserError if the database file `path`, which need not exist yet, is on a file system shared by several
    machines.

    Unknown kinds are accepted.
    """
    kind, device = _file_system_of(path.resolve())
    # A FUSE file system without its own name is recognised by its source: davfs2 has a web address.
    if kind.removeprefix(f"{_FUSE}.") in _NETWORK or (kind == _FUSE and "://" in device):
        raise UserError(
            f"DATABASE_URL: {path.parent} is on a network file system ({kind}), where SQLite can lose or destroy data; "
            "use a folder on a local disk, or MongoDB: mongodb://host/database"
        )


def refuse_many_nodes(database_url: str, alive_nodes: int) -> None:
    """Raises UserError if `database_url` names an SQLite file and the Ray cluster has more than one live node."""
    if sqlite_path(database_url) is not None and alive_nodes > 1:
        raise UserError(
            f"DATABASE_URL: SQLite supports only one machine, but the Ray cluster has {alive_nodes} nodes; use "
            "MongoDB: mongodb://host/database"
        )


def _file_system_of(path: Path) -> tuple[str, str]:
    """Kind and source of the file system of the resolved path; empty if the machine does not report them."""
    places = {str(place) for place in (path, *path.parents)}
    length, found = 0, ("", "")
    for mount in _mounts():
        # Of two mounts on the same point, the later one covers the earlier.
        if mount.mountpoint in places and len(mount.mountpoint) >= length:
            length, found = len(mount.mountpoint), (mount.fstype, mount.device)
    return found


def _mounts() -> "list[psutil._ntuples.sdiskpart]":
    try:
        return psutil.disk_partitions(all=True)
    except OSError:
        return []
