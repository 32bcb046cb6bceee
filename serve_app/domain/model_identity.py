"""Which model it is that read a document."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """A model: the name that results give it, and the SHA-256 of its files and of the settings that change its answers
    (hexadecimal; "" if unknown). Two models may have one name, but not one hash."""

    revision: str
    sha256: str = ""
