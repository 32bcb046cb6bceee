"""Whether this deployment's keys open the secrets in its store."""

from collections.abc import Sequence
from datetime import datetime

from serve_app.domain.user_error import UserError
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.services.ports import Sealing
from serve_app.store.base.webhooks import Endpoints

_PAGE = 500
_SHOWN = 3
_FEW = 20


async def check_secrets(endpoints: Endpoints, sealing: Sealing, now: datetime) -> None:
    """Raises UserError, which names some endpoints and what to do, if a secret that still signs cannot be opened."""
    lost: list[WebhookEndpoint] = []
    last = None
    while page := await endpoints.list_all(after=last, limit=_PAGE):
        lost += [endpoint for endpoint in page if not _opens(endpoint, sealing, now)]
        last = page[-1].id
    if lost:
        raise UserError(_message(lost))


async def check_few_secrets(endpoints: Endpoints, sealing: Sealing, now: datetime) -> None:
    """Raises UserError if the keys open none of a few secrets: then they are not those of this deployment. A single
    secret of another key does not raise: `check_secrets` is for that."""
    few = await endpoints.list_all(after=None, limit=_FEW)
    if few and not any(_opens(endpoint, sealing, now) for endpoint in few):
        raise UserError(_message(few))


def _opens(endpoint: WebhookEndpoint, sealing: Sealing, now: datetime) -> bool:
    try:
        for secret in endpoint.all_secrets:
            if secret.expires_at is None or secret.expires_at > now:
                sealing.open(secret.sealed)
    except ValueError:
        return False
    return True


def _message(lost: Sequence[WebhookEndpoint]) -> str:
    shown = ", ".join(f"{endpoint.account_id} {endpoint.id}" for endpoint in lost[:_SHOWN])
    more = f" and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
    return (
        f"the encryption keys of this deployment cannot decrypt the secrets of {len(lost)} webhook endpoints: "
        f"{shown}{more} (account and endpoint). Add the missing key to ENCRYPTION_KEY or its file, after a comma. If "
        "the key is lost, give each endpoint a new secret: invoices webhook rotate ACCOUNT ENDPOINT --lost-key"
    )
