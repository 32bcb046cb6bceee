"""The error with which a command fails: one clear line, no stack trace."""

from serve_app.domain.user_error import UserError


class CommandError(UserError):
    """A command cannot continue; the message is one line and says what to do about it."""
