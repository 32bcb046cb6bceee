"""HTTP as Serve's proxy parses it, so that requests which the parser refuses get the API's errors, too."""

import asyncio
import re
import sys
from typing import Any

import httptools
from uvicorn.config import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.server import ServerState

from actors.paced_protocol import PacedProtocol
from serve_app.http.errors import BadHost, InvalidBody

# The parser knows a fixed list of methods. This one stands for all others: no path has it either.
_STAND_IN = b"TRACE"
_METHOD = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}(?= \S+ HTTP/1\.[01]\r\n)")
# A name, an IPv4 address or an IPv6 address in brackets, perhaps with a port (RFC 3986, 3.2.2).
_HOST = re.compile(rb"(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?")


class AnyVerbProtocol(PacedProtocol):
    """Lets the application answer requests with an unknown method, or that ask for another protocol, and puts the
    answer to anything else that is not HTTP into the error envelope."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        if isinstance(self.app, ProxyHeadersMiddleware):
            # It believes whoever connects from this machine; the application decides by TRUSTED_PROXIES.
            self.app = self.app.app

    def data_received(self, data: bytes) -> None:
        self._data = data
        super().data_received(data)

    def on_headers_complete(self) -> None:
        if not _names_one_host(self.headers, self.parser.get_http_version()):
            raise BadHost
        super().on_headers_complete()
        # What the server is, is nobody's business.
        self.cycle.default_headers = [header for header in self.cycle.default_headers if header[0] != b"server"]
        if self.parser.should_upgrade():
            # What follows on the connection may be in the other protocol.
            self.cycle.keep_alive = False

    def send_400_response(self, msg: str) -> None:
        """Called by the library while it handles the parser's error."""
        error = sys.exception()
        found = _METHOD.match(self._data)
        if isinstance(error, httptools.HttpParserInvalidMethodError) and found is not None and found[0] != _STAND_IN:
            self.parser = httptools.HttpRequestParser(self)
            self.data_received(_STAND_IN + self._data[found.end() :])
            return
        cause = error.__context__ if error is not None else None
        self.refuse(cause if isinstance(cause, BadHost) else InvalidBody("This is not a valid HTTP request."))

    def _should_upgrade_to_ws(self) -> bool:
        """A WebSocket is a request like any other: the application says that it has none."""
        return False

    def _unsupported_upgrade_warning(self) -> None:
        """No warning: anybody can cause it."""


def _names_one_host(headers: list[tuple[bytes, bytes]], version: str) -> bool:
    """HTTP/1.1 demands exactly one `Host` (RFC 9112, 3.2); before, there was none."""
    hosts = [value.strip() for name, value in headers if name == b"host"]
    if not hosts:
        return version == "1.0"
    return len(hosts) == 1 and _HOST.fullmatch(hosts[0]) is not None
