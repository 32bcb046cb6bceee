"""Models swapped under load, on a real Ray: no document fails, and a model that was refused is told of."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from models.loading import WEIGHTS
from serve_app.commands import cli
from tests.cli.command_line import run
from tests.integration.conftest import Service, replica
from tests.support.checkpoints import write_text_checkpoint
from tests.support.foreign import LABEL_MAP, write_donut, write_foreign
from tests.support.loading import loaded_here
from tests.support.promotion import passed_gate, user_config_of

pytestmark = pytest.mark.ray

# Documents in work at a time.
LOAD = 3


async def post(client: httpx.AsyncClient, service: Service) -> dict[str, Any]:
    answer = await client.post("/v1/invoices", params={"wait": True}, files=service.upload())
    assert answer.status_code == 200, answer.text
    invoice: dict[str, Any] = answer.json()
    return invoice


@asynccontextmanager
async def steady_load(service: Service) -> AsyncIterator[list[dict[str, Any]]]:
    """Documents one after the other, a few at a time, for as long as the block runs; all of them at its end."""
    invoices: list[dict[str, Any]] = []
    stop = asyncio.Event()

    async def send() -> None:
        async with service.client() as client:
            while not stop.is_set():
                invoices.append(await post(client, service))

    async with asyncio.TaskGroup() as group:
        for _ in range(LOAD):
            group.create_task(send())
        yield invoices
        stop.set()


def bundled_verifier(folder: Path) -> dict[str, Any]:
    """The bundled model, as a checkpoint of somebody's own."""
    shutil.copytree(WEIGHTS / "verifier", folder)
    return {"checkpoint": str(folder), "revision": "verifier-of-ours"}


def foreign_verifier(folder: Path) -> dict[str, Any]:
    """A model of another kind, which brings classes of its own."""
    return {"adapter": "layout_tokens", "checkpoint": str(write_foreign("lilt", folder)), "label_map": LABEL_MAP}


async def test_swaps_and_refusals_under_load_cost_no_document(service: Service, tmp_path: Path) -> None:
    before = replica("Verifier").pid
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "config.json").write_text('{"model_type": "abacus"}')
    async with steady_load(service) as invoices:
        await asyncio.to_thread(service.deploy, {"Verifier": foreign_verifier(tmp_path / "lilt")})
        async with service.client() as client:
            assert (await post(client, service))["models"]["verifier"] == "lilt"
            await asyncio.to_thread(service.deploy, {"Verifier": bundled_verifier(tmp_path / "ours")})
            assert (await post(client, service))["models"]["verifier"] == "verifier-of-ours"
            await asyncio.to_thread(service.deploy, {"Verifier": {"checkpoint": str(broken)}})
            assert (await post(client, service))["models"]["verifier"] == "verifier-of-ours"
    assert {invoice["status"] for invoice in invoices} == {"complete"}
    assert {invoice["models"]["verifier"] for invoice in invoices} <= {"verifier", "lilt", "verifier-of-ours"}
    assert replica("Verifier").pid == before


async def test_a_model_that_looks_at_pages_is_shown_them(service: Service, tmp_path: Path) -> None:
    donut = write_donut(tmp_path / "donut", ["<s_store>", "A", "##c", "##m", "##e", "</s_store>"])
    looking = {"adapter": "image_to_sequence", "checkpoint": str(donut), "label_map": {"store": "SELLER"}}
    await asyncio.to_thread(service.deploy, {"Verifier": looking})
    async with service.client() as client:
        invoice = await post(client, service)
    await asyncio.to_thread(service.deploy, {})
    assert (invoice["status"], invoice["models"]["verifier"]) == ("complete", "donut")


async def test_a_refusal_is_reported_by_the_command_line_until_it_is_set_right(
    service: Service, tmp_path: Path
) -> None:
    await asyncio.to_thread(service.deploy, {"Verifier": {"checkpoint": str(tmp_path / "missing")}})
    output = await asyncio.to_thread(CliRunner().invoke, cli.app, ["models"])
    assert output.exit_code == 1
    assert f"{tmp_path}/missing: no model in {tmp_path}/missing: config.json is missing" in output.stdout
    await asyncio.to_thread(service.deploy, {})
    output = await asyncio.to_thread(CliRunner().invoke, cli.app, ["models"])
    assert output.exit_code == 0
    assert [line.split()[0] for line in output.stdout.splitlines()] == ["Extractor", "Verifier", "Verifier-older"]
    assert "refused" not in output.stdout


@pytest.fixture
def versions(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two models that were fetched into the registry of the running service, and what they are called there."""
    monkeypatch.setenv("MODEL_REGISTRY", service.settings.model_registry)
    monkeypatch.setattr("models.footprint.loaded", loaded_here)
    folders = [write_text_checkpoint(tmp_path / f"trained-{seed}", seed=seed) for seed in (5, 6)]
    return [run("models", "fetch", str(each), "--as", "verifier", "--name", "ours").strip() for each in folders]


async def test_what_is_promoted_and_deployed_answers_until_it_is_rolled_back(
    service: Service, versions: list[str], tmp_path: Path
) -> None:
    names = [version[: len("ours@") + 12] for version in versions]

    async def answers_once_deployed(output: str) -> str:
        """Deploy what a command has printed; the verifier that reads the next document."""
        await asyncio.to_thread(service.deploy, {"Verifier": user_config_of(output)})
        async with service.client() as client:
            invoice = await post(client, service)
        assert invoice["status"] == "complete"
        return str(invoice["models"]["verifier"])

    for version, name in zip(versions, names, strict=True):
        gate = passed_gate(version, tmp_path / "gate.json")
        assert await answers_once_deployed(run("models", "promote", version, "--gate", str(gate))) == name
    assert await answers_once_deployed(run("models", "rollback", "ours", "--why", "dates got worse")) == names[0]
    assert "loaded 2 times by Verifier" in run("models", "show", versions[0])
    await asyncio.to_thread(service.deploy, {})
