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


def start(folder: Path, *more: str, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    command = [str(Path(sys.executable).with_name("invoices")), "serve", "--port", str(free_port()), *more]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("RAY_", "OMP_"))}
    with (folder / "out").open("w") as out:
        return subprocess.Popen(
            [*command, "--config", str(config(folder))],
            cwd=folder,
            stdout=out,
            stderr=subprocess.STDOUT,
            text=True,
            env=inherited | {"HOME": str(folder)} | (environment or {}),
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


@pytest.mark.parametrize("size", ["--small", "--no-small"])
def test_the_first_start_shows_a_key_and_a_link_and_reads_a_sample_and_leaves_nothing_behind(
    tmp_path: Path, size: str
) -> None:
    sample = write_invoice_pdf(tmp_path / "invoice.pdf")
    process = start(tmp_path, size, "--sample", str(sample))
    text = wait_for(tmp_path, process, r"Ready after .*\n}\n.*/app/enter#\S{40,}\n")
    assert len(re.findall(r"inv_live_\S{40,}", text)) == 1
    invoice, _ = json.JSONDecoder().raw_decode(text[text.index("\n{\n") + 1 :])
    assert invoice["status"] == "complete"
    assert len(set(invoice["models"].values())) == 2
    stop(process, signal.SIGTERM)
    assert (tmp_path / "out").read_text().endswith("Stopped.\n")


def test_ctrl_c_while_starting_leaves_nothing_behind(tmp_path: Path) -> None:
    process = start(tmp_path)
    wait_for(tmp_path, process, "Starting the service")
    time.sleep(1)
    stop(process, signal.SIGINT)


def test_a_start_that_ray_gives_up_is_tried_again_and_ends_in_one_line(tmp_path: Path) -> None:
    process = start(tmp_path, environment={"RAY_gcs_server_port_wait_time_s": "0"})
    assert process.wait(READY_WITHIN_S) == 1
    lines = (tmp_path / "out").read_text().splitlines()
    assert [line[:39] for line in lines[-3:-1]] == ["Ray did not start: Timed out waiting for"[:39]] * 2
    assert lines[-1].startswith("invoices: Ray did not start in 3 attempts: ")


@pytest.mark.parametrize("name", ["raylet", "gcs_server"])
def test_the_service_ends_in_one_line_when_ray_is_lost(tmp_path: Path, name: str) -> None:
    process = start(tmp_path)
    wait_for(tmp_path, process, "Starting the service")
    started = psutil.Process(process.pid).children(recursive=True)
    next(child for child in started if child.name() == name).kill()
    assert process.wait(STOPPED_WITHIN_S) == 1
    assert f"invoices: the service ends because Ray's {name} was lost" in (tmp_path / "out").read_text()
    _, alive = psutil.wait_procs(started, timeout=10)
    assert [child for child in alive if child.status() != psutil.STATUS_ZOMBIE] == []
