"""What takes mail beside the service, `invoices mail`, in a process of its own that is started again when it dies."""

import asyncio
import subprocess
import sys
from pathlib import Path

import psutil

from benchmarks.faults.processes import kill
from benchmarks.faults.service import Service, free_port

_LOOK_S = 0.3


class MailListener:
    """On the data of a service. `port` stays the same."""

    def __init__(self, service: Service) -> None:
        self.port = free_port()
        self._service = service
        self._process: subprocess.Popen[bytes] | None = None

    def process(self) -> psutil.Process | None:
        """Its process; None while there is none."""
        if self._process is None or self._process.poll() is not None:
            return None
        return psutil.Process(self._process.pid)

    async def keep_alive(self) -> None:
        """Start it, and again whenever it has died; until this is cancelled."""
        while True:
            if self.process() is None:
                self._start()
            await asyncio.sleep(_LOOK_S)

    def stop(self) -> None:
        """Kill it: nothing of it has to end in order."""
        if (process := self.process()) is not None:
            kill([process])

    def _start(self) -> None:
        environment = {**self._service.environment(), "MAIL_SMTP": f"127.0.0.1:{self.port}", "MAIL_LMTP": ""}
        command = [str(Path(sys.executable).with_name("invoices")), "mail"]
        with (self._service.folder / "mail.log").open("ab") as log:
            self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)  # noqa: S603
