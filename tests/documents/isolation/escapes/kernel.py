"""Attempts on sockets, on namespaces, on rights, and on parts of the kernel that were often a way in."""

import ctypes
import os
import socket
from collections.abc import Callable

from tests.documents.isolation.escapes.calls import call, new_process
from tests.documents.isolation.escapes.target import EscapeTarget

_NEW_USER, _NEW_NET, _NEW_MOUNTS, _NEW_PIDS = 0x10000000, 0x40000000, 0x00020000, 0x20000000


def _connect(target: EscapeTarget) -> None:
    with socket.create_connection(("127.0.0.1", target.port), 1):
        pass


def _send(target: EscapeTarget) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"data", ("127.0.0.1", target.port))


def _open(family: int, kind: int = socket.SOCK_STREAM) -> Callable[[EscapeTarget], None]:
    return lambda _: socket.socket(family, kind).close()


def _connect_locally(name: str) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(name)


def _clone3(target: EscapeTarget) -> None:
    # Flags, then fields that are not needed; the signal at the end is the fifth.
    arguments = (ctypes.c_uint64 * 11)(_NEW_USER, 0, 0, 0, 17)
    if call("clone3", arguments, 88) == 0:
        os._exit(0)


def _enter(target: EscapeTarget) -> None:
    call("setns", os.open(f"/proc/{target.parent}/ns/mnt", os.O_RDONLY), 0)


def _regain_rights(target: EscapeTarget) -> None:
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    call("capset", header, (ctypes.c_uint32 * 6)(0xFFFFFFFF, 0xFFFFFFFF, 0))


ATTEMPTS: dict[str, Callable[[EscapeTarget], object]] = {
    "connect by TCP": _connect,
    "send by UDP": _send,
    "open a TCP socket of IPv6": _open(socket.AF_INET6),
    "open a raw socket": _open(socket.AF_INET, socket.SOCK_RAW),
    "open a packet socket": _open(socket.AF_PACKET, socket.SOCK_RAW),
    "open a netlink socket": _open(socket.AF_NETLINK, socket.SOCK_RAW),
    "open a socket to the hypervisor (vsock)": _open(40),
    "open a socket to the kernel's ciphers (`AF_ALG`)": _open(38, socket.SOCK_SEQPACKET),
    "connect to a local socket": lambda target: _connect_locally(target.socket),
    "connect to an abstract socket": lambda target: _connect_locally("\0" + target.abstract),
    "make a pair of sockets": lambda _: socket.socketpair(),
    "set up rings (`io_uring`)": lambda _: call("io_uring_setup", 1, (ctypes.c_uint64 * 15)()),
    "new user namespace (`clone`)": lambda _: new_process(_NEW_USER),
    "new user and network namespace (`clone`)": lambda _: new_process(_NEW_USER | _NEW_NET),
    "new user and mount namespace (`clone`)": lambda _: new_process(_NEW_USER | _NEW_MOUNTS),
    "new user and process namespace (`clone`)": lambda _: new_process(_NEW_USER | _NEW_PIDS),
    "new user namespace (`clone3`)": _clone3,
    "new user namespace (`unshare`)": lambda _: call("unshare", _NEW_USER),
    "enter a namespace (`setns`)": _enter,
    "change its root (`chroot`)": lambda _: os.chroot("."),
    "mount": lambda _: call("mount", b"none", b".", b"tmpfs", 0, None),
    "mount by `fsopen`": lambda _: call("fsopen", b"tmpfs", 0),
    "copy a mount (`open_tree`)": lambda _: call("open_tree", -100, b"/", 1),
    "`pivot_root`": lambda _: call("pivot_root", b".", b"."),
    "become root": lambda _: os.setuid(0) if os.getuid() else os.setgroups([1]),
    "get rights back (`capset`)": _regain_rights,
    "load a BPF program": lambda _: call("bpf", 0, (ctypes.c_uint32 * 18)(1, 4, 4, 1), 72),
    "load a kernel module": lambda _: call("init_module", b"", 0, b""),
    "count events (`perf_event_open`)": lambda _: call("perf_event_open", (ctypes.c_uint32 * 32)(1, 128), 0, -1, -1, 0),
    "handle page faults (`userfaultfd`)": lambda _: call("userfaultfd", 1),
    "use the kernel's keys (`keyctl`)": lambda _: call("keyctl", 0, -3, 1),
    "add a key": lambda _: call("add_key", b"user", b"escape", b"1", 1, -3),
    "read the kernel's log": lambda _: call("syslog", 3, ctypes.create_string_buffer(64), 64),
    "change its personality": lambda _: call("personality", 0x0040000),
    "share memory (System V)": lambda _: call("shmget", 0, 4096, 0o1600),
    "open a message queue": lambda _: call("mq_open", b"escape", 0o102, 0o600, None),
}
