"""The error of a document that cannot be read."""

from serve_app.domain.invoice import FailureCode


class DocumentError(Exception):
    """A document that cannot be read, and why; never the service's fault, so never retried."""

    def __init__(self, code: FailureCode, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
