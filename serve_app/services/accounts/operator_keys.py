"""The keys of operators: made and revoked at the command line, and known by the API for operators."""

import logging
from uuid import UUID

from serve_app.domain.account import Scope, hash_key
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import UnknownKey
from serve_app.domain.operator_key import OperatorKey, mint_operator_key
from serve_app.services.accounts.service import checked_key_name
from serve_app.store.base import OperatorKeys

log = logging.getLogger(__name__)


class OperatorKeyService:
    """Creates, lists and revokes keys of operators, and knows callers by them."""

    def __init__(self, keys: OperatorKeys, clock: Clock = utc_now) -> None:
        self._keys = keys
        self._clock = clock

    async def create(self, name: str, scope: Scope = Scope.FULL) -> tuple[OperatorKey, str]:
        """The key and its raw form, to be shown once: it is not kept. Raises InvalidParameter without a name or if it
        is too long."""
        key, raw = mint_operator_key(checked_key_name(name), scope, self._clock())
        await self._keys.add(key)
        log.info("operator key created", extra={"key_id": str(key.id), "scope": scope})
        return key, raw

    async def list_all(self) -> list[OperatorKey]:
        """All, including revoked ones, newest first."""
        return await self._keys.list_all()

    async def revoke(self, key_id: UUID) -> OperatorKey:
        """Refuse the key from now on. Raises LookupError if it is unknown or was revoked before."""
        if not await self._keys.revoke(key_id, self._clock()):
            raise LookupError(f"there is no valid operator key {key_id}")
        log.warning("operator key revoked", extra={"key_id": str(key_id)})
        return next(key for key in await self._keys.list_all() if key.id == key_id)

    async def authenticate(self, raw_key: str) -> OperatorKey:
        """Raises UnknownKey."""
        key = await self._keys.find(hash_key(raw_key))
        if key is None:
            raise UnknownKey
        return key
