"""An operator's first week on a clean machine: `sudo python -m scripts.clean_machine FOLDER [--from COMMIT]`.

Makes a Debian root in FOLDER, installs the service in it as docs/how-to/run-on-one-machine.md says, and boots its
systemd in a container without a network. Takes it through a first document, backup, drill, lost processes, the update
from COMMIT as docs/how-to/update.md says, and Ray's own head with a lost control store. Prints each command with its
seconds and the line that it ended with; ends with 1 if one did not do what its page says. Needs debootstrap,
systemd-container and root.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil

from scripts.first_week import Steps

ROOT = Path(__file__).parents[1]
CHECKOUT = "/opt/invoices"
URL = "http://127.0.0.1:8000"
PAGE = ROOT / "docs" / "how-to" / "run-on-one-machine.md"
_DEBIAN = "bookworm"
# What a server has already, and what the pages call: git for the checkout, make, curl.
_PACKAGES = "systemd,systemd-sysv,dbus,ca-certificates,python3,python3-venv,procps,git,make,curl"
_INSTALL_SECONDS = 1800
_SECONDS = 300
# systemd-nspawn works in a folder of /run, which must not be on a disk.
_NSPAWN = (
    'mount -t tmpfs tmpfs /run && mkdir /run/systemd && exec systemd-nspawn --quiet --register=no --keep-unit "$@"'
)
# For the sandbox of readers; systemd-nspawn allows them by name only.
_LANDLOCK = "landlock_create_ruleset landlock_add_rule landlock_restrict_self"
_UNSHARE = ("unshare", "--mount", "--propagation=private", "sh", "-c", _NSPAWN, "nspawn")


class Machine:
    """A Debian root, and its processes once it has booted."""

    def __init__(self, root: Path, binds: Sequence[str]) -> None:
        self._root = root
        self._binds = [f"--bind-ro={path}" for path in binds]
        self._container: subprocess.Popen[bytes] | None = None
        self._init = 0

    def make(self) -> str:
        """An empty Debian."""
        command = ["debootstrap", "--variant=minbase", f"--include={_PACKAGES}", _DEBIAN, str(self._root)]
        return _output(command, _INSTALL_SECONDS)

    def install(self, commit: str) -> str:
        """The checkout at this commit, as by `git clone`, and `make setup`. With the network of this machine, whose pip
        may be configured with folders (`--bind`)."""
        checkout = f"{self._root}{CHECKOUT}"
        if not Path(checkout).exists():
            _output(["git", "clone", "--quiet", "--no-hardlinks", f"file://{ROOT}", checkout], _SECONDS)
        _output(["git", "-C", checkout, "fetch", "--quiet", f"file://{ROOT}", "HEAD"], _SECONDS)
        id = _output(["git", "-C", str(ROOT), "rev-parse", commit], _SECONDS).strip()
        _output(["git", "-C", checkout, "checkout", "--quiet", id], _SECONDS)
        setup = ["make", "--no-print-directory", "-C", CHECKOUT, "setup"]
        if self._container is not None:
            return _output([*self._entered("--mount", "--pid", "--ipc", "--uts"), *setup], _INSTALL_SECONDS)
        kept = [f"--setenv={name}" for name in os.environ if name.startswith("PIP_")]
        inside = ["--directory", str(self._root), "--pipe", *self._binds, *kept]
        return _output([*_UNSHARE, *inside, *setup], _INSTALL_SECONDS)

    def boot(self) -> str:
        """Start systemd in it, without a network."""
        options = ["--private-network", f"--system-call-filter={_LANDLOCK}", *self._binds]
        inside = ["--directory", str(self._root), *options, "--boot"]
        # Its console is a terminal that nobody reads.
        self._container = subprocess.Popen(
            [*_UNSHARE, *inside], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end:
            with suppress(StopIteration, OSError, subprocess.SubprocessError):
                self._init = next(each.pid for each in psutil.Process(self._container.pid).children())
                state = self.run("systemctl is-system-running --wait || true")
                if "running" in state or "degraded" in state:
                    return state
            time.sleep(0.5)
        raise TimeoutError("systemd does not run")

    def run(self, script: str, seconds: float = _SECONDS) -> str:
        """What a script prints there, run by root."""
        return _output([*self._entered("--all"), "sh", "-ec", script], seconds)

    def _entered(self, *namespaces: str) -> list[str]:
        return ["nsenter", f"--target={self._init}", *namespaces, "--root", "--wdns=/"]

    def wait_for(self, script: str, text: str) -> str:
        """Until the script prints the text."""
        end, printed = time.monotonic() + _SECONDS, ""
        while time.monotonic() < end:
            printed = self.run(f"{script} || true")
            if text in printed:
                return printed
            time.sleep(1)
        raise TimeoutError(f"no {text!r}: {printed[-200:]}")

    def shut_down(self) -> str:
        """As `poweroff` does."""
        if self._container is None:
            return "never booted"
        with suppress(subprocess.SubprocessError, psutil.NoSuchProcess):
            # What systemd takes for a request to power off.
            psutil.Process(self._init).send_signal(signal.SIGRTMIN + 4)
        return f"exit status {self._container.wait(_SECONDS)}"


def _output(command: Sequence[str], seconds: float) -> str:
    """Raises CalledProcessError with the last lines that it wrote."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    text = f"{done.stderr}{done.stdout}"
    if done.returncode:
        raise OSError(f"exit status {done.returncode}: {text.strip()[-300:]}")
    return text or "nothing"


