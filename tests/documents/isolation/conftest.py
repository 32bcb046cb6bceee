"""What the tests of reader processes share."""

import time
from collections.abc import Callable

import psutil
import pytest

GONE_WITHIN_S = 10


@pytest.fixture
def is_gone() -> Callable[[int], bool]:
    """Whether a process ends within a while; its body may stay until somebody fetches it."""

    def check(pid: int) -> bool:
        end = time.monotonic() + GONE_WITHIN_S
        while time.monotonic() < end:
            if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
            time.sleep(0.02)
        return False

    return check
