"""Check the keys when a service starts, including against the secrets in the store."""

import asyncio
import logging

from serve_app.domain.clock import utc_now
from serve_app.domain.errors import ServiceError
from serve_app.services.webhooks.sealed_check import check_secrets
from serve_app.settings import Settings, sqlite_path
from serve_app.settings.keys import with_keys
from serve_app.store.factory import open_store
from serve_app.wiring.keys import build_sealer

log = logging.getLogger(__name__)


def keys_for_start(settings: Settings, *, nodes: int = 1, makes: bool = True) -> Settings:
    """The settings with both keys, as `with_keys` gives them. Raises UserError also if the store holds secrets that the
    keys cannot open. If the store does not answer, the service starts without this check, as it does without a store.
    """
    database = sqlite_path(settings.database_url)
    if database is not None and not database.exists():
        return with_keys(settings, nodes=nodes, makes=makes)
    return asyncio.run(_checked(settings, nodes, makes))


async def _checked(settings: Settings, nodes: int, makes: bool) -> Settings:
    store = open_store(settings)
    try:
        keyed = with_keys(settings, nodes=nodes, secrets_exist=await store.endpoints.exist(), makes=makes)
        await check_secrets(store.endpoints, build_sealer(keyed), utc_now())
        return keyed
    except ServiceError:
        log.warning("the store does not answer, so the encryption key cannot be checked against its secrets")
        return with_keys(settings, nodes=nodes, secrets_exist=True, makes=makes)
    finally:
        await store.connection.close()
