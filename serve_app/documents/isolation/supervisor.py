"""Keeps one reader process ready and gives each document two tries. Blocking; one call at a time."""

import logging
import math
import threading
import time
from collections import Counter
from dataclasses import replace

from serve_app.documents.isolation.child import Child, Lost
from serve_app.documents.isolation.folders import remove_left_behind
from serve_app.documents.isolation.messages import (
    Answer,
    Bind,
    CheckEInvoice,
    Count,
    Counted,
    Cut,
    DocumentRead,
    Draw,
    EInvoiceChecked,
    EInvoiceWritten,
    FileOpened,
    FindXml,
    LossCause,
    MailOpened,
    MissingLayers,
    Open,
    OpenFile,
    PageDrawn,
    PartCut,
    Read,
    Refused,
    Request,
    Show,
    WriteEInvoice,
)
from serve_app.documents.mail.opened import OpenedMail, OpenedPart, OpenRules
from serve_app.documents.options import ReadOptions
from serve_app.documents.slices import WHOLE, Slice, SliceRead
from serve_app.domain.document import Document, Page
from serve_app.domain.einvoice import EInvoice
from serve_app.domain.einvoice_order import EInvoiceMade, EInvoiceOrder
from serve_app.domain.einvoice_validation import Validation
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.telemetry.meter import count
from serve_app.telemetry.series import LOST_READERS

logger = logging.getLogger(__name__)

Pages = tuple[int, int]
Sheets = tuple[tuple[int, int], ...]
WORKER = "serve_app.documents.isolation.worker"
TRIES = 2
RENEW_AFTER = 1000
"""Documents after which a process is replaced, in case of leaks too slow to notice."""
GROWTH = 0.5
"""Growth after which it is replaced, as a share of the memory limit. Pictures of all sizes soon let it grow by 40 %,
then slowly. Much less would replace it every few pages, and starting one takes as much CPU as reading a page."""
_MESSAGES = {
    LossCause.TIME: "Reading the document took too long.",
    LossCause.MEMORY: "Reading the document took too much memory.",
    LossCause.CRASH: "Reading the document crashed the reader.",
    LossCause.NONSENSE: "Reading the document crashed the reader.",
}


class ReaderUnavailable(Exception):
    """No reader process can be started at the moment; not the document's fault."""


class Abandoned(ReaderUnavailable):
    """Nobody is waiting for the answer any more, or the reader was closed."""


