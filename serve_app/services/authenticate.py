"""Identifies the sender of a request."""

from serve_app.domain import errors
from serve_app.domain.account import Caller, hash_key
from serve_app.store.base import Keys


class Authenticate:
    """Finds the caller from the `Authorization` header."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    async def __call__(self, authorization: str | None) -> Caller:
        """Raises ServiceError 401: `missing_api_key` without a well-formed header, `invalid_api_key` for a bad key."""
        scheme, _, raw = (authorization or "").strip().partition(" ")
        raw = raw.strip()
        if scheme.lower() != "bearer" or not raw or " " in raw:
            raise errors.missing_api_key()
        caller = await self._keys.find_caller(hash_key(raw))
        if caller is None:
            raise errors.invalid_api_key()
        return caller
