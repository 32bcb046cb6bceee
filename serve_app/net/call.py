"""Calls of JSON APIs at URLs that users give."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from aiohttp import ClientError

from serve_app.net.exchange import Exchange
from serve_app.net.guard import Guard
from serve_app.net.outcome import BadUrl, Unreachable, too_long
from serve_app.net.reasons import reason_of

_MOST_BYTES = 4_000_000


class HttpCall:
    """Calls within `seconds`. Redirects are not followed; a response has at most 4 MB."""

    def __init__(self, guard: Guard, seconds: float = 60.0) -> None:
        self._guard = guard
        self._seconds = seconds

    async def __call__(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> tuple[int, Any]:
        """The status and the JSON of the response; None if it is no JSON. Raises Unreachable if there is none."""
        try:
            async with asyncio.timeout(self._seconds):
                status, data = await self._exchange(method, url, headers, body)
        except TimeoutError:
            raise Unreachable(f"no answer within {self._seconds:g} s") from None
        except BadUrl as error:
            raise Unreachable(f"the URL {error.reason}") from None
        except (ClientError, OSError) as error:
            raise Unreachable(reason_of(error)) from None
        try:
            return status, json.loads(data)
        except ValueError:
            return status, None

    async def _exchange(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> tuple[int, bytes]:
        checked = self._guard.url(url)
        async with (
            Exchange(_MOST_BYTES) as exchange,
            self._guard.session(checked) as session,
            session.request(method, checked, data=body, headers=headers, allow_redirects=False) as response,
        ):
            data = await response.read()
            if exchange.is_over:
                raise too_long()
            return response.status, data
