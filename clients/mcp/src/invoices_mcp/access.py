"""The service, as the caller of a request may use it."""

from collections.abc import Callable
from hashlib import sha256
from time import monotonic
from typing import Any, cast

import httpx
from mcp.server.mcpserver import Context

from invoices_client import AsyncClient, InvoicesError
from invoices_client.models import Scope
from invoices_mcp.options import Options

_REMEMBERED_SECONDS = 60.0
_QUICK_SECONDS = 5.0
# An agent and its person wait for each answer.
_RETRIES = 2


class Access:
    """Calls of the service with the `key` of the present caller. `grants_changes` is whether that caller's own token
    allows changes."""

    def __init__(
        self,
        key: Callable[[], str],
        http: httpx.AsyncClient,
        options: Options,
        *,
        url: str | None = None,
        grants_changes: Callable[[], bool] = lambda: True,
    ) -> None:
        self.options = options
        self.http = http
        self._key = key
        self._url = url
        self._grants_changes = grants_changes
        self._scopes: dict[bytes, tuple[float, str]] = {}

    @property
    def client(self) -> AsyncClient:
        """For the caller of the present request."""
        return AsyncClient(api_key=self._key(), url=self._url, max_retries=_RETRIES, http_client=self.http)

    async def may_change(self) -> bool:
        """Whether the caller's key and token allow changes. True while the service does not say so: it refuses them."""
        return self._grants_changes() and await self._scope() != Scope.READ

    async def _scope(self) -> str | None:
        key = sha256(self._key().encode()).digest()
        self._forget_old()
        if key not in self._scopes:
            try:
                me = await self.client.with_options(timeout=_QUICK_SECONDS, max_retries=0).me()
            except InvoicesError:
                return None
            self._scopes[key] = (monotonic(), me.key.scope)
        return self._scopes[key][1]

    def _forget_old(self) -> None:
        oldest = monotonic() - _REMEMBERED_SECONDS
        self._scopes = {key: known for key, known in self._scopes.items() if known[0] > oldest}


def access_of(ctx: Context[Any, Any]) -> Access:
    """That of the server which serves the request."""
    return cast("Access", cast(Any, ctx.mcp_server).access)
