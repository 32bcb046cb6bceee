"""Errors of the request itself, which must change or wait for an earlier one."""

from serve_app.domain.errors.base import ServiceError
from serve_app.domain.limits import megabytes


class InvalidRequest(ServiceError):
    """The request must change before it can succeed."""

    def __init__(self, message: str, param: str | None = None) -> None:
        super().__init__(message, param)
        self.message = message
        self.param = param or self.param


class InvalidParameter(InvalidRequest):
    """A value that is not allowed."""


class MissingFile(InvalidRequest):
    """There is no document, or an empty one."""


class FileTooLarge(InvalidRequest):
    """A document over the size limit."""

    def __init__(self, max_bytes: int) -> None:
        Exception.__init__(self, max_bytes)
        self.message = f"The file is larger than the limit of {megabytes(max_bytes)} ({max_bytes} bytes)."


class UnsupportedFileType(InvalidRequest):
    """A document of no supported type."""


class FileUrlUnreachable(InvalidRequest):
    """The document that `file_url` names cannot be fetched."""

    param = "file_url"


class RequestInFlight(ServiceError):
    """The first request with this idempotency key has no answer yet."""

    message = "A request with this Idempotency-Key is still being processed. Try again in a moment."


class KeyReused(ServiceError):
    """The idempotency key was used for another change of the invoice."""

    message = "This Idempotency-Key was used for another body of the same call. Use a new key."
    param = "Idempotency-Key"