class Supervisor:
    """Reads in a separate process. The calling thread must live as long as the supervisor: the process dies with it.
    Only `abandon` and `stop` may be called from another thread."""

    def __init__(self, options: ReadOptions | None = None, worker: str = WORKER) -> None:
        self.losses: Counter[LossCause] = Counter()
        """Processes lost, by cause."""
        self._options = options or ReadOptions()
        remove_left_behind()
        self._worker = worker
        # Guards the four below, which `abandon` and `stop` access from other threads.
        self._guard = threading.Lock()
        self._child: Child | None = None
        self._current: int | None = None
        self._abandoned: set[int] = set()
        self._stopped = False

    @property
    def pid(self) -> int | None:
        """The process in use."""
        return self._child.pid if self._child else None

    def start(self) -> None:
        """Have a process ready. Raise ValueError if the options cannot be met, ReaderUnavailable if it does not
        start."""
        self._ready_child()

    def read(self, data: bytes, pages: Pages | None = None, number: int = 0) -> Document:
        """The words of a document, or of some pages of a PDF (first and last, 1-based, both included).

        Raise DocumentError, or ReaderUnavailable if there is no process to read with. `number`
        identifies the call for `abandon`.
        """
        return self.read_slice(data, WHOLE, pages, number).document

    def read_next(self, data: bytes) -> Document:
        """`read`, for one document after the other: a process that has grown is replaced first."""
        self.tidy()
        return self.read(data)

    def read_slice(self, data: bytes, part: Slice, pages: Pages | None = None, number: int = 0) -> SliceRead:
        """A slice of a document, or of some pages of a PDF. Raises as `read` does."""
        seconds = None if math.isinf(part.seconds) else part.seconds
        answer = self._answer(Read(number, data, pages, part.numbers, seconds))
        if not isinstance(answer, DocumentRead):
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, _MESSAGES[LossCause.NONSENSE])
        count = len(answer.document.pages) if answer.count is None else answer.count
        return SliceRead(answer.document, count, answer.ocr_seconds, answer.cpu_seconds)

    def cut(self, data: bytes, pages: Pages, number: int = 0) -> bytes:
        """Some pages of a PDF as a PDF of their own. Raises as `read` does."""
        answer = self._answer(Cut(number, data, pages))
        if not isinstance(answer, PartCut):
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, _MESSAGES[LossCause.NONSENSE])
        return answer.data

    def bind(self, data: bytes, sheets: Sheets | None = None, password: str | None = None, number: int = 0) -> bytes:
        """Pages of a PDF in this order, each with its turn, as a PDF; None for all. Raises as `read` does."""
        answer = self._answer(Bind(number, data, sheets, password))
        if not isinstance(answer, PartCut):
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, _MESSAGES[LossCause.NONSENSE])
        return answer.data

    def count(self, data: bytes, number: int = 0) -> int:
        """How many pages a PDF has. Raises as `read` does."""
        answer = self._answer(Count(number, data))
        if not isinstance(answer, Counted):
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, _MESSAGES[LossCause.NONSENSE])
        return answer.pages

    def draw(self, data: bytes, page: Page, pages: Pages | None = None, number: int = 0) -> bytes:
        """A page that was read before, as a picture (PNG): upright, as its words were read. Raises as `read` does."""
        answer = self._answer(Draw(number, data, replace(page, words=()), pages))
        if not isinstance(answer, PageDrawn):
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, _MESSAGES[LossCause.NONSENSE])
        return answer.picture

    def show(self, data: bytes, page: int, number: int = 0) -> bytes:
        """A page (1-based) as people see it, as a picture (JPEG). Raises as `read` does."""
        answer = self._answer(Show(number, data, page))
        if not isinstance(answer, PageDrawn):
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, _MESSAGES[LossCause.NONSENSE])
        return answer.picture

    def find_xml(self, data: bytes, number: int = 0) -> bytes:
        """The electronic invoice in a PDF; empty if there is none. Raises as `read` does."""
        answer = self._answer(FindXml(number, data))
        if not isinstance(answer, PartCut):
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, _MESSAGES[LossCause.NONSENSE])
        return answer.data

    def open_mail(self, raw: bytes, rules: OpenRules, number: int = 0) -> OpenedMail:
        """The parts of a mail. Raises as `read` does."""
        answer = self._answer(Open(number, raw, rules))
        if not isinstance(answer, MailOpened):
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, _MESSAGES[LossCause.NONSENSE])
        return answer.mail

    def open_file(self, data: bytes, name: str | None, rules: OpenRules, number: int = 0) -> tuple[OpenedPart, ...]:
        """The documents in a file that was uploaded. Raises as `read` does."""
        answer = self._answer(OpenFile(number, data, name, rules))
        if not isinstance(answer, FileOpened):
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, _MESSAGES[LossCause.NONSENSE])
        return answer.parts

    def check_einvoice(self, data: bytes, number: int = 0) -> Validation | None:
        """What the published rules say of the electronic invoice in a file; None if it has none. Raises as `read`
        does."""
        answer = self._answer(CheckEInvoice(number, data))
        if not isinstance(answer, EInvoiceChecked):
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, _MESSAGES[LossCause.NONSENSE])
        return answer.validation

    def write_einvoice(
        self, data: bytes, record: EInvoice | None, order: EInvoiceOrder, number: int = 0
    ) -> EInvoiceMade:
        """The record, or without one the electronic invoice in the file, as the order says. Raises as `read` does."""
        answer = self._answer(WriteEInvoice(number, data, record, order))
        if not isinstance(answer, EInvoiceWritten):
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, _MESSAGES[LossCause.NONSENSE])
        return answer.made

    def abandon(self, number: int) -> None:
        """Stop working on that request, started or not: its call raises Abandoned."""
        with self._guard:
            self._abandoned.add(number)
            if self._current == number and self._child is not None:
                self._child.kill()

    def stop(self) -> None:
        """Stop whatever is in progress; from now on every call raises Abandoned."""
        with self._guard:
            self._stopped = True
            if self._child is not None:
                self._child.kill()

    def tidy(self) -> None:
        """Between documents: replace a process that is lost, old or has grown."""
        if self._stopped:
            return
        child = self._child
        most = GROWTH * self._options.limits.max_memory_bytes
        if child is not None and (child.answered >= RENEW_AFTER or child.growth > most):
            logger.info("reader process renewed", extra={"answered": child.answered, "growth_bytes": child.growth})
            self._drop()
        self._ready_child()

    def close(self) -> None:
        """Kill the process and remove what it wrote."""
        self._drop()

    def _answer(self, request: Request) -> Answer:
        try:
            return _raise_refusal(self._try(request))
        finally:
            with self._guard:
                self._current = None
                self._abandoned.discard(request.id)

    def _try(self, request: Request) -> Answer:
        deadline = time.monotonic() + self._options.limits.max_seconds
        cause = LossCause.TIME
        for _ in range(TRIES):
            if time.monotonic() >= deadline:
                break
            child = self._ready_child()
            self._check_wanted(request)
            try:
                return child.ask(request, deadline)
            except Lost as lost:
                self._drop()
                self._check_wanted(request)
                self._note(lost)
                cause = lost.cause
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, _MESSAGES[cause])

    def _note(self, lost: Lost) -> None:
        self.losses[lost.cause] += 1
        count(LOST_READERS, cause=lost.cause)
        logger.warning("reader process lost: %s", lost.cause, extra={"trouble": lost.cause, "detail": lost.detail})

    def _check_wanted(self, request: Request) -> None:
        with self._guard:
            if self._stopped or request.id in self._abandoned:
                raise Abandoned
            self._current = request.id

    def _ready_child(self) -> Child:
        if self._child is not None and not self._child.is_alive:
            self._drop()
        if self._child is None:
            try:
                child = Child(self._options, self._worker)
            except (Lost, OSError) as error:
                raise ReaderUnavailable(str(error)) from error
            _log_missing_layers(child.missing)
            with self._guard:
                self._child = child
        return self._child

    def _drop(self) -> None:
        with self._guard:
            child, self._child = self._child, None
        if child is not None:
            child.close()


def _log_missing_layers(missing: MissingLayers) -> None:
    level = logging.WARNING if missing else logging.DEBUG
    logger.log(level, "reader process started", extra={"walls_missing": missing})


def _raise_refusal(answer: Answer) -> Answer:
    if isinstance(answer, Refused):
        raise DocumentError(answer.code, answer.message)
    return answer
