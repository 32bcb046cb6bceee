"""An operator's first week in containers: `sudo python -m scripts.containers IMAGE FOLDER`.

Starts an image of `Dockerfile.gpu` without a network, and then deploy/compose in a copy in FOLDER, as the pages in
docs/how-to say: a first document, scrapes, accounts, a failure found in logs, a watched folder, a backup, a drill, lost
processes, lost containers, and a lost volume. Prints each command with its seconds and the line that it ended with;
ends with 1 if one did not do what its page says. Needs Docker with compose, root, and the ports 8000 and 9464; removes
what it made.
"""

import argparse
import os
import re
import shutil
import subprocess
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

from scripts.first_week import SAMPLES, Steps

ROOT = Path(__file__).parents[1]
COMPOSE = ROOT / "deploy" / "compose"
PAGE = ROOT / "docs" / "how-to" / "run-on-one-machine.md"
URL = "http://127.0.0.1:8000"
METRICS = "http://127.0.0.1:9464/metrics"
TRIAL, VOLUME = "invoices-trial", "invoices-data"
UP = "docker compose up --detach --wait"
WITH_BACKUP = "docker compose -f compose.yaml -f compose.backup.yaml"
# What deploy/compose/compose.yaml allows, and less: no network at all.
CLOSED = "--network none --read-only --tmpfs /tmp:mode=1777 --shm-size 1g --cap-drop ALL --init"
_SECONDS = 300.0
# Commands of the pages, and a part of what each prints.
OPERATE = (
    ("doctor", "the service is ready"),
    ("queue --once", "oldest waiting"),
    ("why {invoice}", "Nothing failed"),
    ("account create --plan pro", "API key"),
    ("account plan {account} business", "business"),
    ("account email {account} owner@example.com", "owner@example.com"),
    ("account target-precision {account} 0.995", "0.995"),
    ("account limit {account} --documents 5000 --requests 600 --running 4 --file-mb 5", "limits"),
    ("account limit {account} --running default", "limits"),
    ("account suspend {account}", "suspended"),
    ("account resume {account}", "resumed"),
    ("account list", "{account}"),
    ("account show {account}", "business"),
    ("account usage --csv", "account"),
    ("account keep {account} --days 90", "90"),
    ("key create {account} --name reports --scope read", "API key"),
    ("key list {account}", "reports"),
    ("key revoke {account} {key}", "revoked"),
    ("receipts", ""),
    ("audit {account}", "key.revoked"),
    ("account delete {account} --yes", ""),
)


