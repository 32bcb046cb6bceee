"""The system calls that readers and the programs they start need. All others are refused."""

from dataclasses import dataclass

# In the order of their numbers in each row below.
MACHINES = ("x86_64", "aarch64")

# By name: the number on each machine, None if the machine does not have the call.
_ALLOWED: dict[str, tuple[int, int | None]] = {
    # Files, within what Landlock and their owner allow. Nothing that changes mode, owner or attributes, and no
    # `truncate` by name: Landlock cannot refuse these, or only on newer kernels. A descriptor that is open for writing
    # may shrink.
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "pwrite64": (18, 68), "preadv": (295, 69), "pwritev": (296, 70), "lseek": (8, 62), "close": (3, 57),
    "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "open": (2, None), "openat": (257, 56),
    "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439), "stat": (4, None), "lstat": (6, None),
    "fstat": (5, 80), "newfstatat": (262, 79), "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44),
    "readlink": (89, None), "readlinkat": (267, 78), "getdents": (78, None), "getdents64": (217, 61),
    "getcwd": (79, 17), "chdir": (80, 49), "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None),
    "unlink": (87, None), "unlinkat": (263, 35), "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276),
    "ftruncate": (77, 46), "fallocate": (285, 47), "fsync": (74, 82), "fdatasync": (75, 83), "fadvise64": (221, 223),
    "flock": (73, 32), "sendfile": (40, 71), "copy_file_range": (326, 285), "umask": (95, 166), "pipe": (22, None),
    "pipe2": (293, 59), "close_range": (436, 436),
    # Waiting.
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "epoll_create": (213, None),
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "eventfd2": (290, 19),
    # Its own memory.
    "brk": (12, 214), "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216),
    "madvise": (28, 233), "msync": (26, 227), "mincore": (27, 232), "membarrier": (324, 283), "mbind": (237, 235),
    "get_mempolicy": (239, 236), "set_mempolicy": (238, 237),
    # Threads and programs; `clone` is below.
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "exit": (60, 93), "exit_group": (231, 94),
    "wait4": (61, 260), "waitid": (247, 95), "futex": (202, 98), "set_robust_list": (273, 99),
    "set_tid_address": (218, 96), "rseq": (334, 293), "gettid": (186, 178), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126), "arch_prctl": (158, None),
    "restart_syscall": (219, 128),
    # Receiving signals.
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigsuspend": (130, 133),
    "rt_sigpending": (127, 136), "rt_sigtimedwait": (128, 137), "sigaltstack": (131, 132), "alarm": (37, None),
    "setitimer": (38, 103), "getitimer": (36, 102), "pause": (34, None),
    # Who and when it is.
    "getpid": (39, 172), "getppid": (110, 173), "getpgrp": (111, None), "getpgid": (121, 155), "getsid": (124, 156),
    "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148),
    "getresgid": (120, 150), "getgroups": (115, 158), "capget": (125, 90), "uname": (63, 160), "sysinfo": (99, 179),
    "times": (100, 153), "time": (201, None), "getrusage": (98, 165), "getrlimit": (97, 163), "getcpu": (309, 168),
    "getrandom": (318, 278), "gettimeofday": (96, 169), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "nanosleep": (35, 101),
    # The channel to the parent, which is already open. No `recvmsg`: it would accept descriptors.
    "sendto": (44, 206), "recvfrom": (45, 207), "getsockname": (51, 204), "getpeername": (52, 205),
    "getsockopt": (55, 209), "shutdown": (48, 210),
}  # fmt: skip
# What CUDA needs in addition.
_ALLOWED_WITH_GPU = {"mlock": (149, 228), "munlock": (150, 229), "sched_setaffinity": (203, 122)}
_CHECKED = {
    "clone": (56, 220), "prctl": (157, 167), "ioctl": (16, 29), "fcntl": (72, 25), "kill": (62, 129),
    "tgkill": (234, 131), "prlimit64": (302, 261),
}  # fmt: skip

FIRST_COMMON_NUMBER = 424
"""From here on, calls have the same number on all machines, and C libraries cope with kernels without them (Linux
5.1)."""

# linux/sched.h: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
_NEW_NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
# Naming threads and memory, and queries.
_PRCTL = (3, 15, 16, 23, 30, 0x53564D41)
# Terminal and pipe queries, and descriptor flags.
_IOCTL = (0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# Duplicates, flags and locks. Not owner and signal: a descriptor could send them to any process of the user.
_FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)


@dataclass(frozen=True, slots=True)
class Check:
    """What an argument (from 0, its lower 32 bits) must be for a call to be allowed."""

    argument: int
    one_of: tuple[int, ...] = ()
    none_of_bits: int = 0
    """If set, any value without these bits is allowed."""


def allowed_calls(machine: str, pid: int, uses_gpu: bool) -> dict[int, Check | None]:
    """By number, everything that process `pid` and the programs it starts may call. KeyError for an unknown machine."""
    plain = _ALLOWED | (_ALLOWED_WITH_GPU if uses_gpu else {})
    calls = {name: None for name in plain} | _checks(pid)
    if uses_gpu:
        calls["ioctl"] = None
    column = {name: place for place, name in enumerate(MACHINES)}[machine]
    numbers = {name: row[column] for name, row in (plain | _CHECKED).items()}
    return {number: calls[name] for name, number in numbers.items() if number is not None}


def _checks(pid: int) -> dict[str, Check | None]:
    itself = Check(0, one_of=(0, pid))
    return {
        "clone": Check(0, none_of_bits=_NEW_NAMESPACES),
        "prctl": Check(0, one_of=_PRCTL),
        "ioctl": Check(1, one_of=_IOCTL),
        "fcntl": Check(1, one_of=_FCNTL),
        # 0: its own group, which is what it started. A pid could belong to another process of the user.
        "kill": itself,
        "tgkill": Check(0, one_of=(pid,)),
        "prlimit64": itself,
    }
