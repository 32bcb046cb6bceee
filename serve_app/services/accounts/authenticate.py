"""Identifies the sender of a request."""

from serve_app.domain.account import Caller, hash_key
from serve_app.domain.errors import UnknownKey
from serve_app.store.base import Keys


class Authenticate:
    """Finds the caller by its key."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    async def __call__(self, raw_key: str) -> Caller:
        """Raises UnknownKey."""
        caller = await self._keys.find_caller(hash_key(raw_key))
        if caller is None:
            raise UnknownKey
        return caller
