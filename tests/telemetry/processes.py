"""Processes that note something, for tests with several of them."""

import subprocess
import sys
from pathlib import Path

_NOTING = """
import sys
from pathlib import Path
from serve_app.telemetry import meter, series
from serve_app.telemetry.prometheus.meter import PrometheusMeter
from serve_app.telemetry.prometheus.scrape import answer_scrapes
folder = Path(sys.argv[1])
meter.install(PrometheusMeter(folder, ()))
exec(sys.argv[2])
print("recorded", flush=True)
sys.stdin.readline()
"""


class Noting:
    """A process that has recorded something and lives until it is killed or told to end."""

    def __init__(self, folder: Path, code: str) -> None:
        command = [sys.executable, "-c", _NOTING, str(folder), code]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "recorded\n"

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()
