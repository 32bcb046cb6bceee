"""Follow the tutorial to ten invoices in a CSV, with each client: `python -m scripts.clients.first_csv`."""

import asyncio
import csv
import os
import re
import shutil
import time
from asyncio.subprocess import create_subprocess_exec
from pathlib import Path
from tempfile import TemporaryDirectory

from invoices_client import AsyncClient
from scripts.clients.formatting import ROOT
from scripts.clients.trial_service import add_account, start_service
from tests.support.ports import free_port

PAGE = ROOT / "docs" / "tutorials" / "ten-invoices.md"
_SECTION = re.compile(r"^## With (\w+)\n.*?^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_MADE = shutil.ignore_patterns("node_modules", "build", "dist", "*.egg-info", "*.tgz")
_NEEDED = {"Python": "python3", "TypeScript": "npm"}


async def main() -> None:
    """Raises ValueError if a table lacks an invoice."""
    with TemporaryDirectory() as folder:
        key, port = await add_account(Path(folder)), free_port()
        url = f"http://127.0.0.1:{port}"
        service = await start_service(Path(folder), port)
        project = shutil.copytree(ROOT / "clients", Path(folder) / "project" / "clients", ignore=_MADE).parent
        try:
            async with AsyncClient(api_key=key, url=url, max_retries=20) as client:
                await client.me()
            environment = {**os.environ, "PROJECT": str(project), "INVOICES_URL": url, "INVOICES_API_KEY": key}
            environment.pop("PYTHONPATH", None)
            for name, commands in _SECTION.findall(PAGE.read_text()):
                if shutil.which(_NEEDED[name]):
                    print(f"{name}: {await _follow(commands, Path(folder) / name, environment)}", flush=True)
        finally:
            service.kill()
            await service.wait()


async def _follow(commands: str, folder: Path, environment: dict[str, str]) -> str:
    """Run the commands in a folder with ten invoices."""
    _fill(folder)
    began = time.perf_counter()
    shell = await create_subprocess_exec("bash", "-euc", commands, cwd=folder, env=environment)
    if await shell.wait() != 0 or _complete(folder / "results.csv") != 10:
        raise ValueError(f"the tutorial does not lead to ten invoices: {commands}")
    return f"ten invoices in a CSV after {len(commands.splitlines())} commands, {time.perf_counter() - began:.0f} s"


def _fill(folder: Path) -> None:
    folder.mkdir()
    for number in range(10):
        shutil.copy(ROOT / "samples" / "invoice.pdf", folder / f"{number}.pdf")


def _complete(table: Path) -> int:
    with table.open(newline="", encoding="utf-8") as file:
        return sum(row["status"] == "complete" for row in csv.DictReader(file))


if __name__ == "__main__":
    asyncio.run(main())