def commands_of_the_page() -> str:
    """The block of commands below `## Run by systemd`."""
    section = PAGE.read_text().partition("## Run by systemd\n")[2]
    (block,) = re.findall(r"\n\n((?: {4}.*\n)+)", section.partition("Data is in")[0])
    return re.sub(r"^ {4}", "", block, flags=re.MULTILINE)


def invoices(command: str) -> str:
    """A command with the environment of the service, as the page has it; by a pipe in place of a terminal."""
    return (
        f"systemd-run --unit=invoices-command --pipe --wait --quiet --collect {CHECKOUT}/.venv/bin/invoices {command}"
    )


def week(machine: Machine, steps: Steps, before: str | None) -> None:
    """All steps on a machine that has booted."""
    journal = "journalctl --unit invoices-serve --output cat --no-pager"
    steps.step("boot", machine.boot, "")
    steps.step("the commands of Run by systemd", lambda: machine.run(commands_of_the_page()), "")
    steps.step("invoices-serve is ready", lambda: machine.wait_for(journal, "Ready after"), "Ready after")
    found = re.search(r"shown only now:\s+(\S+)", machine.run(journal))
    call = f"curl -sS -H 'Authorization: Bearer {found[1] if found else ''}'"
    send = f"{call} -F file=@{CHECKOUT}/samples/invoice.pdf '{URL}/v1/invoices?wait=true'"
    read = steps.step("first document", lambda: machine.run(send), '"complete"')
    id = (re.search(r'"id": ?"([^"]+)"', read) or ["", ""])[1]
    show = f"{call} {URL}/v1/invoices/{id}"
    if before is not None:
        update(machine, steps, show)
    steps.step("`invoices doctor`", lambda: machine.run(invoices("doctor")), "the service is ready")
    back_up(machine, steps)
    lost = "systemctl kill --signal=KILL invoices-serve; sleep 1"
    steps.step("all processes killed", lambda: machine.run(lost), "")
    steps.step("ready again", lambda: machine.wait_for(f"curl -sS {URL}/readyz", '"ready"'), '"ready"')
    steps.step("the document is there", lambda: machine.run(show), '"complete"')
    steps.step("`invoices verify`", lambda: machine.run(invoices("verify")), "no differences")
    stop = "systemctl disable --quiet --now invoices-serve"
    steps.step(f"`{stop}`", lambda: machine.run(stop), "")
    lose_head(machine, steps, show)


