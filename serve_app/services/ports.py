"""What the services need from outside, apart from the store: implemented by actors, and by plain classes in tests."""

from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from typing import Any, Protocol

from serve_app.documents.mail.opened import OpenedMail, OpenedPart, OpenRules
from serve_app.domain.batch import Interpreted, Reconciled
from serve_app.domain.einvoice import EInvoice
from serve_app.domain.einvoice_order import EInvoiceMade, EInvoiceOrder
from serve_app.domain.inbound_mail import Envelope, InboundMail, SenderDecision, Verdict
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.model_pairs import FIRST
from serve_app.domain.model_report import ModelReport
from serve_app.domain.packed import LabelledPages, PackedPages, PagesRead, ReadDocument
from serve_app.domain.reading import Reading

# The first and the last page of a part of a file, 1-based, inclusive.
Pages = tuple[int, int]
# A page, 1-based, and how far it is turned to the right, in degrees.
Sheet = tuple[int, int]


class TransientError(Exception):
    """A worker was lost or out of reach; the same call may succeed later."""


class MailError(Exception):
    """Mail was refused or could not be sent; the error text contains no password and no recipient."""


class DocumentReader(Protocol):
    """Turns a stored file into pages of words."""

    async def read(
        self,
        file_key: str,
        part: Pages | None = None,
        numbers: tuple[int, ...] | None = None,
        delay: float = 0.0,
    ) -> PagesRead:
        """Pages of the file, or of a part of it, numbered from 1: those of `numbers`, or all, in order and as many as
        fit into a slice of time; at least one. Other calls that come up to `delay` seconds later go first.

        Raises DocumentError if the document cannot be read, TransientError if the reader was lost."""
        ...


class PageCutter(Protocol):
    """Cuts pages out of a PDF."""

    async def cut(self, data: bytes, first: int, last: int) -> bytes:
        """The pages from `first` to `last` (1-based, inclusive) as a PDF, and no others. Raises PartNotFound if the
        file cannot be cut, Unavailable if nothing can be now."""
        ...


class PageBinder(Protocol):
    """Makes a PDF of pages of another one."""

    async def bind(self, data: bytes, sheets: Sequence[Sheet] | None = None, password: str | None = None) -> bytes:
        """Pages in this order, each a number (1-based) with its turn to the right in degrees, as a PDF; None for all as
        they are. Raises DocumentError if the file cannot be read with this password or has no such pages, Unavailable
        if nothing can be done now."""
        ...

    async def count(self, data: bytes) -> int:
        """How many pages a PDF has. Raises as `bind` does."""
        ...


class PageArtist(Protocol):
    """Draws pages of documents for people."""

    async def show(self, data: bytes, page: int) -> bytes:
        """The page (1-based) of a document of any kind, as a JPEG. Raises PartNotFound if it cannot be drawn,
        Unavailable if nothing can be now."""
        ...


class XmlFinder(Protocol):
    """Finds the electronic invoices that PDFs contain."""

    async def find_xml(self, data: bytes) -> bytes:
        """The XML in a PDF, as it is; empty if there is none that can be read. Raises Unavailable if nothing can be
        found now."""
        ...


class EInvoiceWriter(Protocol):
    """Writes electronic invoices, and checks them."""

    async def write(self, data: bytes, record: EInvoice | None, order: EInvoiceOrder) -> EInvoiceMade:
        """The record, or without one the electronic invoice in the file, as the order says. What goes wrong is a
        finding. Raises Unavailable if nothing can be written now."""
        ...

    def close(self) -> None:
        """Give back what it holds; may take a moment."""
        ...


class PageTools(PageCutter, PageBinder, PageArtist, XmlFinder, Protocol):
    """All of these, from one process."""


class FieldModel(Protocol):
    """A model that labels the words of pages."""

    async def read(self, pages: Sequence[PackedPages]) -> Reading:
        """What the model says about some pages. Raises TransientError if the model's worker was lost."""
        ...


class Reconciler(Protocol):
    """Makes invoices of a document that both models have read."""

    async def reconcile(self, labelled: LabelledPages) -> Reconciled:
        """Its invoices. Raises DocumentError if that takes too long, TransientError if the worker was lost."""
        ...


class Interpreter(Protocol):
    """Makes invoices of a document that was read: asks both models, and reconciles what they say."""

    async def interpret(self, document: ReadDocument, pair: str = FIRST) -> Interpreted:
        """The invoices that this pair of models finds, or the first pair where that one does not work. Raises
        DocumentError if that takes too long, TransientError if a worker was lost."""
        ...


class MailOpener(Protocol):
    """Takes mails apart."""

    async def open(self, raw: bytes, rules: OpenRules) -> OpenedMail:
        """The parts of a mail. Raises DocumentError if it cannot be taken apart, Unavailable if nothing can be now."""
        ...


class FileOpener(Protocol):
    """Takes files apart that people upload."""

    async def open_file(self, data: bytes, name: str | None, rules: OpenRules) -> tuple[OpenedPart, ...]:
        """The documents in a file, and why the other files in it are none. Raises DocumentError if it cannot be taken
        apart, Unavailable if nothing can be now."""
        ...

    def close(self) -> None:
        """Give back what it holds; may take a moment."""
        ...


class MailPolicy(Protocol):
    """Finds out who sent a mail."""

    async def decide(self, raw: bytes, mail: InboundMail, address: MailAddress, text: str) -> SenderDecision:
        """What the address does with the mail, which has its heading; `text` is the start of what people read in it.
        Raises Unavailable."""
        ...


class Notifier(Protocol):
    """Tells the dispatcher that something is due; a lost call costs only the polling interval."""

    async def wake(self) -> None: ...


class ModelReporting(Protocol):
    """Asks the replicas of the models what they run."""

    async def __call__(self) -> list[ModelReport]:
        """A report of each replica that answered."""
        ...


class Mailer(Protocol):
    """Sends mail."""

    async def send(self, message: EmailMessage) -> None:
        """Returns when the message is accepted for delivery. Raises MailError if it is not."""
        ...


class MailServer(Protocol):
    """A server that sends mail."""

    async def sign_in(self) -> None:
        """What comes before a message, and no message. Raises MailError if none can be sent."""
        ...


class SenderChecker(Protocol):
    """Finds out whether a mail comes from where it says."""

    async def check(self, raw: bytes, envelope: Envelope) -> Verdict:
        """What was proved about the sender: nothing, if finding out takes too long or fails. It never raises."""
        ...


class NamedServer(Protocol):
    """Asks a server that the operator has named for JSON objects."""

    async def get(self, url: str, headers: Mapping[str, str]) -> dict[str, Any]:
        """Raises Unreachable if there is no such answer."""
        ...

    async def post(self, url: str, headers: Mapping[str, str], form: Mapping[str, str]) -> dict[str, Any]:
        """The same for a form."""
        ...


class Sealing(Protocol):
    """Encrypts secrets at rest."""

    def seal(self, text: str) -> str:
        """The text, encrypted."""
        ...

    def open(self, sealed: str) -> str:
        """The text that was sealed. Raises ValueError if it was not sealed with a known key."""
        ...


class UrlGuard(Protocol):
    """Decides which URLs the service may connect to."""

    async def check(self, text: str) -> object:
        """The URL that `text` denotes; its `str()` is the normalised form. Raises BadUrl or Unreachable."""
        ...
