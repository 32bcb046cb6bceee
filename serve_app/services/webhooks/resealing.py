"""Seals the secrets and private keys of all endpoints anew, with the current key. They stay what they are: no receiver
notices."""

from dataclasses import replace

from serve_app.domain.webhook import EndpointSecret, WebhookEndpoint
from serve_app.services.ports import Sealing
from serve_app.services.webhooks.lookup import change_endpoint
from serve_app.store.base import Endpoints

_PAGE = 500


async def reseal(endpoints: Endpoints, sealing: Sealing) -> int:
    """Every secret; returns how many endpoints there are. Can be repeated after a crash. Raises UserError for a secret
    that no key opens."""
    count, last = 0, None
    while page := await endpoints.list_all(after=last, limit=_PAGE):
        for endpoint in page:
            count += await _seal_one(endpoints, sealing, endpoint)
        last = page[-1].id
    return count


async def _seal_one(endpoints: Endpoints, sealing: Sealing, endpoint: WebhookEndpoint) -> bool:
    def sealed(present: WebhookEndpoint) -> WebhookEndpoint:
        return replace(
            present,
            secrets=tuple(_again(secret, sealing) for secret in present.secrets),
            signing_keys=tuple(_again(key, sealing) for key in present.signing_keys),
        )

    try:
        await change_endpoint(endpoints, endpoint.account_id, endpoint.id, sealed)
    except LookupError:
        # Deleted since the page was read.
        return False
    return True


def _again(secret: EndpointSecret, sealing: Sealing) -> EndpointSecret:
    return replace(secret, sealed=sealing.seal(sealing.open(secret.sealed)))
