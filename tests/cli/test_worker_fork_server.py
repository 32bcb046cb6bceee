"""Workers are forks of one process, each with the arguments, environment and output of what the raylet started."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from serve_app.commands import fork_worker
from serve_app.commands.ray_processes import with_forked_workers
from serve_app.commands.worker_fork_server import start_program

WORKER = "import json, os, sys; print(json.dumps([sys.argv[1:], os.environ['COLOUR'], os.getcwd(), os.getpgid(0)]))"
RAYLET_COMMAND = "--python_worker_command=/bin/python /ray/setup_worker.py /ray/default_worker.py --node-ip-address=::1"
# Without what the service's workers import, which takes seconds.
LIGHT = "from serve_app.commands import worker_fork_server as s; s.import_all = lambda owner: None; s.main()"
IDS = """
import os
from serve_app.commands.worker_fork_server import import_all
import_all(os.getpid())
import ray
for _ in range(2):
    if os.fork() == 0:
        print(ray.ObjectRef.from_random().hex(), ray.ActorClassID.from_random().hex(), flush=True)
        os._exit(0)
    os.wait()
"""

HERE = """
import contextlib, json, os, subprocess, sys
from serve_app.commands import fork_worker, worker_fork_server as s
s.import_all = lambda owner: None
folder, program = sys.argv[1:]
with contextlib.closing(s.fork_here()) as server:
    path = server.listen(folder)
    shim = [sys.executable, "-I", "-S", fork_worker.__file__, path, program, "--port=1"]
    # Output ends when the worker does.
    subprocess.check_call(["sh", "-c", 'exec "$@" | cat', "", *shim], env={**os.environ, "COLOUR": "blue"}, cwd=folder)
print(json.dumps("the command ends"))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "worker.py"
    path.write_text(WORKER)
    return path


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    with closing(start_program(("-c", LIGHT))) as server:
        yield server.listen(str(tmp_path))


def started(path: str, program: Path, *options: str) -> list[object]:
    """What a worker says that the raylet starts in the folder of its program."""
    command = [sys.executable, "-I", "-S", fork_worker.__file__, path, str(program), *options]
    environment = {**os.environ, "COLOUR": "blue"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, cwd=program.parent) as process:
        said: list[object] = json.loads(process.communicate(timeout=120)[0])
    return [*said, process.pid]


class TestForking:
    def test_a_worker_has_what_the_raylet_gave_it(self, server: str, program: Path) -> None:
        for number in ("1", "2"):
            arguments, colour, folder, group, pid = started(server, program, f"--port={number}", "--language=PYTHON")
            assert (arguments, colour, folder) == ([f"--port={number}"], "blue", str(program.parent))
            # The raylet kills what is left of the group of a worker that has ended.
            assert group not in {pid, os.getpgid(0)}

    def test_a_command_forks_workers_from_itself(self, tmp_path: Path, program: Path) -> None:
        """Nothing of it is left in them: neither its session nor where its program would go on."""
        command = subprocess.run(
            [sys.executable, "-c", HERE, tmp_path, program], stdout=subprocess.PIPE, text=True, check=True, timeout=120
        )
        worker, ended = map(json.loads, command.stdout.splitlines())
        assert worker[:3] == [["--port=1"], "blue", str(tmp_path)]
        assert ended == "the command ends"

    def test_without_an_answer_a_worker_imports_for_itself(self, tmp_path: Path, program: Path) -> None:
        arguments, *_ = started(str(tmp_path / "nowhere"), program, "--port=1", "--serialized-runtime-env-context={}")
        assert arguments == ["--port=1"]

    def test_forks_draw_different_ids(self) -> None:
        """Ray's generator would go on in each where it was when they were forked."""
        lines = subprocess.check_output([sys.executable, "-c", IDS], text=True).split()
        assert len(set(lines)) == len(lines) == 4


def test_the_raylet_asks_for_forks() -> None:
    started: list[list[str]] = []
    start = with_forked_workers(lambda command, _: started.append(command), "/run/workers")
    start(["raylet", RAYLET_COMMAND], "raylet")
    shim = f"{sys.executable} -I -S {fork_worker.__file__} /run/workers"
    worker = f"--python_worker_command={shim} /ray/default_worker.py --node-ip-address=::1"
    assert started == [["raylet", worker]]
