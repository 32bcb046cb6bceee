"""Check the keys when a service starts, including against the secrets in the store."""

import asyncio
import logging

from serve_app.domain.clock import utc_now
from serve_app.domain.errors import ServiceError
from serve_app.services.webhooks.sealed_check import check_secrets
from serve_app.settings import Settings
from serve_app.settings.keys import with_keys
from serve_app.store.factory import open_store
from serve_app.wiring.files import has_database
from serve_app.wiring.keys import build_sealer

log = logging.getLogger(__name__)


def keys_for_start(settings: Settings, *, nodes: int = 1) -> Settings:
    """The settings with both keys, as `with_keys` gives them. Raises UserError also if the store holds secrets that the
    keys cannot open. If the store does not answer, the service starts without this check, as it does without a store.
    """
    try:
        return checked_keys(settings, nodes=nodes)
    except ServiceError:
        log.warning("the store does not answer, so the encryption key cannot be checked against its secrets")
        return with_keys(settings, nodes=nodes, secrets_exist=True)


def checked_keys(settings: Settings, *, nodes: int = 1, makes: bool = True) -> Settings:
    """The same, but raises ServiceError if the store does not answer."""
    if not has_database(settings):
        return with_keys(settings, nodes=nodes, makes=makes)
    return asyncio.run(_checked(settings, nodes, makes))


async def _checked(settings: Settings, nodes: int, makes: bool) -> Settings:
    store = open_store(settings)
    try:
        keyed = with_keys(settings, nodes=nodes, secrets_exist=await store.endpoints.exist(), makes=makes)
        await check_secrets(store.endpoints, build_sealer(keyed), utc_now())
        return keyed
    finally:
        await store.connection.close()
