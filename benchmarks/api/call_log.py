"""What noting each call costs: `GET /v1/me` in one process, in blocks that alternate with and without the notes.

python -m benchmarks.api.call_log
"""

import asyncio
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from pydantic import SecretStr

from actors.application import create_application
from serve_app.domain.account import Plan
from serve_app.keys.sealing import new_key
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.store.factory import open_files, open_store
from serve_app.wiring.services import build_services

_PAIRS, _CALLS = 150, 60


@dataclass(frozen=True, slots=True)
class Block:
    """The means of a block: milliseconds of the clock and of the processor for one call."""

    elapsed: float
    processor: float


class _Nobody:
    """Stands in for workers that no call here needs."""

    async def __call__(self) -> None:
        return

    async def wake(self) -> None:
        return


async def _measure(folder: Path) -> None:
    settings = Settings(
        database_url=f"sqlite:///{folder}/invoices.db",
        files_url=str(folder / "files"),
        signing_key=SecretStr("of a benchmark, and long enough for it"),
        encryption_key=SecretStr(new_key()),
        mail_folder=str(folder / "mail"),
        rate_limit=1_000_000,
    )
    store, files = open_store(settings), open_files(settings)
    nobody: Any = _Nobody()
    services = build_services(store, files, nobody, nobody, nobody, settings)
    account = await services.accounts.create_account(Plan.UNLIMITED)
    _, raw = await services.accounts.create_key(account.id, "benchmark")
    app = create_application(services)
    recorded, bare = services.calls.note, services.callers.uses.note
    pairs: list[tuple[Block, Block]] = []
    for number in range(_PAIRS + 2):
        order = (True, False) if number % 2 else (False, True)
        blocks = {with_notes: await _block(app, services, raw, with_notes, recorded, bare) for with_notes in order}
        if number >= 2:
            pairs.append((blocks[True], blocks[False]))
    await services.finish()
    await store.connection.close()
    _report(pairs, services.calls.dropped)


async def _block(app: FastAPI, services: Services, raw: str, with_notes: bool, recorded: Any, used: Any) -> Block:
    services.calls.note = recorded if with_notes else lambda *_: None  # type: ignore[method-assign]
    services.callers.uses.note = used if with_notes else lambda _: None  # type: ignore[method-assign, assignment]
    began, processor = time.perf_counter(), time.process_time()
    for _ in range(_CALLS):
        await _call(app, raw)
    elapsed = time.perf_counter() - began
    # The write of the notes belongs to the block that made them.
    await services.finish()
    return Block(1000 * elapsed / _CALLS, 1000 * (time.process_time() - processor) / _CALLS)


async def _call(app: FastAPI, raw: str) -> None:
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/v1/me",
        "raw_path": b"/v1/me",
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"authorization", f"Bearer {raw}".encode())],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        assert message.get("status", 200) == 200

    await app(scope, receive, send)


def _report(pairs: list[tuple[Block, Block]], dropped: int) -> None:
    for name in ("elapsed", "processor"):
        with_notes = statistics.median(getattr(recorded, name) for recorded, _ in pairs)
        without = statistics.median(getattr(bare, name) for _, bare in pairs)
        more = [getattr(recorded, name) - getattr(bare, name) for recorded, bare in pairs]
        low, middle, high = statistics.quantiles(more, n=4)
        print(
            f"{name}: {with_notes:.3f} ms with notes, {without:.3f} ms without;"
            f" paired difference {1000 * middle:+.0f} us (quartiles {1000 * low:+.0f} to {1000 * high:+.0f})"
        )
    print(f"{len(pairs)} pairs of {_CALLS} calls; {dropped} notes dropped")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(_measure(Path(name)))
