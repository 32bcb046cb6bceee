from collections.abc import Mapping
from typing import Any

from standardwebhooks import Webhook


def verify(secret: str, headers: Mapping[str, str], body: bytes) -> Any:
    """The event. WebhookVerificationError where it is changed, over five minutes old or signed with another secret."""
    return Webhook(secret).verify(body, dict(headers))
