"""The signing secrets of webhook endpoints: made, sealed, changed and shown."""

import base64
import logging
import secrets
from dataclasses import replace
from datetime import datetime, timedelta

from serve_app.domain.webhook import EndpointSecret, WebhookEndpoint
from serve_app.services.ports import Sealing
from serve_app.webhooks.signature import SECRET_PREFIX

OLD_SECRET_LIFE = timedelta(hours=24)
"""How long the secret that was replaced signs, too."""
_BYTES = 32

log = logging.getLogger(__name__)


class EndpointSecrets:
    """Secrets go to the store sealed, and into no log."""

    def __init__(self, sealing: Sealing) -> None:
        self._sealing = sealing

    def new(self) -> tuple[EndpointSecret, str]:
        """A random secret as it is stored, and as the receiver must know it: `whsec_` and base64."""
        raw = SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()
        return EndpointSecret(self._sealing.seal(raw)), raw

    def rotated(self, endpoint: WebhookEndpoint, now: datetime) -> tuple[WebhookEndpoint, str]:
        """The endpoint with a new secret in front of the one that was present until now, which signs for another 24
        hours; and the new one. Two sign at most: older ones are gone."""
        secret, raw = self.new()
        old = [replace(one, expires_at=now + OLD_SECRET_LIFE) for one in endpoint.secrets[:1] if self._opens(one)]
        return replace(endpoint, secrets=(secret, *old)), raw

    def present(self, endpoint: WebhookEndpoint) -> str:
        """The present secret. ValueError where it was sealed with a key that the deployment does not have any more."""
        return self._sealing.open(endpoint.secrets[0].sealed)

    def _opens(self, secret: EndpointSecret) -> bool:
        """One that cannot be opened signs nothing, and would keep the new one from signing."""
        try:
            self._sealing.open(secret.sealed)
        except ValueError as error:
            log.warning("the old webhook secret is dropped: %s", error)
            return False
        return True
