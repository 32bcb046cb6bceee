"""The error that its reader can do something about."""


class UserError(ValueError):
    """Whoever runs the service or a command must change something: a setting, a key, a file, an argument. The message
    says what, in one line, without any secret.

    The command line shows it as one line. Every other error is a defect and keeps its traceback.
    """
