"""An operator's first week on one machine, in minutes: `python -m scripts.first_week`.

Runs the commands of the operators' pages one after the other against a service of its own in a new folder, with the
bundled models, and prints each with its seconds and the line that it ended with. Ends with 1 if a step did not do what
its page says.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

INVOICES = str(Path(sys.executable).with_name("invoices"))
OBSERVABILITY = Path(__file__).parents[1] / "deploy" / "observability"
SAMPLES = Path(__file__).parents[1] / "samples"
READY_SECONDS = 240.0
GAUGE_SECONDS = 90.0
STEP_SECONDS = 120.0
NO_ID = "00000000-0000-7000-8000-000000000000"


@dataclass(kw_only=True)
class Steps:
    """What was done, and what it ended with."""

    rows: list[tuple[str, float, str]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def step(self, text: str, work: Callable[[], str], expected: str) -> str:
        """Do it, and note and return what it ended with; `expected` is a part of that."""
        began = time.monotonic()
        try:
            ended = work()
            is_well = expected in ended
        except (OSError, subprocess.SubprocessError, TimeoutError) as error:
            ended, is_well = f"{type(error).__name__}: {error}", False
        line = self.shown((ended.strip().splitlines() or ["nothing"])[-1].replace("|", "/"))
        self.rows.append((text, time.monotonic() - began, line))
        if not is_well:
            self.failed.append(text)
        print(f"{self.rows[-1][1]:6.1f} s  {'ok   ' if is_well else 'FAILS'}  {text}: {line[:160]}", flush=True)
        return ended

    def shown(self, line: str) -> str:
        """A line without what is different each time."""
        return line

    def end(self) -> None:
        """Print the table, and exit with 1 if a step failed."""
        print("\n| Step | Seconds | Ends with |\n|---|---|---|")
        for text, seconds, line in self.rows:
            print(f"| {text} | {seconds:.1f} | {line[:100]} |")
        sys.exit(f"not as the pages say: {', '.join(self.failed)}" if self.failed else 0)


@dataclass(kw_only=True)
class Week(Steps):
    """The folder and the ports of the service, and what was found."""

    folder: Path
    port: int
    metrics_port: int

    def shown(self, line: str) -> str:
        return line.replace(str(self.folder), "...")

    @property
    def environment(self) -> dict[str, str]:
        """That of every command."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("RAY_", "OMP_"))}
        listen = {"METRICS_LISTEN": f"127.0.0.1:{self.metrics_port}", "MAIL_SMTP": ""}
        return {**inherited, **listen, "HOME": str(self.folder)}

    def command(self, text: str, expected: str = "", *, given: str = "") -> None:
        """A command of `invoices`, as a page has it; it may be one that is refused."""

        def work() -> str:
            done = subprocess.run(
                [INVOICES, *text.split()[1:]],
                cwd=self.folder,
                env=self.environment,
                input=given,
                capture_output=True,
                text=True,
                timeout=STEP_SECONDS,
                check=False,
            )
            return f"{done.stdout}{done.stderr}"

        self.step(f"`{text}`", work, expected)

    def scraped(self, series: str, holds: Callable[[float], bool]) -> str:
        """Wait until a scrape has the series with such a value."""
        end = time.monotonic() + GAUGE_SECONDS
        found = "no such series"
        while time.monotonic() < end:
            with urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=10) as answer:
                lines = answer.read().decode().splitlines()
            values = [line for line in lines if line.startswith(series)]
            found = values[-1] if values else found
            if any(holds(float(line.split()[-1])) for line in values):
                return f"{found} holds"
            time.sleep(1)
        return found


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(week: Week, log: Path) -> "subprocess.Popen[str]":
    """The service, which reads a sample once it is ready."""
    command = [INVOICES, "serve", "--port", str(week.port), "--sample", str(SAMPLES / "invoice.pdf")]
    with log.open("a") as out:
        return subprocess.Popen(
            command, cwd=week.folder, env=week.environment, stdout=out, stderr=subprocess.STDOUT, text=True
        )


def wait_for(log: Path, text: str, times: int = 1) -> str:
    """Returns once the service has written the text so often. Raises TimeoutError."""
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end:
        if log.read_text().count(text) >= times:
            return f"wrote: {text}"
        time.sleep(0.5)
    raise TimeoutError(f"no {text!r} after {READY_SECONDS:.0f} s")


def stop(process: "subprocess.Popen[str]") -> str:
    """Ends it as systemd does."""
    process.terminate()
    return f"exit status {process.wait(timeout=STEP_SECONDS)}"


def run(week: Week) -> None:
    """All steps."""
    log = week.folder / "service.log"
    log.touch()
    week.command("invoices doctor", "the first start makes it")
    service = start(week, log)
    try:
        week.step("`invoices serve --sample invoice.pdf`: ready", lambda: wait_for(log, "Ready after"), "Ready")
        week.step("first document read", lambda: wait_for(log, '"status": "complete"'), "complete")
        found = re.search(r'"id": "([0-9a-f-]{36})"', log.read_text())
        invoice = NO_ID if found is None else found[1]
        week.command(f"invoices doctor --port {week.port}", "the service is ready")
        week.command("invoices queue --once", "oldest waiting")
        week.command(f"invoices why {invoice}", "Nothing failed")
        week.command(f"invoices why {NO_ID}", "there is no invoice")
        week.command("invoices account list", "unlimited")
        week.step(
            "scrape: free space", lambda: week.scraped("invoices_disk_free_bytes", lambda free: free > 0), "holds"
        )
        never = "invoices_backup_made_timestamp_seconds"
        week.step("scrape: no backup yet", lambda: week.scraped(never, lambda at: at == 0), "holds")
        week.command("invoices backup copies --keep-daily 7", "snapshot")
        week.command("invoices verify copies", "whole")
        week.command("invoices backup drill copies", "was restored and verified")
        week.step("scrape: alarm of the backup's age cleared", lambda: week.scraped(never, lambda at: at > 0), "holds")
        week.command("invoices verify", "no differences")
        week.command("invoices deploy --check", "no Ray answers")
        week.command("invoices audit", "backup.tested")
        week.step("SIGTERM", lambda: stop(service), "exit status 0")
        service = start(week, log)
        week.step("started again", lambda: wait_for(log, "Ready after", 2), "Ready")
    finally:
        if service.poll() is None:
            stop(service)
    promtool = shutil.which("promtool")
    if promtool is not None:
        files = sorted(map(str, OBSERVABILITY.glob("rules_test*.yaml")))
        tried = [promtool, "test", "rules", *files]
        week.step(
            "`promtool test rules rules_test*.yaml`: each alarm fires, and is cleared",
            lambda: subprocess.run(tried, cwd=OBSERVABILITY, capture_output=True, text=True, check=False).stdout,
            "SUCCESS",
        )


def main() -> None:
    """Print a line for each step, and at the end the table of the page."""
    # Ended by a supervisor, it ends its service, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="first-week-") as folder:
        week = Week(folder=Path(folder), port=free_port(), metrics_port=free_port())
        run(week)
    week.end()


if __name__ == "__main__":
    main()
