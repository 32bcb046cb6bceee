"""Signing for one endpoint."""

import logging
from collections.abc import Mapping
from datetime import datetime

from serve_app.domain.webhook import WebhookEndpoint
from serve_app.services.ports import Sealing
from serve_app.services.webhooks.signature import signed_headers

log = logging.getLogger(__name__)


class Signer:
    """Decrypts what signs for the endpoint only once, because decrypting costs nearly as much as signing."""

    def __init__(self, endpoint: WebhookEndpoint, sealing: Sealing) -> None:
        self._endpoint = endpoint
        self._sealing = sealing
        self._opened: list[tuple[str, datetime | None]] | None = None

    def headers(self, event_id: str, now: datetime, body: bytes) -> Mapping[str, str]:
        """The headers of an attempt, signed with everything that is valid now. Raises ValueError if one cannot
        be read."""
        try:
            if self._opened is None:
                self._opened = self._open(now)
            valid = [secret for secret, end in self._opened if end is None or end > now]
            return signed_headers(valid, event_id, int(now.timestamp()), body)
        except ValueError as error:
            log.error("webhook not signed: %s", error, extra={"endpoint_id": str(self._endpoint.id)})
            raise

    def _open(self, now: datetime) -> list[tuple[str, datetime | None]]:
        every = self._endpoint.all_secrets
        secrets = [secret for secret in every if secret.expires_at is None or secret.expires_at > now]
        return [(self._sealing.open(secret.sealed), secret.expires_at) for secret in secrets]
