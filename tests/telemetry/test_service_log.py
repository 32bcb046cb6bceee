"""What all processes of the service log comes out at the standard error of the command that started them."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from subprocess import PIPE

import pytest

from serve_app.telemetry.service_log import LOG_VARIABLE, collect_logs, copy_lines

_COMMAND = """
import subprocess, sys
from serve_app.telemetry.service_log import collect_logs
collect_logs()
worker = "import logging, sys, ray.serve; from serve_app.telemetry.service_log import log_in_worker;"
worker += "log_in_worker('info');"
worker += "logging.getLogger('serve_app.x').info('from a worker'); logging.getLogger('ray.serve').info('from Serve');"
worker += "print('last words', file=sys.stderr)"
# As Ray does: what a worker writes goes to a file.
with open(sys.argv[1], "w") as own:
    subprocess.run([sys.executable, "-c", worker], stderr=own, check=True)
sys.stdin.read()
"""


@pytest.fixture
def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != LOG_VARIABLE}


def test_what_a_worker_writes_comes_out_at_the_command(tmp_path: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", _COMMAND, str(tmp_path / "own")]
    with subprocess.Popen(command, env=environment, stdin=PIPE, stderr=PIPE, text=True) as process:
        assert process.stderr is not None
        # It ends once all lines are there.
        ours, serves, last = (process.stderr.readline() for _ in range(3))
        process.communicate()
    assert json.loads(ours).items() >= {"logger": "serve_app.x", "message": "from a worker", "level": "INFO"}.items()
    assert json.loads(serves).items() >= {"logger": "ray.serve", "message": "from Serve"}.items()
    assert last == "last words\n"
    assert (tmp_path / "own").read_text() == ""


def test_a_worker_whose_stream_is_gone_keeps_its_file(environment: dict[str, str]) -> None:
    code = "from serve_app.telemetry.service_log import log_in_worker; log_in_worker('info')"
    environment[LOG_VARIABLE] = "/proc/0/fd/2"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "logs stay in Ray's files: /proc/0/fd/2 cannot be opened (No such file" in done.stderr


def test_a_terminal_stays_free_and_a_stream_that_is_given_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LOG_VARIABLE, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert not collect_logs()
    assert LOG_VARIABLE not in os.environ
    monkeypatch.setenv(LOG_VARIABLE, "/proc/1/fd/2")
    assert collect_logs()
    assert os.environ[LOG_VARIABLE] == "/proc/1/fd/2"


def test_lines_are_copied_whole_and_no_writer_waits_for_a_reader_that_is_gone() -> None:
    source, ours = os.pipe()
    theirs, target = os.pipe()
    copying = threading.Thread(target=copy_lines, args=(source, target))
    copying.start()
    os.write(ours, b"one\nhalf ")
    assert os.read(theirs, 100) == b"one\n"
    os.write(ours, b"a line\n")
    assert os.read(theirs, 100) == b"half a line\n"
    os.close(theirs)
    for _ in range(100):
        os.write(ours, b"x" * 4000 + b"\n")
    os.close(ours)
    copying.join(10)
    assert not copying.is_alive()
    os.close(source)
    os.close(target)
