"""Messages between a reader process and its parent: MessagePack, each message typed and validated on arrival."""

from enum import StrEnum

import msgspec

from serve_app.documents.mail.opened import OpenedMail, OpenedPart, OpenRules
from serve_app.documents.options import ReadOptions
from serve_app.domain.document import Document, Page
from serve_app.domain.einvoice import EInvoice
from serve_app.domain.einvoice_order import EInvoiceMade, EInvoiceOrder
from serve_app.domain.einvoice_validation import Validation
from serve_app.domain.invoice import FailureCode


class LossCause(StrEnum):
    """Why a reader process was lost."""

    TIME = "time"
    MEMORY = "memory"
    CRASH = "crash"
    NONSENSE = "nonsense"
    """It sent an invalid answer."""


MissingLayers = dict[str, str]
"""The sandbox layers that are missing, by name (`landlock`, `seccomp`, `user`), and why."""


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


class Bind(msgspec.Struct, tag=True):
    """Asks for pages of a PDF in this order, each with its turn, as a PDF; None for all as they are."""

    id: int
    data: bytes
    sheets: tuple[tuple[int, int], ...] | None = None
    password: str | None = None


class Count(msgspec.Struct, tag=True):
    """Asks how many pages a PDF has."""

    id: int
    data: bytes


class Draw(msgspec.Struct, tag=True):
    """Asks for the picture of a page, of a document or of some pages of a PDF. `page` comes without its words."""

    id: int
    data: bytes
    page: Page
    pages: tuple[int, int] | None = None


class Show(msgspec.Struct, tag=True):
    """Asks for the picture of a page as people see it; `page` is 1-based."""

    id: int
    data: bytes
    page: int


class FindXml(msgspec.Struct, tag=True):
    """Asks for the electronic invoice in a PDF, as it is; the answer is empty if there is none."""

    id: int
    data: bytes


class Open(msgspec.Struct, tag=True):
    """Asks for the parts of a mail."""

    id: int
    data: bytes
    rules: OpenRules


class OpenFile(msgspec.Struct, tag=True):
    """Asks for the documents in a file that was uploaded."""

    id: int
    data: bytes
    name: str | None
    rules: OpenRules


class CheckEInvoice(msgspec.Struct, tag=True):
    """Asks what the published rules say of the electronic invoice in a file."""

    id: int
    data: bytes


class WriteEInvoice(msgspec.Struct, tag=True):
    """Asks for an electronic invoice: the record, or without one that in the file, which is also what an XML is
    embedded in."""

    id: int
    data: bytes
    record: EInvoice | None
    order: EInvoiceOrder


class Ready(msgspec.Struct, tag=True):
    """Started, with all sandbox layers but these."""

    missing: MissingLayers


class Misconfigured(msgspec.Struct, tag=True):
    """Not started: the options ask for something this machine does not have."""

    message: str


class Progress(msgspec.Struct, tag=True):
    """A page is done; more follow."""

    id: int


class DocumentRead(msgspec.Struct, tag=True):
    id: int
    document: Document
    count: int | None = None
    """How many pages there are; None if all of them were read."""
    ocr_seconds: float = 0.0
    cpu_seconds: float = 0.0
    """Processor time of this process and of the programs that it started."""


class PartCut(msgspec.Struct, tag=True):
    id: int
    data: bytes


class Counted(msgspec.Struct, tag=True):
    id: int
    pages: int


class PageDrawn(msgspec.Struct, tag=True):
    id: int
    picture: bytes
    """PNG of a page that was read, JPEG of one as people see it."""


class MailOpened(msgspec.Struct, tag=True):
    id: int
    mail: OpenedMail


class FileOpened(msgspec.Struct, tag=True):
    id: int
    parts: tuple[OpenedPart, ...]


class EInvoiceChecked(msgspec.Struct, tag=True):
    id: int
    validation: Validation | None
    """None if the file has no electronic invoice."""


class EInvoiceWritten(msgspec.Struct, tag=True):
    id: int
    made: EInvoiceMade


class Refused(msgspec.Struct, tag=True):
    """The document cannot be read: a DocumentError."""

    id: int
    code: FailureCode
    message: str


class Failed(msgspec.Struct, tag=True):
    """The reader failed on the document and should not be used again."""

    id: int
    cause: LossCause
    detail: str
    """Kind and place of the error, never text from the document."""


Request = Read | Cut | Bind | Count | Draw | Show | FindXml | Open | OpenFile | CheckEInvoice | WriteEInvoice
Answer = (
    DocumentRead
    | PartCut
    | Counted
    | PageDrawn
    | MailOpened
    | FileOpened
    | EInvoiceChecked
    | EInvoiceWritten
    | Refused
    | Failed
)
ToChild = Start | Request
ToParent = Ready | Misconfigured | Progress | Answer


def described(missing: MissingLayers) -> str:
    """Human-readable: each layer with its reason."""
    return ", ".join(f"{wall} ({reason})" for wall, reason in missing.items())


encode = msgspec.msgpack.Encoder().encode
decode_to_child = msgspec.msgpack.Decoder[ToChild](ToChild).decode
decode_to_parent = msgspec.msgpack.Decoder[ToParent](ToParent).decode
