"""What `/readyz` asks beside the database and the disks."""

from functools import partial

from serve_app.domain.clock import Clock
from serve_app.services.upkeep.ownership import owner_of
from serve_app.services.upkeep.readiness import Probe
from serve_app.services.webhooks.sealed_check import check_few_secrets
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.keys import build_sealer


def build_probes(store: Store, files: Files, settings: Settings, clock: Clock) -> dict[str, Probe]:
    """By what is wrong if one raises. The keys are looked at while the service runs, too, because it starts without
    this check while the database does not answer."""
    sealer = build_sealer(settings)

    async def keys() -> None:
        await check_few_secrets(store.endpoints, sealer, clock())

    return {
        "the file store of FILES_URL does not answer": partial(owner_of, files),
        "the encryption keys do not open the secrets of webhook endpoints": keys,
    }
