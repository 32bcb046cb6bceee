"""What signs webhooks, secrets and private keys: creating, sealing, rotating and showing them."""

import base64
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from serve_app.domain.errors import InvalidParameter, ServiceError
from serve_app.domain.user_error import UserError
from serve_app.domain.webhook import EndpointSecret, WebhookEndpoint
from serve_app.services.ports import Sealing
from serve_app.services.webhooks.signature import SECRET_PREFIX, new_key_pair

OLD_SECRET_LIFE = timedelta(hours=24)
"""How long a replaced secret or key still signs."""
MAX_SECRETS = 3
"""How many secrets may sign at the same time, and how many keys."""
_BYTES = 32


class SealedElsewhere(UserError):
    """A secret that still signs was sealed with a key that this deployment does not have: it would be lost."""

    def __init__(self) -> None:
        super().__init__("the encryption keys of this deployment cannot decrypt the webhook secret")


class EndpointSecrets:
    """Secrets are stored sealed, and never logged."""

    def __init__(self, sealing: Sealing) -> None:
        self._sealing = sealing

    def new(self) -> tuple[EndpointSecret, str]:
        """A random secret as it is stored, and as the receiver needs it: `whsec_` and base64."""
        raw = SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()
        return EndpointSecret(self._sealing.seal(raw)), raw

    def new_key(self) -> EndpointSecret:
        """A random private key as it is stored, with its public key. Nobody needs to know the private one."""
        private, public = new_key_pair()
        return EndpointSecret(self._sealing.seal(private), public_key=public)

    def rotated(
        self, endpoint: WebhookEndpoint, now: datetime, *, lost_key: bool = False
    ) -> tuple[WebhookEndpoint, str]:
        """The endpoint with a new secret first, and the raw form of the new one. The secret that was current until now,
        which signs for another 24 hours, and older ones that still sign follow it.

        Raises SealedElsewhere if one of these cannot be opened; with `lost_key` it is dropped instead, and so are
        private keys that cannot be opened; a new one replaces them. Raises InvalidParameter if there are too many.
        """
        secret, raw = self.new()
        changed = replace(endpoint, secrets=self._followed_by_old(secret, endpoint.secrets, now, drop=lost_key))
        if lost_key and not all(self._opens(key) for key in endpoint.signing_keys):
            changed = self.with_new_key(changed, now, lost_key=True)
        return changed, raw

    def with_new_key(self, endpoint: WebhookEndpoint, now: datetime, *, lost_key: bool = False) -> WebhookEndpoint:
        """The endpoint with a new private key first, its first one or in place of another, which signs for another 24
        hours. Raises errors as `rotated` does."""
        keys = self._followed_by_old(self.new_key(), endpoint.signing_keys, now, drop=lost_key)
        return replace(endpoint, signing_keys=keys)

    def _followed_by_old(
        self, new: EndpointSecret, present: Sequence[EndpointSecret], now: datetime, *, drop: bool
    ) -> tuple[EndpointSecret, ...]:
        """The new one, then those that still sign. If one of these cannot be opened, drops it or raises
        SealedElsewhere."""
        signing = _signing(present, now)
        old = [secret for secret in signing if self._opens(secret)]
        if len(old) < len(signing) and not drop:
            raise SealedElsewhere
        if len(old) == MAX_SECRETS:
            raise _too_many(old)
        return (new, *(replace(secret, expires_at=secret.expires_at or now + OLD_SECRET_LIFE) for secret in old))

    def signing(self, endpoint: WebhookEndpoint, now: datetime) -> list[str]:
        """The secrets and private keys that sign now, in their raw form. Raises ValueError if one was sealed with a key
        that the deployment no longer has."""
        return [self._sealing.open(secret.sealed) for secret in _signing(endpoint.all_secrets, now)]

    def present(self, endpoint: WebhookEndpoint) -> str:
        """The current secret. Raises UserError if it was sealed with a key that the deployment no longer has."""
        return self._sealing.open(endpoint.secrets[0].sealed)

    def _opens(self, secret: EndpointSecret) -> bool:
        try:
            self._sealing.open(secret.sealed)
        except ValueError:
            return False
        return True


def _signing(secrets: Sequence[EndpointSecret], now: datetime) -> list[EndpointSecret]:
    return [secret for secret in secrets if secret.expires_at is None or secret.expires_at > now]


def _too_many(secrets: Sequence[EndpointSecret]) -> ServiceError:
    kind = "secrets" if secrets[0].public_key is None else "keys"
    ends = min(secret.expires_at for secret in secrets if secret.expires_at is not None)
    return InvalidParameter(
        f"The endpoint already has {MAX_SECRETS} {kind} that sign; the oldest expires at {ends:%Y-%m-%d %H:%M} UTC."
    )
