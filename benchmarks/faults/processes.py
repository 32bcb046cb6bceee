"""The processes below this one: found, killed by their ids, and none left behind."""

import ctypes
import time
from contextlib import suppress

import psutil

_PR_SET_CHILD_SUBREAPER = 36
_GONE_WITHIN_S = 10.0


def adopt_orphans() -> None:
    """From now on a process whose parent dies becomes a child of this one, so that none gets out of sight."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "this system does not let a process adopt orphans")


def below(pid: int | None = None) -> list[psutil.Process]:
    """All living processes below `pid`, or below this one."""
    try:
        found = psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
    return [process for process in found if _is_alive(process)]


def command_of(process: psutil.Process) -> str:
    """Its command line; empty once it is gone."""
    with suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""


def kill(processes: list[psutil.Process]) -> None:
    """SIGKILL to each; returns when they are gone."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, timeout=_GONE_WITHIN_S)


def freeze(process: psutil.Process, seconds: float) -> None:
    """SIGSTOP, and SIGCONT after some seconds: a machine that hangs and comes back, with all that it believed."""
    with suppress(psutil.NoSuchProcess):
        process.suspend()
        time.sleep(seconds)
        process.resume()


def kill_everything_below() -> list[str]:
    """Kill all that this process ever started and that is still there; returns the commands of what it was."""
    left = below()
    commands = [command_of(process) for process in left]
    kill(left)
    return commands


def _is_alive(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False
