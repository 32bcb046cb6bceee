"""Sends one document to the running service, as a client would."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from serve_app.commands.errors import CommandError
from serve_app.domain.account import Plan, Scope
from serve_app.settings import Settings
from serve_app.store.factory import open_store
from serve_app.system.thread_pools import FILES
from serve_app.wiring.accounts import build_accounts

# Longer than the service ever holds a call.
TIMEOUT_S = 90


async def send_sample(sample: Path, url: str, key: str | None, settings: Settings) -> Any:
    """The service's response to the document. Without a key, creates an account whose key is revoked after the call."""
    if key:
        return await _post(sample, url, key)
    async with _passing_key(settings) as passing:
        return await _post(sample, url, passing)


async def _post(sample: Path, url: str, key: str) -> Any:
    form = aiohttp.FormData()
    form.add_field("file", await FILES.run(sample.read_bytes), filename=sample.name)
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_S)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout, headers={"Authorization": f"Bearer {key}"}) as session,
            session.post(f"{url}/v1/invoices", params={"wait": "true"}, data=form) as response,
        ):
            return await response.json()
    except (aiohttp.ClientError, TimeoutError) as error:
        raise CommandError(f"{sample}: the service did not answer ({type(error).__name__})") from error


@asynccontextmanager
async def _passing_key(settings: Settings) -> AsyncIterator[str]:
    store = open_store(settings)
    accounts = build_accounts(store)
    try:
        account = await accounts.create_account(Plan.FREE)
        key, raw = await accounts.create_key(account.id, "sample", Scope.FULL)
        yield raw
        await accounts.revoke_key(account.id, key.id)
    finally:
        await store.connection.close()
