"""The service over real HTTP, in a thread of this process; stand-ins read documents and fetch files."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import Queue

import uvicorn

from actors.application import create_application
from serve_app.domain.account import Account, AccountLimits, Plan, Scope, mint_key
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.net.outcome import Fetched, Unreachable
from serve_app.net.urls import parse
from serve_app.services.accounts.operator_keys import OperatorKeyService
from serve_app.services.bundle import Services
from serve_app.services.intake.file_urls import FileUrls
from serve_app.services.processing.dispatch import Dispatcher
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.factory import open_files, open_store
from serve_app.wiring.dispatcher import build_dispatcher
from serve_app.wiring.services import build_services
from tests.api.states import add_invoice_in_every_state
from tests.support import (
    PDF_BYTES,
    Extract,
    FakeCutter,
    FakeModels,
    FakeNotifier,
    FakeReader,
    FakeReconciler,
    interpreting,
)
from tests.support.inbound import DONE, add_address, add_mail
from tests.support.orders import make_order
from tests.support.ports import listening_socket
from tests.support.webhooks import manage_endpoints


@dataclass(frozen=True, slots=True)
class Live:
    """Where the service is, and keys of an account that has an invoice in every state."""

    url: str
    full_key: str
    read_key: str
    operator_key: str
    operator_read_key: str


async def fetch(text: str, max_bytes: int, /) -> Fetched:
    """Most addresses have a document, some have none; bad ones are refused as ever."""
    if len(parse(text).path) % 4 == 3:
        raise Unreachable("the server answered with status 404")
    return Fetched(PDF_BYTES, "fetched.pdf", "application/pdf")


@contextmanager
def live_service(settings: Settings, extract: Extract) -> Iterator[Live]:
    """Runs until the block is left; documents are read with `extract`."""
    started: Queue[tuple[Live, uvicorn.Server] | BaseException] = Queue()
    thread = threading.Thread(target=lambda: asyncio.run(_run(settings, extract, started)), daemon=True)
    thread.start()
    found = started.get(timeout=30)
    if isinstance(found, BaseException):
        raise found
    live, server = found
    try:
        yield live
    finally:
        server.should_exit = True
        thread.join(timeout=30)


async def _run(
    settings: Settings, extract: Extract, started: "Queue[tuple[Live, uvicorn.Server] | BaseException]"
) -> None:
    try:
        store, files, notifier = open_store(settings, utc_now), open_files(settings), FakeNotifier()
        keys = *await _populate(store, files), *await _add_operators(store)
        services = _services(store, files, notifier, settings)
        server = uvicorn.Server(
            uvicorn.Config(create_application(services), log_config=None, lifespan="off", ws="none")
        )
        reconciler = FakeReconciler(extract)
        dispatcher = build_dispatcher(store, files, FakeReader(), interpreting(reconciler), settings)
        notifier.then = dispatcher.wake
        await _serve(server, dispatcher, keys, started)
        await services.finish()
        await store.connection.close()
    except BaseException as error:
        started.put(error)
        raise


def _services(store: Store, files: Files, notifier: FakeNotifier, settings: Settings) -> Services:
    services = build_services(store, files, notifier, FakeCutter(), FakeModels(), settings)
    # No test asks a name server.
    webhooks = replace(services.webhooks, endpoints=manage_endpoints(store, utc_now))
    return replace(services, file_urls=FileUrls(fetch, settings.max_file_bytes), webhooks=webhooks)


async def _serve(
    server: uvicorn.Server,
    dispatcher: Dispatcher,
    keys: tuple[str, str, str, str],
    started: "Queue[tuple[Live, uvicorn.Server] | BaseException]",
) -> None:
    listening = listening_socket()
    started.put((Live(f"http://127.0.0.1:{listening.getsockname()[1]}", *keys), server))
    working = asyncio.create_task(dispatcher.run())
    await server.serve([listening])
    await dispatcher.stop()
    await working


async def _add_operators(store: Store) -> tuple[str, str]:
    """The same of operators, who have a plan of their own."""
    await store.plans.put(Plan("trial", AccountLimits(running=2)))
    operators = OperatorKeyService(store.operator_keys)
    _, full = await operators.create("billing")
    _, read = await operators.create("report", Scope.READ)
    return full, read


async def _populate(store: Store, files: Files) -> tuple[str, str]:
    """A full key and a read key of a new account."""
    account = Account(new_id(), Plan.UNLIMITED, utc_now())
    await store.accounts.add(account)
    await add_invoice_in_every_state(store, files, account)
    await manage_endpoints(store, utc_now).register(account.id, "https://example.com/hooks/invoices")
    await add_mail(store, await add_address(store, account.id), **DONE)
    assert await store.purchase_orders.add(make_order(account.id, "PO-1"))
    raws = []
    for scope in (Scope.FULL, Scope.READ):
        key, raw = mint_key(account.id, "till", scope, utc_now())
        await store.keys.add(key)
        raws.append(raw)
    return raws[0], raws[1]
