"""A compromised reader can do only what docs/reference/sandbox-attempts*.md say; each attempt is made in a real one."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from serve_app.documents.isolation import kernel
from tests.documents.isolation.escapes.worker import ATTEMPTS, THROUGH
from tests.documents.isolation.interpreters import open_interpreter

PROJECT = Path(__file__).parents[3]
# The columns of the tables.
CONDITIONS = (("root", "with"), ("root", "without"), ("user", "with"), ("user", "without"))
# Not used on this machine.
USER = "61000"


def documented() -> dict[str, list[str]]:
    """Attempts with their outcomes, one per condition."""
    pages = sorted((PROJECT / "docs/reference").glob("sandbox-attempts*.md"))
    lines = [line for page in pages for line in page.read_text().splitlines()]
    rows = [[cell.strip().strip("*") for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return {row[0]: row[1:] for row in rows if row[0] in ATTEMPTS}


@pytest.fixture(scope="module")
def interpreter() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="open-") as folder:
        Path(folder).chmod(0o755)
        found = open_interpreter(Path(folder))
        if found is None:
            pytest.skip("this Python is closed to other users, and the system has none of its version")
        yield found


@pytest.mark.parametrize(("user", "landlock"), CONDITIONS)
def test_attempts_to_escape_end_as_documented(interpreter: Path, user: str, landlock: str) -> None:
    if user == "root" and os.geteuid() != 0:
        pytest.skip("needs root")
    if landlock == "with" and not has_landlock():
        pytest.skip("this kernel has no Landlock")
    column = CONDITIONS.index((user, landlock))
    found = outcomes(interpreter, "root" if user == "root" else USER, landlock)
    documented_outcomes = {name: row[column] for name, row in documented().items()}
    assert through(found) == through(documented_outcomes), f"as found: {found}"


def test_every_attempt_is_documented() -> None:
    assert set(documented()) == set(ATTEMPTS)


def outcomes(interpreter: Path, user: str, landlock: str) -> dict[str, str]:
    host = [str(interpreter), "-m", "tests.documents.isolation.escapes.host", user, landlock]
    done = subprocess.run(host, cwd="/", env={**os.environ, "PYTHONPATH": str(PROJECT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def through(outcomes: dict[str, str]) -> set[str]:
    return {name for name, outcome in outcomes.items() if outcome == THROUGH}


def has_landlock() -> bool:
    try:
        kernel.syscall(444, None, 0, 1)
    except OSError:
        return False
    return True
