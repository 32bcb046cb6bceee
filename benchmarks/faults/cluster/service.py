"""The service on three machines, over MongoDB's protocol and GridFS, deployed as docs/how-to/run-a-cluster.md says."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml
from pydantic import SecretStr

from benchmarks.faults.cluster.machine import INVOICES, Machine
from benchmarks.faults.cluster.network import within
from benchmarks.faults.service import QUICK, NotReady
from serve_app.commands.local_graph import CPU_MODEL, DEFAULT_CONFIG, read_graph
from serve_app.keys.files import kept_key
from serve_app.keys.sealing import new_key
from serve_app.settings import Settings

START_TIMEOUT_S = 420.0
_MACHINES = 3
_GCS_PORT = 6379
_HEAD = ("head", f"--port={_GCS_PORT}")
_WORKER = ("env", "ray", "start", f"--address=10.77.0.11:{_GCS_PORT}", "--include-log-monitor=false", "--block")
# As long as a worker takes to join.
_JOIN_S = 15.0
# The others have one replica, which Serve starts on another machine if it is lost.
_REPLICAS = {"Ingress": _MACHINES, "Dispatcher": 2}


class ClusterService:
    """Needs `folder` for keys and logs, and an empty database at `mongodb`."""

    def __init__(self, folder: Path, mongodb: str) -> None:
        self.mongodb = mongodb
        self._folder = folder
        self._keys = {name: kept_key(folder / name, new_key) for name in ("signing_key", "encryption_key")}
        head = {"RAY_gcs_storage": "rocksdb", "RAY_gcs_storage_path": str(folder / "gcs")}
        worker = {
            "RAY_gcs_rpc_server_reconnect_timeout_s": "600",
            "RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S": "75",
        }
        self.machines = [
            self._machine(number, _WORKER if number else _HEAD, worker if number else head)
            for number in range(_MACHINES)
        ]
        self.head, *self.workers = self.machines

    def _machine(self, number: int, node: Sequence[str], more: dict[str, str]) -> Machine:
        name = f"worker-{number}" if number else "head"
        environment = self.environment() | more
        return Machine(name, f"10.77.0.1{number + 1}", node, environment, self._folder / f"{name}.log")

    @property
    def database(self) -> Path:
        """Not used: everything is in MongoDB."""
        return self._folder / "invoices.db"

    def environment(self) -> dict[str, str]:
        """What all of its processes run with."""
        return {
            **os.environ,
            **QUICK,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            # For Ray's token.
            "HOME": str(self._folder),
            "RAY_TMPDIR": str(self._folder / "ray"),
            "DATABASE_URL": self.mongodb,
            "FILES_URL": "gridfs",
            "SIGNING_KEY_FILE": str(self._folder / "signing_key"),
            "ENCRYPTION_KEY_FILE": str(self._folder / "encryption_key"),
            "METRICS_LISTEN": "",
            "MAIL_SMTP": "",
            "OMP_NUM_THREADS": "1",
            "MALLOC_ARENA_MAX": "2",
            "HF_HUB_OFFLINE": "1",
            "RAY_worker_niceness": "0",
        }

    def settings(self) -> Settings:
        """What the service runs with, for the parts of the run that use the store themselves."""
        return Settings(
            database_url=self.mongodb,
            files_url="gridfs",
            signing_key=SecretStr(self._keys["signing_key"]),
            encryption_key=SecretStr(self._keys["encryption_key"]),
        )

    def start(self) -> float:
        """Start the machines, deploy, and wait until all replicas run and all machines answer; the seconds that took.
        Raises NotReady."""
        began = time.monotonic()
        end = began + START_TIMEOUT_S
        self.head.start()
        while not _is_open(self.head.address, _GCS_PORT):
            _check(end, "Ray's control store did not start")
            time.sleep(0.5)
        for worker in self.workers:
            worker.start()
        # Replicas are placed once, where there is room then.
        time.sleep(_JOIN_S)
        self._deploy(end - time.monotonic())
        while not all(answers(machine, "/readyz/extract") for machine in self.machines):
            _check(end, "the machines did not all answer")
            time.sleep(1)
        return time.monotonic() - began

    def _deploy(self, within_s: float) -> None:
        """Returns when all replicas run: before, a machine without an Ingress passes its calls to another one."""
        path = self._folder / "serve.yaml"
        path.write_text(yaml.safe_dump(_graph(), sort_keys=False), encoding="utf-8")
        # Ray's dashboard answers only once it is up.
        waits = (f"--wait-for-ray={within_s:.0f}", f"--timeout={within_s:.0f}")
        deploy = within(self.head.name, INVOICES, "deploy", *waits, str(path))
        with (self._folder / "deploy.log").open("ab") as log:
            code = subprocess.run(deploy, env=self.environment(), stdout=log, stderr=log, check=False)  # noqa: S603
        if code.returncode != 0:
            raise NotReady((self._folder / "deploy.log").read_text(encoding="utf-8")[-2000:])

    def stop(self) -> None:
        """Kill all machines for good."""
        for machine in self.machines:
            machine.shut_down()


def answers(machine: Machine, path: str) -> bool:
    """Whether the machine answers with 200."""
    return answer(machine, path) == "200"


def answer(machine: Machine, path: str, seconds: float = 3.0) -> str:
    """The status that the machine answers with, or why it did not answer."""
    connection = http.client.HTTPConnection(machine.address, 8000, timeout=seconds)
    try:
        connection.request("GET", path)
        return str(connection.getresponse().status)
    except (OSError, http.client.HTTPException) as error:
        return type(error).__name__
    finally:
        connection.close()


def _is_open(address: str, port: int) -> bool:
    with suppress(OSError), socket.create_connection((address, port), timeout=1):
        return True
    return False


def _graph() -> dict[str, Any]:
    """The production graph without GPUs and without autoscaling: each machine answers HTTP by itself."""
    graph = read_graph(DEFAULT_CONFIG)
    application = graph["applications"][0]
    application.pop("autoscaling_policy")
    application["args"]["settings"]["sandbox"] = "best_effort"
    for deployment in application["deployments"]:
        deployment.pop("autoscaling_config", None)
        deployment["num_replicas"] = _REPLICAS.get(deployment["name"], 1)
        if deployment["name"] in _REPLICAS:
            deployment["max_replicas_per_node"] = 1
        deployment["ray_actor_options"] = {"num_cpus": 0.1}
        if "user_config" in deployment:
            deployment["user_config"] |= CPU_MODEL
    return graph


def _check(end: float, what: str) -> None:
    if time.monotonic() > end:
        raise NotReady(f"{what} within {START_TIMEOUT_S:.0f} s")
