"""wrk, and what it says."""

import re
import shutil
import subprocess
from dataclasses import dataclass

_UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


class NoWrk(Exception):
    """wrk is not installed, or did not do what it was asked."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Of one URL: requests a second, times in milliseconds, and answers that were no success."""

    per_second: float
    p50_ms: float
    p99_ms: float
    failed: int


def find_wrk() -> str:
    """Where it is. NoWrk where it is not installed."""
    found = shutil.which("wrk")
    if found is None:
        raise NoWrk("wrk is not installed: apt-get install wrk")
    return found


def load(url: str, seconds: int, connections: int, headers: dict[str, str] | None = None) -> Rate:
    """Ask for `url` on so many connections for so long, each again as soon as it is answered."""
    named = [part for name, value in (headers or {}).items() for part in ("-H", f"{name}: {value}")]
    command = [find_wrk(), "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--latency", *named, url]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
    if done.returncode != 0:
        raise NoWrk(done.stderr.strip() or done.stdout.strip())
    return parse(done.stdout)


def parse(said: str) -> Rate:
    """wrk's report."""
    failures = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    lost = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", said)
    return Rate(
        per_second=float(_found(r"Requests/sec:\s+([\d.]+)", said)),
        p50_ms=_milliseconds(_found(r"^ +50% +(\S+)", said)),
        p99_ms=_milliseconds(_found(r"^ +99% +(\S+)", said)),
        failed=(int(failures[1]) if failures else 0) + sum(map(int, lost.groups() if lost else ())),
    )


def _found(pattern: str, said: str) -> str:
    match = re.search(pattern, said, re.MULTILINE)
    if match is None:
        raise NoWrk(f"wrk said nothing that is understood: {said}")
    return match[1]


def _milliseconds(text: str) -> float:
    number = text.rstrip("msu")
    return float(number) * _UNITS[text.removeprefix(number)]