def update(machine: Machine, steps: Steps, show: str) -> None:
    """To this checkout's commit, as the page has it."""
    steps.step("`git checkout`, `make setup`", lambda: machine.install("HEAD"), "")
    steps.step("`invoices migrate --check`", lambda: machine.run(invoices("migrate --check")), "")
    units = f"cp -r {CHECKOUT}/deploy/systemd/* /etc/systemd/system/; systemctl daemon-reload"
    restart = f"{units}; systemctl restart invoices-serve; sleep 1"
    steps.step("`systemctl restart invoices-serve`", lambda: machine.run(restart), "")
    steps.step("ready again", lambda: machine.wait_for(f"curl -sS {URL}/readyz", '"ready"'), '"ready"')
    steps.step("the document is there", lambda: machine.run(show), '"complete"')


def back_up(machine: Machine, steps: Steps) -> None:
    """By the units, whose timers wait for the night."""
    for unit in ("invoices-backup", "invoices-drill"):
        start = f"systemctl start {unit}; journalctl --unit {unit} --output cat --no-pager --lines 3"
        steps.step(f"`systemctl start {unit}`", partial(machine.run, start), "snapshot")
    timers = "systemctl enable --quiet --now invoices-backup.timer invoices-drill.timer"
    steps.step(f"`{timers}`", lambda: machine.run(f"{timers}; systemctl list-timers --no-pager"), "invoices-drill")
    steps.step("`invoices audit`", lambda: machine.run(invoices("audit")), "backup.tested")


def lose_head(machine: Machine, steps: Steps, show: str) -> None:
    """The whole graph on Ray's own head, as docs/how-to/run-with-gpus.md has it, with CPUs and a GPU that are only
    declared; then Ray's control store is killed, and then all of the head."""
    make_file = "head -c 32 /dev/urandom | base64 | tr +/ -_ > /etc/invoices/ray_auth_token"
    options = "echo RAY_OPTIONS=--node-ip-address=127.0.0.1 --num-cpus=16 --num-gpus=1 >> /etc/invoices/environment"
    start = "systemctl enable --quiet --now invoices-head invoices-deploy"
    ready, restarts = f"curl -sS {URL}/readyz/extract", "systemctl show --property NRestarts invoices-head"
    steps.step(f"`{start}`", lambda: machine.run(f"{make_file}; {options}; {start}", _INSTALL_SECONDS), "")
    steps.step("both models answer", lambda: machine.wait_for(ready, '"ready"'), '"ready"')
    killed = "pkill -KILL gcs_server; sleep 3; pgrep gcs_server"
    steps.step("control store killed", lambda: machine.run(killed), "")
    steps.step("the head went on", lambda: machine.run(restarts), "NRestarts=0")
    steps.step("both models answer", lambda: machine.wait_for(ready, '"ready"'), '"ready"')
    lost = "systemctl kill --signal=KILL invoices-head; sleep 1"
    steps.step("all processes of the head killed", lambda: machine.run(lost), "")
    steps.step("both models answer again", lambda: machine.wait_for(ready, '"ready"'), '"ready"')
    steps.step("the document is there", lambda: machine.run(show), '"complete"')


def main() -> None:
    """Print a line for each step, and at the end the table of the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="of the Debian root; made if it is missing")
    parser.add_argument("--from", dest="before", metavar="COMMIT", help="install this one first, and update it")
    parser.add_argument("--bind", action="append", default=[], help="a path that pip needs there, read-only")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    machine, steps = Machine(given.folder, given.bind), Steps()
    if not given.folder.exists():
        steps.step("`debootstrap`", machine.make, "")
    steps.step("`git clone`, `make setup`", lambda: machine.install(given.before or "HEAD"), "")
    try:
        week(machine, steps, given.before)
    finally:
        steps.step("poweroff", machine.shut_down, "exit status 0")
    steps.end()


if __name__ == "__main__":
    main()
