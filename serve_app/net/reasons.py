"""What went wrong with a connection, for whoever gave the URL."""

from aiohttp import (
    ClientConnectorCertificateError,
    ClientConnectorError,
    ClientPayloadError,
    ClientResponseError,
    ClientSSLError,
    ServerDisconnectedError,
)

_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (ClientConnectorCertificateError, "the server's certificate is not valid"),
    (ClientSSLError, "no secure connection to the server"),
    (ClientConnectorError, "no connection to the server"),
    (ServerDisconnectedError, "the server ended the connection without an answer"),
    (ClientPayloadError, "the server's answer breaks off"),
    (ClientResponseError, "the server's answer is not valid HTTP"),
    # The library's, over headers that it reads only when it is asked for them.
    (ValueError, "the server's answer is not valid HTTP"),
)


def reason_of(error: Exception) -> str:
    """In words of our own: those of the error name addresses and the whole URL, its secrets included."""
    return next((words for kind, words in _REASONS if isinstance(error, kind)), "the connection to the server failed")
