"""What all answers have in common."""

from enum import Enum

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A part of an answer. Properties that this version does not know are kept in `model_extra`."""

    model_config = ConfigDict(extra="allow", protected_namespaces=())


class OpenEnum(str, Enum):
    """Known values of a text. A value that this version does not know becomes a member of its own."""

    @classmethod
    def _missing_(cls, value: object) -> "OpenEnum | None":
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member

    def __str__(self) -> str:
        return str(self.value)
