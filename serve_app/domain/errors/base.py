"""The error that all others of the service extend."""


class ServiceError(Exception):
    """What was asked for was not done. `message` tells the caller why, in words meant for it; `param` names what of the
    request it is about: a parameter, a header, a part of the form or the path of a property in the body. None if it is
    about none of them.

    A subclass passes its own arguments to `Exception`, from which an error is rebuilt in another process.
    """

    message: str
    param: str | None = None

    def __str__(self) -> str:
        return self.message
