"""What holds a reader process in, put up by the process itself before it sees a byte of a document."""

import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path

from serve_app.documents.isolation import kernel
from serve_app.documents.isolation.landlock import confine_files
from serve_app.documents.isolation.seccomp import refuse_system_calls
from serve_app.documents.limits import Limits

WALLS = ("limits", "landlock", "seccomp", "capabilities")
"""All there are."""
_MAX_OPEN_FILES = 256
_PROJECT = Path(__file__).parents[3]
# Programs, libraries, fonts and language data; of /etc only what they look up.
_READABLE = (
    "/usr", "/bin", "/lib", "/lib64", "/opt", "/proc", "/sys", "/var/cache/fontconfig", "/etc/fonts", "/etc/localtime",
    "/etc/ld.so.cache", "/etc/nsswitch.conf", "/etc/passwd", "/etc/mime.types", "/dev/urandom", "/dev/random",
)  # fmt: skip
_FOLDERS_FROM_ENVIRONMENT = ("TESSDATA_PREFIX",)


def put_up_walls(limits: Limits, folder: Path, uses_gpu: bool) -> tuple[str, ...]:
    """Hold this process to `limits`, and its writing to `folder`; the names of the walls that stand.

    To be called before any other thread exists: some of them bind only the thread that asks. Limits and the ban on new
    rights must stand (OSError); the others are put up where kernel and container let them.
    """
    _die_first_when_memory_is_short()
    _set_resource_limits(limits, uses_gpu)
    kernel.gain_no_privileges()
    optional: dict[str, Callable[[], None]] = {
        "landlock": lambda: confine_files(_readable(), _devices(), folder),
        "seccomp": refuse_system_calls,
        "capabilities": kernel.drop_capabilities,
    }
    return ("limits", *(name for name, put_up in optional.items() if _stands(put_up)))


def allow_cpu_seconds(seconds: float) -> None:
    """Let this process use that much more processor time, on each of its cores, before it is killed (SIGXCPU)."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    more = seconds * len(os.sched_getaffinity(0))
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + more) + 1, hard))


def _die_first_when_memory_is_short() -> None:
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")
    except OSError:
        return


def _set_resource_limits(limits: Limits, uses_gpu: bool) -> None:
    # A GPU's driver reserves address space by the terabyte: there, only what can be written to is counted.
    memory = resource.RLIMIT_DATA if uses_gpu else resource.RLIMIT_AS
    wanted = {
        memory: limits.max_memory_bytes,
        resource.RLIMIT_FSIZE: limits.max_temporary_bytes,
        resource.RLIMIT_NOFILE: _MAX_OPEN_FILES,
        resource.RLIMIT_CORE: 0,
    }
    for name, value in wanted.items():
        _, hard = resource.getrlimit(name)
        lower = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(name, (lower, lower))


def _stands(put_up: Callable[[], None]) -> bool:
    try:
        put_up()
    except OSError:
        return False
    return True


def _readable() -> list[Path]:
    own = [_PROJECT / "serve_app", _PROJECT / "models", Path(sys.prefix), Path(sys.base_prefix)]
    chosen = [Path(os.environ[name]) for name in _FOLDERS_FROM_ENVIRONMENT if os.environ.get(name)]
    return own + chosen + [Path(name) for name in _READABLE]


def _devices() -> list[Path]:
    return [Path("/dev/null"), *Path("/dev").glob("nvidia*")]
