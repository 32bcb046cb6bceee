"""The sandbox of a reader process, set up by the process itself before it sees any of a document."""

import os
import resource
from collections.abc import Callable
from functools import partial
from pathlib import Path

from serve_app.documents.isolation import kernel
from serve_app.documents.isolation.landlock import Reach, confine_files
from serve_app.documents.isolation.messages import MissingLayers
from serve_app.documents.isolation.readable_paths import reach_of
from serve_app.documents.isolation.seccomp import allow_only
from serve_app.documents.isolation.system_calls import allowed_calls
from serve_app.documents.isolation.user import become_nobody
from serve_app.documents.limits import Limits
from serve_app.documents.options import ReadOptions

_MAX_OPEN_FILES = 256
_ROOT = 0


def enter_sandbox(options: ReadOptions, folder: Path, uses_gpu: bool, reserves_memory: bool = False) -> MissingLayers:
    """Limit this process's resources, what it can read to what reading documents needs, and what it can write to
    `folder`.

    Call this before any other thread exists: some layers apply only to the calling thread. The limits and the ban on
    new rights are mandatory (OSError); the rest are set up if the kernel and container allow. Raises ValueError if
    something that reading needs is hidden. Returns the missing layers, and why.
    """
    _die_first_when_memory_is_short()
    _set_resource_limits(options.limits, reserves_memory or uses_gpu)
    kernel.gain_no_privileges()
    reach = reach_of(map(Path, options.sandbox.hidden), folder, uses_gpu)
    missing: MissingLayers = {}
    _try("landlock", partial(confine_files, reach), missing)
    if os.geteuid() == _ROOT:
        _try("user", partial(_leave_root, reach, "landlock" not in missing), missing)
    else:
        kernel.keep_only(0)
    _try("seccomp", partial(_filter_calls, uses_gpu), missing)
    return missing


def _leave_root(reach: Reach, files_are_confined: bool) -> None:
    try:
        become_nobody(reach.writable, reach.readable, files_are_confined)
    except OSError:
        # Still root, but at least without its capabilities.
        kernel.keep_only(0)
        raise


def _filter_calls(uses_gpu: bool) -> None:
    try:
        calls = allowed_calls(kernel.machine(), os.getpid(), uses_gpu)
    except KeyError:
        raise OSError(f"no table of system calls for {kernel.machine()}") from None
    allow_only(calls)


def _try(layer: str, put_up: Callable[[], None], missing: MissingLayers) -> None:
    try:
        put_up()
    except OSError as error:
        missing[layer] = error.strerror or str(error)


def allow_cpu_seconds(seconds: float) -> None:
    """Let this process use that much more CPU time, on each of its cores, before it is killed (SIGXCPU)."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    more = seconds * len(os.sched_getaffinity(0))
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + more) + 1, hard))


def _die_first_when_memory_is_short() -> None:
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")
    except OSError:
        return


def _set_resource_limits(limits: Limits, reserves_memory: bool) -> None:
    # A GPU's driver reserves address space by the terabyte, Saxon 32 GiB: there, only writable memory is counted.
    memory = resource.RLIMIT_DATA if reserves_memory else resource.RLIMIT_AS
    variables = {
        memory: limits.max_memory_bytes,
        resource.RLIMIT_FSIZE: limits.max_temporary_bytes,
        resource.RLIMIT_NOFILE: _MAX_OPEN_FILES,
        resource.RLIMIT_CORE: 0,
    }
    for name, value in variables.items():
        _, hard = resource.getrlimit(name)
        lower = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(name, (lower, lower))
