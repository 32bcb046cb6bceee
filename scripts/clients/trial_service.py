"""A service for trials of clients, which may refuse a share of the calls. Stand-ins read the documents; the store and
everything else are the service's own. Its arguments are those of `start_service`."""

import asyncio
import random
import sys
from asyncio.subprocess import Process, create_subprocess_exec
from datetime import datetime, timedelta
from pathlib import Path

import uvicorn
from pydantic import SecretStr
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from actors.application import create_application
from scripts.clients.formatting import ROOT
from serve_app.domain.account import Account, Plan, mint_key
from serve_app.domain.account import Scope as KeyScope
from serve_app.domain.batch import Section
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.settings import Settings
from serve_app.store.factory import open_files, open_store
from serve_app.wiring.dispatcher import build_dispatcher
from serve_app.wiring.services import build_services
from tests.support import FakeCutter, FakeModels, FakeNotifier, FakeReader, FakeReconciler, interpreting
from tests.support.mails import READ
from tests.support.ports import listening_socket
from tests.support.webhooks import ENCRYPTION_KEY

AWAY = timedelta(minutes=2, seconds=30)
"""The time of a restart by the service's clock: longer than a lost call holds its idempotency key."""
_REFUSALS = {429: ("rate_limit_error", "rate_limited"), 503: ("api_error", "service_unavailable")}


def settings_of(folder: Path) -> Settings:
    return Settings(
        database_url=f"sqlite:///{folder}/invoices.db",
        files_url=str(folder / "files"),
        encryption_key=SecretStr(ENCRYPTION_KEY),
        signing_key=SecretStr("a secret of this trial, long enough for the purpose"),
        rate_limit=100_000,
        retry_seconds=0,
        poll_seconds=0.05,
        wait_poll_seconds=0.05,
    )


async def add_account(folder: Path) -> str:
    """A key of a new account in a new store."""
    store = open_store(settings_of(folder), utc_now)
    account = Account(new_id(), Plan.UNLIMITED, utc_now())
    await store.accounts.add(account)
    key, raw = mint_key(account.id, "trial", KeyScope.FULL, utc_now())
    await store.keys.add(key)
    await store.connection.close()
    return raw


async def start_service(folder: Path, port: int, restarts: int = 0, refused: float = 0.0) -> Process:
    """The service in a process of its own."""
    arguments = (str(folder), str(port), str(restarts), str(refused))
    return await create_subprocess_exec(sys.executable, "-m", "scripts.clients.trial_service", *arguments, cwd=ROOT)


class Refusing:
    """Answers a share of the calls with 429 or 503 before the service receives them."""

    def __init__(self, app: ASGIApp, share: float) -> None:
        self._app = app
        self._share = share

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if random.random() >= self._share:  # noqa: S311
            await self._app(scope, receive, send)
            return
        status, (type, code) = random.choice(list(_REFUSALS.items()))  # noqa: S311
        error = {"type": type, "code": code, "message": "later", "param": None}
        await JSONResponse({"error": error}, status, headers={"Retry-After": "0"})(scope, receive, send)


async def serve(folder: Path, port: int, restarts: int, refused: float) -> None:
    """Until it is killed."""

    def clock() -> datetime:
        return utc_now() + restarts * AWAY

    settings = settings_of(folder)
    store, files, notifier, held_calls = (
        open_store(settings, clock),
        open_files(settings),
        FakeNotifier(),
        FakeNotifier(),
    )
    services = build_services(store, files, notifier, FakeCutter(), FakeModels(), settings, clock)
    interpreter = interpreting(FakeReconciler(lambda *_: [Section(1, 1, READ)]))
    dispatcher = build_dispatcher(store, files, FakeReader(), interpreter, settings, clock, held_calls=held_calls)
    notifier.then, held_calls.then = dispatcher.wake, services.wait.wake
    app = Refusing(create_application(services), refused)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", ws="none"))
    working = asyncio.create_task(dispatcher.run())
    await server.serve([listening_socket(port)])
    working.cancel()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])))
