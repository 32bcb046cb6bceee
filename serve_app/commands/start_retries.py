"""Retries while the service starts on a busy machine: further attempts, and lines that say what is waited for."""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator

from serve_app.commands.errors import CommandError
from serve_app.commands.terminal import say

ATTEMPTS = 3
NOTICE_S = 30.0


def start_with_retries(what: str, start: Callable[[], object], clean_up: Callable[[], object]) -> None:
    """Call `start`, which starts `what`; after an error `clean_up`, and start again, because Ray gives up within fixed
    times that a busy machine exceeds. Raises CommandError, on one line, after the last attempt."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with notices(lambda: what):
                start()
            return
        # Ray raises bare Exceptions, too.
        except Exception as error:
            clean_up()
            reason = first_line(error)
            if attempt == ATTEMPTS:
                raise CommandError(
                    f"{what} did not start in {ATTEMPTS} attempts: {reason} ({load()}; its logs: {logs_folder()})"
                ) from error
            say(f"{what} did not start: {reason} ({load()}). Trying again ...")


@contextlib.contextmanager
def notices(awaited: Callable[[], str], every_s: float = NOTICE_S) -> Iterator[None]:
    """Print regularly what the start waits for, as long as the block runs."""
    ended, began = threading.Event(), time.monotonic()

    def print_notices() -> None:
        while not ended.wait(every_s):
            say(f"  still waiting for {awaited()} after {time.monotonic() - began:.0f} s ({load()})")

    thread = threading.Thread(target=print_notices, name="start-notices", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def logs_folder() -> str:
    """Where Ray puts its logs."""
    folder = os.environ.get("RAY_TMPDIR", os.environ.get("TMPDIR", "/tmp"))  # noqa: S108 - Ray's default
    return f"{folder}/ray/session_latest/logs"


def load() -> str:
    """How busy the machine is."""
    return f"load {os.getloadavg()[0]:.0f} on {len(os.sched_getaffinity(0))} cores"


def first_line(error: BaseException) -> str:
    """The first line of an error's message, or its type if it has none."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
