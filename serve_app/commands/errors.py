"""How a command fails: one clear line, no stack trace."""


class CommandError(Exception):
    """A command that cannot go on; the message is one line and says what to do about it."""
