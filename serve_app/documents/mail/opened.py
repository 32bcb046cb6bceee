"""What taking a mail apart is told, and what it answers."""

from dataclasses import dataclass

from serve_app.domain.inbound_mail import Heading, MailPart
from serve_app.domain.limits import MAX_FILE_BYTES
from serve_app.domain.mail_address import Bodies


@dataclass(frozen=True, slots=True)
class OpenRules:
    """`ignored_pictures` are hashes (SHA-256) of files that are no documents, `requested` the paths of parts that are
    documents whatever the rules say."""

    bodies: Bodies = Bodies.ALONE
    ignored_pictures: tuple[str, ...] = ()
    requested: tuple[str, ...] = ()
    max_file_bytes: int = MAX_FILE_BYTES
    is_upload: bool = False
    """A person has chosen the file: whatever can be read is a document."""


@dataclass(frozen=True, slots=True)
class OpenedPart:
    """`data` are the bytes of a document, whose outcome is `waiting`; empty for all other parts."""

    part: MailPart
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class OpenedMail:
    """Every part of a mail, in its order; `text` is the start of what people read in it."""

    heading: Heading
    parts: tuple[OpenedPart, ...]
    text: str = ""
