"""Requests to a server that the operator of the deployment has named, such as an identity provider. It may be in a
network that is not public, so the guard for URLs of strangers does not apply; its answers are limited all the same."""

import json
from collections.abc import Mapping
from typing import Any

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout, DummyCookieJar

from serve_app.net.guard import USER_AGENT
from serve_app.net.outcome import Unreachable, too_long
from serve_app.net.reasons import reason_of
from serve_app.system.thread_pools import DECODING

_MOST_BYTES = 1_000_000
_OK = 200


class TrustedServer:
    """Asks for JSON objects, each within `seconds`. Redirects are not followed."""

    def __init__(self, seconds: float = 10.0) -> None:
        self._seconds = seconds

    async def get(self, url: str, headers: Mapping[str, str]) -> dict[str, Any]:
        """Raises Unreachable if there is no such answer."""
        return await self._ask("GET", url, headers, None)

    async def post(self, url: str, headers: Mapping[str, str], form: Mapping[str, str]) -> dict[str, Any]:
        """The same for a form."""
        return await self._ask("POST", url, headers, form)

    async def _ask(
        self, method: str, url: str, headers: Mapping[str, str], form: Mapping[str, str] | None
    ) -> dict[str, Any]:
        timeout = ClientTimeout(total=self._seconds)
        said = {"Accept": "application/json", "User-Agent": USER_AGENT, **headers}
        try:
            async with (
                ClientSession(timeout=timeout, cookie_jar=DummyCookieJar()) as session,
                session.request(method, url, headers=said, data=form, allow_redirects=False) as response,
            ):
                return await _object(response)
        except TimeoutError:
            raise Unreachable(f"it took longer than {self._seconds:g} s") from None
        except (ClientError, OSError, ValueError) as error:
            raise Unreachable(reason_of(error)) from None


async def _object(response: ClientResponse) -> dict[str, Any]:
    data = bytearray()
    async for chunk in response.content.iter_any():
        data += chunk
        if len(data) > _MOST_BYTES:
            raise too_long()
    if response.status != _OK:
        raise Unreachable(f"the server answered with status {response.status}")
    try:
        answer = await DECODING.run(json.loads, bytes(data))
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise Unreachable("the server's response is not a JSON object")
    return answer
