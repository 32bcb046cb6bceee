"""The signing secrets of webhook endpoints: creating, sealing, rotating and showing them."""

import base64
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from serve_app.domain.errors import InvalidParameter, ServiceError
from serve_app.domain.user_error import UserError
from serve_app.domain.webhook import EndpointSecret, WebhookEndpoint
from serve_app.services.ports import Sealing
from serve_app.services.webhooks.signature import SECRET_PREFIX

OLD_SECRET_LIFE = timedelta(hours=24)
"""How long a replaced secret still signs."""
MAX_SECRETS = 3
"""How many secrets may sign at the same time."""
_BYTES = 32


class SealedElsewhere(UserError):
    """A secret that still signs was sealed with a key that this deployment does not have: it would be lost."""

    def __init__(self) -> None:
        super().__init__("the webhook secret was sealed with another encryption key than those of this deployment")


class EndpointSecrets:
    """Secrets are stored sealed, and never logged."""

    def __init__(self, sealing: Sealing) -> None:
        self._sealing = sealing

    def new(self) -> tuple[EndpointSecret, str]:
        """A random secret as it is stored, and as the receiver needs it: `whsec_` and base64."""
        raw = SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()
        return EndpointSecret(self._sealing.seal(raw)), raw

    def rotated(
        self, endpoint: WebhookEndpoint, now: datetime, *, lost_key: bool = False
    ) -> tuple[WebhookEndpoint, str]:
        """The endpoint with a new secret first, and the raw form of the new one. The secret that was current until now,
        which signs for another 24 hours, and older ones that still sign follow it.

        Raises SealedElsewhere if one of these cannot be opened; with `lost_key` it is dropped instead. Raises
        InvalidParameter if there are too many.
        """
        signing = [secret for secret in endpoint.secrets if secret.expires_at is None or secret.expires_at > now]
        old = [secret for secret in signing if self._opens(secret)]
        if len(old) < len(signing) and not lost_key:
            raise SealedElsewhere
        if len(old) == MAX_SECRETS:
            raise _too_many(old)
        secret, raw = self.new()
        ending = [replace(secret, expires_at=secret.expires_at or now + OLD_SECRET_LIFE) for secret in old]
        return replace(endpoint, secrets=(secret, *ending)), raw

    def signing(self, endpoint: WebhookEndpoint, now: datetime) -> list[str]:
        """The secrets that sign now, in their raw form. Raises ValueError if one was sealed with a key that the
        deployment no longer has."""
        valid = (secret for secret in endpoint.secrets if secret.expires_at is None or secret.expires_at > now)
        return [self._sealing.open(secret.sealed) for secret in valid]

    def present(self, endpoint: WebhookEndpoint) -> str:
        """The current secret. Raises UserError if it was sealed with a key that the deployment no longer has."""
        return self._sealing.open(endpoint.secrets[0].sealed)

    def _opens(self, secret: EndpointSecret) -> bool:
        try:
            self._sealing.open(secret.sealed)
        except ValueError:
            return False
        return True


def _too_many(secrets: Sequence[EndpointSecret]) -> ServiceError:
    ends = min(secret.expires_at for secret in secrets if secret.expires_at is not None)
    return InvalidParameter(
        f"The endpoint has {MAX_SECRETS} secrets that sign already; the oldest ends at {ends:%Y-%m-%d %H:%M} UTC."
    )