class Containers:
    """Runs scripts in the folder of the compose files, with the variables that these need."""

    def __init__(self, image: str, folder: Path) -> None:
        self._folder = folder / "compose"
        shutil.copytree(COMPOSE, self._folder)
        given = {"INVOICES_IMAGE": image, "PUBLIC_URL": "https://invoices.example.com"}
        for name in ("backup", "watch"):
            mounted = folder / name
            mounted.mkdir()
            # The user of the image.
            os.chown(mounted, 10001, 10001)
            given[f"{name.upper()}_FOLDER"] = str(mounted)
        self._environment = {**os.environ, **given}

    def run(self, script: str) -> str:
        """What it prints. Raises OSError with the last that it printed if it fails."""
        done = subprocess.run(
            ["bash", "-ec", script],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        text = f"{done.stderr}{done.stdout}"
        if done.returncode:
            raise OSError(f"exit status {done.returncode}: {text.strip()[-300:]}")
        return text or "nothing"

    def wait_for(self, script: str, text: str) -> str:
        """Until the script prints the text."""
        end, printed = time.monotonic() + _SECONDS, ""
        while time.monotonic() < end:
            with suppress(OSError):
                printed = self.run(script)
            if text in printed:
                return printed
            time.sleep(1)
        raise TimeoutError(f"no {text!r}: {printed[-200:]}")


def secrets_of_the_page() -> str:
    """The commands below `## Run in containers` that make the secrets, in the folder of the compose files."""
    section = PAGE.read_text().partition("## Run in containers\n")[2]
    (block,) = re.findall(r"\n\n((?: {4}.*\n)+)", section.partition("With a GPU")[0])
    lines = re.sub(r"^ {4}", "", block, flags=re.MULTILINE).partition("export INVOICES_IMAGE")[0]
    return lines.replace("cd deploy/compose && ", "")


def start_alone(containers: Containers, steps: Steps, image: str) -> None:
    """The image by itself: what it is, and a sample without a network."""
    about = f"docker image inspect {image} --format"
    steps.step("user", lambda: containers.run(f"{about} '{{{{.Config.User}}}}'"), "10001")
    steps.step("bytes", lambda: containers.run(f"{about} '{{{{.Size}}}}'"), "")
    layers = f"docker history --no-trunc --format '{{{{.Size}}}} {{{{.CreatedBy}}}}' {image} | grep -v ^0B"
    for line in containers.run(layers).splitlines():
        print(f"          {line[:120]}")
    sample = "invoices serve --sample /app/samples/invoice.pdf"
    start = f"docker run --detach --name {TRIAL} {CLOSED} {image} {sample}"
    steps.step("`docker run --network none --read-only`", lambda: containers.run(start), "")
    logs = f"docker logs {TRIAL} 2>&1"
    steps.step("ready", lambda: containers.wait_for(logs, "Ready after"), "Ready after")
    steps.step("the sample is read", lambda: containers.wait_for(logs, '"status": "complete"'), "complete")
    health = f"docker inspect {TRIAL} --format '{{{{.State.Health.Status}}}}'"
    steps.step("its health", lambda: containers.wait_for(health, "healthy"), "healthy")
    steps.step("`docker stop`", lambda: containers.run(f"docker stop --time 90 {TRIAL}"), TRIAL)
    ended = f"docker inspect {TRIAL} --format 'exit status {{{{.State.ExitCode}}}}'"
    steps.step("how it ended", lambda: containers.run(ended), "exit status 0")


def week(containers: Containers, steps: Steps) -> None:
    """The compose files through all that their pages say."""
    steps.step("secrets, as the page has it", lambda: containers.run(secrets_of_the_page()), "")
    steps.step(f"`{UP}`", lambda: containers.run(UP), "Healthy")
    key = (re.search(r"inv_live_\S+", containers.run("docker compose logs invoices")) or [""])[0]
    call = f"curl -sS -H 'Authorization: Bearer {key}'"
    send = f"{call} -F file=@{SAMPLES / 'invoice.pdf'} '{URL}/v1/invoices?wait=true'"
    read = steps.step("first document", lambda: containers.run(send), '"complete"')
    show = f"{call} {URL}/v1/invoices/{id_in(read)}"
    scrape = f"curl -sS {METRICS} | grep -m 1 ^invoices_disk_free_bytes"
    steps.step("a scrape from this machine", lambda: containers.run(scrape), "invoices_disk_free_bytes")
    operate(containers, steps, {"invoice": id_in(read)})
    find_out_why(containers, steps, call)
    watch(containers, steps)
    back_up(containers, steps)
    lose(containers, steps, show)


def id_in(answer: str) -> str:
    """Of the invoice that the API answered with."""
    return (re.search(r'"id": ?"([^"]+)"', answer) or ["", ""])[1]


def operate(containers: Containers, steps: Steps, known: dict[str, str]) -> None:
    """The commands of the pages about accounts, keys and state, with the ids that they print."""
    for text, expected in OPERATE:
        command = f"docker compose exec -T invoices invoices {text.format_map(known)}"
        printed = steps.step(f"`invoices {text}`", partial(containers.run, command), expected.format_map(known))
        known = dict(re.findall(r"^(account|key) +([0-9a-f-]{36})$", printed, re.MULTILINE)) | known


def find_out_why(containers: Containers, steps: Steps, call: str) -> None:
    """A document that fails, found by its id in logs, as docs/how-to/find-out-why-a-document-failed.md has it."""
    send = f"printf '%%PDF-1.4 damaged' | {call} -F 'file=@-;filename=a.pdf' '{URL}/v1/invoices?wait=true'"
    id = id_in(steps.step("a damaged document", lambda: containers.run(send), '"failed"'))
    inside = "docker compose exec -T invoices invoices"
    logs = f"docker compose logs --no-log-prefix invoices | {inside} logs {id}"
    steps.step("`docker compose logs | invoices logs ID`", lambda: containers.run(logs), "run failed")
    steps.step("`invoices why ID`", lambda: containers.run(f"{inside} why {id}"), "stage: read")


def watch(containers: Containers, steps: Steps) -> None:
    """A folder of the machine, with the container that the page adds."""
    up = "docker compose -f compose.yaml -f compose.watch.yaml up --detach --wait"
    steps.step(f"`{up}`", lambda: containers.run(up), "Healthy")
    add = "docker compose exec -T invoices invoices folder add /watched"
    steps.step("`invoices folder add /watched`", lambda: containers.run(add), "-")
    put = f'install -o 10001 {SAMPLES / "invoice.pdf"} "$WATCH_FOLDER"'
    done = f'{put}; until ls "$WATCH_FOLDER"/done/*.json; do sleep 1; done'
    steps.step("a file in it is read", lambda: containers.run(done), "invoice.pdf.json")
    less = "docker compose up --detach --wait --remove-orphans"
    steps.step(f"`{less}`", lambda: containers.run(less), "Healthy")


def back_up(containers: Containers, steps: Steps) -> None:
    """By the containers that wait for the night."""
    up = f"{WITH_BACKUP} up --detach --wait"
    steps.step(f"`{up}`", lambda: containers.run(up), "Healthy")
    made = f"{WITH_BACKUP} exec -T backup invoices backup /backups"
    steps.step("`invoices backup /backups` in `backup`", lambda: containers.run(made), "snapshot")
    tried = f"{WITH_BACKUP} exec -T drill invoices backup drill /backups --scratch /data"
    steps.step(
        "`invoices backup drill /backups` in `drill`", lambda: containers.run(tried), "was restored and verified"
    )
    scrape = f"{WITH_BACKUP} exec -T backup wget -qO- http://invoices:9464/metrics"
    times = '/^invoices_backup_(made|tested)_timestamp_seconds/ && $2 > 0 {n++} END {print n, "are set"}'
    age = f"{scrape} | awk '{times}'"
    steps.step("a scrape from another container has both times", lambda: containers.wait_for(age, "2 are"), "2 are")


def lose(containers: Containers, steps: Steps, show: str) -> None:
    """The processes, then the containers, then the volume, which is restored."""
    there = partial(steps.step, "the document is there", lambda: containers.run(show), '"complete"')
    verify = "docker compose exec -T invoices invoices verify"
    first = "docker compose ps --quiet invoices | xargs docker inspect --format '{{.State.Pid}}'"
    steps.step("its first process killed", lambda: containers.run(f"kill -KILL $({first}); sleep 1"), "")
    ready = f"curl -sS {URL}/readyz"
    steps.step("ready again", lambda: containers.wait_for(ready, '"ready"'), '"ready"')
    there()
    down = f"{WITH_BACKUP} down"
    steps.step(f"`{down}`", lambda: containers.run(down), "")
    steps.step(f"`{UP}` again", lambda: containers.run(UP), "Healthy")
    there()
    steps.step("`invoices verify`", lambda: containers.run(verify), "no differences")
    steps.step(f"`{down} --volumes`", lambda: containers.run(f"{down} --volumes"), "")
    restore = f"{WITH_BACKUP} run --rm --no-deps -T backup invoices restore /backups"
    steps.step("`invoices restore /backups` in `backup`", lambda: containers.run(restore), "restored")
    steps.step(f"`{UP}` again", lambda: containers.run(UP), "Healthy")
    there()
    steps.step("`invoices verify`", lambda: containers.run(verify), "no differences")


def main() -> None:
    """Print a line for each step, and at the end the table of the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("image", help="of Dockerfile.gpu, for CPUs")
    parser.add_argument("folder", type=Path, help="a new one, for secrets and backups")
    given = parser.parse_args()
    given.folder.mkdir()
    containers, steps = Containers(given.image, given.folder), Steps()
    taken = f"docker volume ls --quiet --filter name={VOLUME}"
    if VOLUME in containers.run(taken).split():
        parser.error(f"the volume {VOLUME} exists; its deployment would be used and removed")
    try:
        start_alone(containers, steps, given.image)
        week(containers, steps)
    finally:
        with suppress(OSError):
            containers.run(f"{WITH_BACKUP} down --volumes; docker rm --force --volumes {TRIAL}")
    steps.end()


if __name__ == "__main__":
    main()
