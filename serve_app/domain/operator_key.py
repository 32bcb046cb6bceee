"""The keys of operators, for the API that manages accounts."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from serve_app.domain.account import Scope, hash_key
from serve_app.domain.ids import new_id

OPERATOR_KEY_START = "inv_operator_"
# As much of a raw key as may be shown.
_PREFIX_LENGTH = len(OPERATOR_KEY_START) + 6


@dataclass(frozen=True, slots=True)
class OperatorKey:
    """A key of the deployment, and of no account, as it is stored: `hash` is the SHA-256 of the raw key in hexadecimal.
    From `revoked_at` on it is refused."""

    id: UUID
    name: str
    prefix: str
    scope: Scope
    hash: str
    created_at: datetime
    revoked_at: datetime | None = None


def mint_operator_key(name: str, scope: Scope, now: datetime) -> tuple[OperatorKey, str]:
    """A new key and its raw form, which must be shown once and never stored or logged."""
    raw = OPERATOR_KEY_START + secrets.token_urlsafe(32)
    return OperatorKey(new_id(), name, raw[:_PREFIX_LENGTH], scope, hash_key(raw), now), raw
