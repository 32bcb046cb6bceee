"""What a reader process and its parent say to each other: MessagePack, each message typed and checked as it arrives."""

from enum import StrEnum

import msgspec

from serve_app.documents.options import ReadOptions
from serve_app.domain.document import Document, Page
from serve_app.domain.invoice import FailureCode


class Trouble(StrEnum):
    """Why a reader process was lost."""

    TIME = "time"
    MEMORY = "memory"
    CRASH = "crash"
    NONSENSE = "nonsense"
    """It answered something that is no answer."""


MissingWalls = dict[str, str]
"""What does not hold a reader process in though it should, by name, and why: `landlock`, `seccomp`, `user`."""


class Start(msgspec.Struct, tag=True):
    """The first message to a process."""

    options: ReadOptions
    parent: int
    """The process that it must not outlive."""


class Read(msgspec.Struct, tag=True):
    """Asks for the words of a document, or of some pages of a PDF: first and last, 1-based, both included. Of these
    pages only a slice is read; `numbers` and `seconds` are those of `serve_app.documents.slices.Slice`."""

    id: int
    data: bytes
    pages: tuple[int, int] | None = None
    numbers: tuple[int, ...] | None = None
    seconds: float | None = None


class Cut(msgspec.Struct, tag=True):
    """Asks for some pages of a PDF as a PDF of their own."""

    id: int
    data: bytes
    pages: tuple[int, int]


class Draw(msgspec.Struct, tag=True):
    """Asks for the picture of a page, of a document or of some pages of a PDF. `page` comes without its words."""

    id: int
    data: bytes
    page: Page
    pages: tuple[int, int] | None = None


class Ready(msgspec.Struct, tag=True):
    """Started, held in by all walls but these."""

    missing: MissingWalls


class Misconfigured(msgspec.Struct, tag=True):
    """Not started: the options ask for something that this machine does not have."""

    message: str


class Progress(msgspec.Struct, tag=True):
    """A page is done, more follow."""

    id: int


class DocumentRead(msgspec.Struct, tag=True):
    id: int
    document: Document
    count: int | None = None
    """How many pages there are; None where all of them were read."""


class PartCut(msgspec.Struct, tag=True):
    id: int
    data: bytes


class PageDrawn(msgspec.Struct, tag=True):
    id: int
    picture: bytes
    """PNG"""


class Refused(msgspec.Struct, tag=True):
    """The document cannot be read: a DocumentError."""

    id: int
    code: FailureCode
    message: str


class Failed(msgspec.Struct, tag=True):
    """The reader broke on the document and should not be used again."""

    id: int
    trouble: Trouble
    detail: str
    """Kind and place of the error, never a text of the document."""


Request = Read | Cut | Draw
Answer = DocumentRead | PartCut | PageDrawn | Refused | Failed
ToChild = Start | Read | Cut | Draw
ToParent = Ready | Misconfigured | Progress | DocumentRead | PartCut | PageDrawn | Refused | Failed


def described(missing: MissingWalls) -> str:
    """For people: each wall with its reason."""
    return ", ".join(f"{wall} ({reason})" for wall, reason in missing.items())


encode = msgspec.msgpack.Encoder().encode
decode_to_child = msgspec.msgpack.Decoder[ToChild](ToChild).decode
decode_to_parent = msgspec.msgpack.Decoder[ToParent](ToParent).decode
