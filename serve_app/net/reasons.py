"""Why a connection failed, in words for the user who gave the URL."""

from aiohttp import (
    ClientConnectorCertificateError,
    ClientConnectorError,
    ClientHttpProxyError,
    ClientPayloadError,
    ClientProxyConnectionError,
    ClientResponseError,
    ClientSSLError,
    ServerDisconnectedError,
)

_THROUGH_PROXY = "the connection through this service's proxy failed"
_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (ClientProxyConnectionError, _THROUGH_PROXY),
    (ClientHttpProxyError, _THROUGH_PROXY),
    (ClientConnectorCertificateError, "the server's certificate is not valid"),
    (ClientSSLError, "no secure connection to the server"),
    (ClientConnectorError, "no connection to the server"),
    (ServerDisconnectedError, "the server closed the connection without a response"),
    (ClientPayloadError, "the server's response is incomplete"),
    (ClientResponseError, "the server's response is not valid HTTP"),
    # Raised by the library for headers that it parses only on access.
    (ValueError, "the server's response is not valid HTTP"),
)


def reason_of(error: Exception) -> str:
    """A text of our own: the error's text names addresses and the whole URL, including its secrets."""
    return next((words for kind, words in _REASONS if isinstance(error, kind)), "the connection to the server failed")
