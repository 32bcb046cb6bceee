"""The error with which a command fails: one clear line, no stack trace."""


class CommandError(Exception):
    """A command cannot continue; the message is one line and says what to do about it."""
