"""A machine: a network address, and processes that see each other and nothing else, and all die when it is killed."""

import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from benchmarks.faults.cluster.network import add_address, within
from benchmarks.faults.processes import below, command_of, kill

_STOPS_WITHIN_S = 90.0
AGAIN_AFTER_S = 1.0
"""As in the units of systemd."""
_NODE = ("--num-cpus=8", "--num-gpus=0", "--object-store-memory=100000000", "--disable-usage-stats")
_OWN = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
# Seen by this machine only: two folders follow, and the command.
_INSTALL = ("sh", "-c", 'mount --bind "$1" "$2" && shift 2 && exec "$@"', "install")
INVOICES = str(Path(sys.executable).with_name("invoices"))
ROOT = Path(__file__).parents[3]
PACKAGE = Path("serve_app")
"""What versions of the program differ in, in its folder."""


class Machine:
    """Runs one of Ray's nodes with this command, and starts it again 1 s after its end, until it is shut down."""

    def __init__(self, name: str, address: str, node: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self.name = name
        self.address = address
        self._ray = [INVOICES, *node, f"--node-ip-address={address}", *_NODE]
        self._install: list[str] = []
        self._environment = dict(environment)
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._over = threading.Event()
        add_address(name, address)

    @property
    def url(self) -> str:
        return f"http://{self.address}:8000"

    def start(self) -> None:
        """Start it, and go on starting it."""
        threading.Thread(target=self._keep_running, daemon=True).start()

    def process(self, *titles: str) -> psutil.Process | None:
        """A process of it with one of these titles, the innermost; None if there is none."""
        found = below(self._process.pid) if self._process else []
        titled = [each for each in found if any(title in command_of(each) for title in titles)]
        return titled[-1] if titled else None

    def kill(self) -> int:
        """SIGKILL to all of its processes at once, as if the power were cut; returns how many there were."""
        if self._process is None or self._process.poll() is not None:
            return 0
        family = [*below(self._process.pid), psutil.Process(self._process.pid)]
        kill(family)
        return len(family)

    def update(self, program: Path) -> None:
        """Ask Ray to stop, as systemd does, kill it if it does not, and have it started again with another version of
        the program in the place of this one."""
        self._install = [*_INSTALL, str(program / PACKAGE), str(ROOT / PACKAGE)]
        process = self._process
        if process is not None:
            for ray in psutil.Process(process.pid).children():
                ray.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_STOPS_WITHIN_S)
                return
        self.kill()

    def shut_down(self) -> None:
        """Kill it, and let it rest."""
        self._over.set()
        self.kill()

    def _keep_running(self) -> None:
        while not self._over.is_set():
            command = within(self.name, *_OWN, *self._install, *self._ray)
            with self._log.open("ab") as log:
                self._process = subprocess.Popen(  # noqa: S603 - our own program
                    command, env=self._environment, stdout=log, stderr=log, start_new_session=True
                )
            self._process.wait()
            self._over.wait(AGAIN_AFTER_S)
