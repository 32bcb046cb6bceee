"""Errors of a caller without the right to what it asked for."""

from serve_app.domain.errors.base import ServiceError


class AccessDenied(ServiceError):
    """The caller has not shown that it may do this."""


class UnknownKey(AccessDenied):
    """A key that is unknown or revoked."""

    message = "This API key is unknown or revoked. Use another one."


class AccountSuspended(AccessDenied):
    """A valid key or session of an account that an operator has suspended."""

    message = "This account is suspended. Its data is kept. Contact whoever operates this service."


class ReadOnlyKey(AccessDenied):
    """A read-only key was used to change something."""

    message = "This API key can only read. Use a key with full access."


class InvalidFileLink(AccessDenied):
    """A download link that this deployment did not sign, or that was changed."""

    message = "This download link is not valid."


class ExpiredFileLink(AccessDenied):
    """A download link that is too old."""

    message = "This download link has expired. Request a new one."
