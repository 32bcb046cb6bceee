"""Errors of HTTP itself, which the services never see."""

from serve_app.domain.errors import (
    AccessDenied,
    InvalidParameter,
    InvalidRequest,
    NotFound,
    ServiceError,
    Unavailable,
    UnknownKey,
)


class MissingApiKey(AccessDenied):
    """No bearer key."""

    message = "Send your API key as `Authorization: Bearer <API_KEY>`."


class WrongMailSecret(UnknownKey):
    """A mail without the secret that its provider was given."""

    message = "Send the secret of MAIL_HTTP_SECRET as the password of Basic authentication or as a bearer token."


class WrongMailSignature(UnknownKey):
    """A mail without a valid signature of its provider."""

    message = "The signature does not match MAILGUN_SIGNING_KEY, or it is over 12 hours old."


class NotSignedByAmazon(WrongMailSignature):
    """A message that Amazon SNS has not signed."""

    message = "The message is not signed by Amazon SNS."


class InvalidBody(InvalidRequest):
    """A body that is malformed or does not match its description."""


class InvalidBase64(ServiceError):
    """`file_base64` is not base64 text."""

    message = "`file_base64` is not valid base64. Encode the file again, with padding."
    param = "file_base64"


class BadHost(InvalidBody):
    """A request without a `Host` header, with several, or with one that names no host."""

    def __init__(self) -> None:
        super().__init__("Send exactly one `Host` header that names a host.")


class NoWebSocket(InvalidParameter):
    """A request that wants to become a WebSocket."""

    def __init__(self) -> None:
        super().__init__("This service has no WebSockets. Send the request without the `Upgrade` header.")


class RequestTimeout(ServiceError):
    """A request whose rest did not arrive in time."""

    message = "The request did not arrive in time. It is safe to send it again."


class TooManyConnections(Unavailable):
    """More connections than one address may have."""

    message = "Too many connections are open from your address. Close some, then try again."


class RouteNotFound(NotFound):
    """A path that the API does not have."""

    message = "This path does not exist. Compare it with the paths in the API documentation."


class MethodNotAllowed(ServiceError):
    """`allowed` lists the methods that the path has, separated by commas."""

    def __init__(self, allowed: str) -> None:
        super().__init__(allowed)
        self.message = f"This path does not support this method; it supports: {allowed}."
        self.allowed = allowed


class InternalError(ServiceError):
    """A fault of the service; safe to retry with backoff."""

    message = "The service had an internal error. It is safe to try again."


class RangeNotSatisfiable(ServiceError):
    """A `Range` that begins after the end of a document of `size` bytes."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.message = f"The range begins after the end of the document, which has {size} bytes."
        self.size = size
