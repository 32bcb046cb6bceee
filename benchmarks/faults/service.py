"""The service as an operator starts it, in a child process with a data folder and a port of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil
from pydantic import SecretStr

from benchmarks.faults.processes import below, command_of, kill
from serve_app.keys.files import kept_key
from serve_app.keys.sealing import new_key
from serve_app.settings import Settings

START_TIMEOUT_S = 240.0
_STOP_TIMEOUT_S = 60.0
_READY = b"Ready after"
# Soon enough for a short run: what a crash left is swept while the run still looks.
QUICK = {"RATE_LIMIT": "1000000", "FETCH_SECONDS": "10", "RESERVATION_SECONDS": "20", "HOUSEKEEPING_SECONDS": "5"}


class NotReady(Exception):
    """The service did not start, or not in time."""


class Service:
    """`invoices serve` on the data in `folder`, with more `arguments` if need be; `data` is where database and files
    lie, if not there. With `mongodb`, the URL of a database, both lie in that."""

    def __init__(
        self,
        folder: Path,
        data: Path | None = None,
        extra: Mapping[str, str] | None = None,
        mongodb: str | None = None,
        arguments: Sequence[str] = (),
    ) -> None:
        self.folder = folder
        self.mongodb = mongodb
        self.data = data or folder / "data"
        self.data.mkdir(parents=True, exist_ok=True)
        self.log = folder / "serve.log"
        self._port = free_port()
        self._extra = dict(extra or {})
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None
        # Made here: beside a database that other machines can use, the service makes none by itself.
        self._signing_key, self._encryption_key = (
            kept_key(self.data / name, new_key) for name in ("signing.key", "encryption.key")
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """The command's process, while it runs."""
        assert self._process is not None
        return self._process.pid

    @property
    def database(self) -> Path:
        return self.data / "invoices.db"

    @property
    def files(self) -> Path:
        return self.data / "files"

    def settings(self) -> Settings:
        """What the service runs with, for the parts of the run that use the store themselves."""
        return Settings(
            database_url=self._database_url,
            files_url=self._files_url,
            signing_key=SecretStr(self._signing_key),
            encryption_key=SecretStr(self._encryption_key),
        )

    @property
    def _database_url(self) -> str:
        return self.mongodb or f"sqlite:///{self.database}"

    @property
    def _files_url(self) -> str:
        return "gridfs" if self.mongodb else str(self.files)

    def start(self) -> float:
        """Start and wait until it is ready; returns the seconds that took. NotReady where it does not come up."""
        began, log_length = time.monotonic(), self._log_length()
        invoices = str(Path(sys.executable).with_name("invoices"))
        command = [invoices, "serve", "--port", str(self._port), *self._arguments]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                command, env=self.environment(), stdout=log, stderr=log, start_new_session=True
            )
        self._wait_until_ready(began + START_TIMEOUT_S, log_length)
        return time.monotonic() - began

    def environment(self) -> dict[str, str]:
        """What its command runs with."""
        # Ray's sockets have short names only: the folder of a run must not be deep.
        scratch = self.folder / "ray"
        scratch.mkdir(exist_ok=True)
        return {
            **os.environ,
            **QUICK,
            "DATABASE_URL": self._database_url,
            "FILES_URL": self._files_url,
            "SIGNING_KEY_FILE": str(self.data / "signing.key"),
            "ENCRYPTION_KEY_FILE": str(self.data / "encryption.key"),
            "MAIL_FOLDER": str(self.data / "mail"),
            "METRICS_FOLDER": str(self.data / "metrics"),
            "MAIL_SMTP": "",
            "RAY_TMPDIR": str(scratch),
            **self._extra,
        }

    def _wait_until_ready(self, end: float, log_length: int) -> None:
        """Until the command says so; the first part that answers is not all of it."""
        while time.monotonic() < end:
            self.check_alive()
            if _READY in self.log.read_bytes()[log_length:]:
                return
            time.sleep(0.5)
        raise NotReady(f"not ready after {START_TIMEOUT_S:.0f} s; its last words: {self.last_words()}")

    def check_alive(self) -> None:
        """NotReady where the command ended by itself."""
        if self._process is None or self._process.poll() is not None:
            raise NotReady(f"the service ended by itself; its last words: {self.last_words()}")

    def _log_length(self) -> int:
        return self.log.stat().st_size if self.log.exists() else 0

    def last_words(self) -> str:
        """The end of what it printed."""
        return " | ".join(self.log.read_text(errors="replace").splitlines()[-3:])

    def replica(self, name: str) -> psutil.Process | None:
        """The process of a deployment's replica, or the one that hosts it; None while there is none."""
        own = self._process_of(f"ServeReplica:invoices:{name}")
        return own or (None if name == "Ingress" else self._process_of("ServeReplica:invoices:Worker"))

    def proxy(self) -> psutil.Process | None:
        """The process of Serve's HTTP proxy, which its controller replaces when it died; None while there is none."""
        return self._process_of("ProxyActor")

    def controller(self) -> psutil.Process | None:
        """The process of Serve's controller, which replaces replicas that died; None while there is none."""
        return self._process_of("ServeController")

    def _process_of(self, title: str) -> psutil.Process | None:
        found = below(self._process.pid) if self._process else []
        return next((process for process in found if title in command_of(process)), None)

    def kill_node(self) -> int:
        """SIGKILL to the command and to every process below it, at once; returns how many there were."""
        assert self._process is not None
        victims = [psutil.Process(self._process.pid), *below(self._process.pid)]
        kill(victims)
        self._process.wait()
        self._process = None
        return len(victims)

    def stop(self) -> list[str]:
        """Stop it as an operator does; returns the commands of processes that it left behind."""
        if self._process is None:
            return []
        family = below(self._process.pid)
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(_STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
        left = [process for process in family if process.is_running()]
        commands = [command_of(process) for process in left]
        kill(left)
        return commands


def free_port() -> int:
    """One that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
