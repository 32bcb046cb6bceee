"""A real Ray with the application, deployed as production deploys it: from a Serve configuration."""

import asyncio
import re
import socket
import time
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from uuid import UUID

import httpx
import psutil
import pytest

from serve_app.commands.local_cluster import application_status, local_ray
from serve_app.commands.local_graph import DEFAULT_CONFIG, local_http_options, local_options, read_graph
from serve_app.domain.account import Plan
from serve_app.settings import Settings
from serve_app.settings.keys import with_keys
from serve_app.store.factory import open_store
from serve_app.wiring.accounts import build_accounts
from tests.support.checkpoints import write_layout_checkpoint, write_text_checkpoint
from tests.support.pdfs import write_invoice_pdf
from tests.telemetry.sink import Sink, collecting

READY_TIMEOUT_S = 300


@dataclass(frozen=True, slots=True)
class Service:
    """The running application."""

    url: str
    account_id: UUID
    key: str
    graph: dict[str, Any]
    pdf: Path
    settings: Settings
    traces: Sink

    def client(self) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {self.key}"}
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=120)

    def numbers(self, name: str) -> dict[str, float]:
        """A scrape of this machine: the values of a series by its labels, as they are written."""
        with urlopen(f"http://{self.settings.metrics_listen}/metrics", timeout=10) as answer:
            lines = answer.read().decode().splitlines()
        found = (line.rsplit(" ", 1) for line in lines if line.startswith((f"{name} ", f"{name}{{")))
        return {labels.removeprefix(name): float(value) for labels, value in found}

    def upload(self, number: int = 0) -> dict[str, tuple[str, bytes, str]]:
        """The `files` of a request that sends the sample."""
        return {"file": (f"invoice-{number}.pdf", self.pdf.read_bytes(), "application/pdf")}

    def deploy(self, user_configs: dict[str, dict[str, Any]], **args: object) -> None:
        """What `serve deploy` does, with these changes to the models' `user_config` and to the application's `args`;
        returns when it is done."""
        from ray.serve.context import _get_global_client
        from ray.serve.schema import ServeDeploySchema

        graph = deepcopy(self.graph)
        for deployment in graph["applications"][0]["deployments"]:
            deployment.get("user_config", {}).update(user_configs.get(deployment["name"], {}))
        graph["applications"][0]["args"].update(args)
        client = _get_global_client()
        assert client is not None
        client.deploy_apps(ServeDeploySchema.model_validate(graph))
        wait_until_running()


def wait_until_running() -> None:
    """Serve calls an application RUNNING again only when all replicas have what was accepted last."""
    end = time.monotonic() + READY_TIMEOUT_S
    while (status := application_status("invoices")).state != "RUNNING":
        assert status.state not in {"DEPLOY_FAILED", "UNHEALTHY"}, status.message
        assert time.monotonic() < end, status
        time.sleep(0.1)


def replica(name: str) -> psutil.Process:
    """The process of a deployment's only replica."""
    return next(
        process
        for process in psutil.Process().children(recursive=True)
        if process.is_running() and re.search(rf"ServeReplica:invoices:{name}(?![\w-])", " ".join(process.cmdline()))
    )


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    settings = Settings(
        database_url=f"sqlite:///{folder}/invoices.db",
        files_url=str(folder / "files"),
        mail_folder=str(folder / "mail"),
        model_registry=str(folder / "models"),
        encryption_key_file=str(folder / "encryption.key"),
        signing_key_file=str(folder / "signing.key"),
        file_url_networks="127.0.0.0/8",
        webhook_networks="127.0.0.0/8",
        rate_limit=100_000,
        # The claims of killed workers expire soon.
        lease_seconds=10,
        heartbeat_seconds=3,
        metrics_listen=f"127.0.0.1:{_free_port()}",
        metrics_folder=str(folder / "metrics"),
    )
    with collecting() as traces:
        settings = settings.model_copy(update={"otel_exporter_otlp_endpoint": traces.url})
        yield from _running(folder, settings, traces)


def _running(folder: Path, settings: Settings, traces: Sink) -> Iterator[Service]:
    graph = _graph(folder, settings)
    with local_ray(2):
        from ray import serve

        serve.start(proxy_location="HeadOnly", http_options=graph["http_options"])
        options = graph["http_options"]
        pdf = write_invoice_pdf(folder / "invoice.pdf")
        url = f"http://{options['host']}:{options['port']}"
        service = Service(url, *asyncio.run(_account(settings)), graph, pdf, with_keys(settings), traces)
        service.deploy({})
        yield service
        serve.shutdown()  # type: ignore[no-untyped-call]


def _graph(folder: Path, settings: Settings) -> dict[str, Any]:
    """config/serve.yaml for one machine, with tiny models, and a second pair with a verifier of its own."""
    base = read_graph(DEFAULT_CONFIG)
    options = local_options(base)
    # However many cores there are: tests kill the only replica.
    options["Reader"]["num_replicas"] = 1
    options["Extractor"]["user_config"]["checkpoint"] = str(write_layout_checkpoint(folder / "extractor"))
    options["Verifier"]["user_config"]["checkpoint"] = str(write_text_checkpoint(folder / "verifier"))
    older = {"checkpoint": str(write_text_checkpoint(folder / "older", seed=3)), "revision": "verifier-older"}
    options["Verifier-older"] = {**options["Verifier"], "user_config": options["Verifier"]["user_config"] | older}
    application = {
        **base["applications"][0],
        "args": {"settings": settings.model_dump(mode="json"), "pairs": {"older": ["verifier"]}},
        "deployments": [{"name": name, **chosen} for name, chosen in options.items()],
    }
    return {
        "proxy_location": "HeadOnly",
        "http_options": local_http_options(base, "127.0.0.1", _free_port()),
        "applications": [application],
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def _account(settings: Settings) -> tuple[UUID, str]:
    """The account whose documents are sent, and its key."""
    store = open_store(settings)
    accounts = build_accounts(store)
    account = await accounts.create_account(Plan.UNLIMITED)
    _, raw = await accounts.create_key(account.id, "test")
    await store.connection.close()
    return account.id, raw
