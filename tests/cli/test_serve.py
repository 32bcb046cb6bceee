"""`invoices serve` from its start to its end, in a process of its own."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
import yaml

from serve_app.commands.local_graph import DEFAULT_CONFIG
from tests.support.checkpoints import write_layout_checkpoint, write_text_checkpoint
from tests.support.pdfs import write_invoice_pdf

pytestmark = pytest.mark.ray

READY_WITHIN_S = 300
STOPPED_WITHIN_S = 60


def config(folder: Path) -> Path:
    """config/serve.yaml with tiny models."""
    graph = yaml.safe_load(DEFAULT_CONFIG.read_text())
    models = {"Extractor": write_layout_checkpoint(folder / "e"), "Verifier": write_text_checkpoint(folder / "v")}
    for deployment in graph["applications"][0]["deployments"]:
        if deployment["name"] in models:
            deployment["user_config"]["checkpoint"] = str(models[deployment["name"]])
    (folder / "serve.yaml").write_text(yaml.safe_dump(graph))
    return folder / "serve.yaml"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    command = [str(Path(sys.executable).with_name("invoices")), "serve", "--port", str(free_port()), *more]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("RAY_", "OMP_"))}
    environment["HOME"] = str(folder)
    with (folder / "out").open("w") as out:
        return subprocess.Popen(
            [*command, "--config", str(config(folder))],
            cwd=folder,
            stdout=out,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
            start_new_session=True,
        )


def wait_for(folder: Path, process: subprocess.Popen[str], pattern: str) -> str:
    """What the command has printed once `pattern` is in it."""
    end = time.monotonic() + READY_WITHIN_S
    while not re.search(pattern, text := (folder / "out").read_text(), re.DOTALL):
        assert process.poll() is None, text
        assert time.monotonic() < end, text
        time.sleep(0.2)
    return text


def stop(process: subprocess.Popen[str], number: signal.Signals) -> None:
    """Stop the command; nothing that it started may be left."""
    started = psutil.Process(process.pid).children(recursive=True)
    if number == signal.SIGINT:
        # As a terminal does: to the whole group, Ray's processes included.
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    assert process.wait(STOPPED_WITHIN_S) == 0
    _, alive = psutil.wait_procs(started, timeout=5)
    assert [child for child in alive if child.status() != psutil.STATUS_ZOMBIE] == []


def test_the_first_start_shows_a_key_and_a_link_and_reads_a_sample_and_leaves_nothing_behind(tmp_path: Path) -> None:
    sample = write_invoice_pdf(tmp_path / "invoice.pdf")
    process = start(tmp_path, "--sample", str(sample))
    text = wait_for(tmp_path, process, r"Ready after .*\n}\n.*/app/enter#\S{40,}\n")
    assert len(re.findall(r"inv_live_\S{40,}", text)) == 1
    invoice, _ = json.JSONDecoder().raw_decode(text[text.index("\n{\n") + 1 :])
    assert invoice["status"] == "complete"
    stop(process, signal.SIGTERM)
    assert (tmp_path / "out").read_text().endswith("Stopped.\n")


def test_ctrl_c_while_starting_leaves_nothing_behind(tmp_path: Path) -> None:
    process = start(tmp_path)
    wait_for(tmp_path, process, "Starting the service")
    time.sleep(1)
    stop(process, signal.SIGINT)
