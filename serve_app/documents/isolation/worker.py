"""The reader process: `python -m serve_app.documents.isolation.worker FD`, one end of a socket pair.

Nothing that starts threads or could be attacked is imported before the sandbox is in place.
"""

import gc
import math
import os
import resource
import shutil
import socket
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from serve_app.documents.isolation import kernel
from serve_app.documents.isolation.channel import Channel
from serve_app.documents.isolation.messages import (
    Answer,
    Bind,
    CheckEInvoice,
    Count,
    Cut,
    DocumentRead,
    Draw,
    Failed,
    FindXml,
    LossCause,
    Misconfigured,
    MissingLayers,
    Open,
    OpenFile,
    PageDrawn,
    PartCut,
    Progress,
    Ready,
    Refused,
    Request,
    Show,
    Start,
    WriteEInvoice,
    decode_to_child,
    described,
    encode,
)
from serve_app.documents.isolation.programs import stop_by_group
from serve_app.documents.isolation.sandbox import allow_cpu_seconds, enter_sandbox
from serve_app.documents.options import ReadOptions
from serve_app.documents.progress import reported_to
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.domain.user_error import UserError

# Maps a request to its answer; raises what reading raises.
Work = Callable[[Request], Answer]

_MAX_REQUEST_BYTES = 2**32 - 1


def main(prepare: Callable[[ReadOptions], Work], reserves_memory: bool = False) -> None:
    """Answer requests until the parent closes its end. `prepare` loads what the work needs, inside the sandbox;
    `reserves_memory` says that this takes much address space that it never uses."""
    channel = Channel(socket.socket(fileno=int(sys.argv[1])))
    try:
        _serve(channel, prepare, reserves_memory)
    except ConnectionError:
        return


def _serve(channel: Channel, prepare: Callable[[ReadOptions], Work], reserves_memory: bool) -> None:
    start = decode_to_child(channel.receive(_MAX_REQUEST_BYTES))
    if not isinstance(start, Start) or not _holds_on_to(start.parent):
        return
    folder = Path.cwd()
    try:
        missing = _held_in(start.options, folder, reserves_memory)
        work = prepare(start.options)
    except UserError as error:
        channel.send(encode(Misconfigured(str(error))))
        return
    # What is loaded now stays, so garbage collection can skip it.
    gc.freeze()
    channel.send(encode(Ready(missing)))
    while True:
        request = decode_to_child(channel.receive(_MAX_REQUEST_BYTES))
        if isinstance(request, Start):
            return
        allow_cpu_seconds(start.options.limits.max_seconds)
        channel.send(_answer(channel, request, work))
        _empty(folder)


def _held_in(options: ReadOptions, folder: Path, reserves_memory: bool) -> MissingLayers:
    """The missing sandbox layers; raise UserError if all are required."""
    stop_by_group()
    missing = enter_sandbox(options, folder, options.ocr.has_gpu, reserves_memory)
    if missing and options.sandbox.required:
        raise UserError(
            f"SANDBOX=required, but documents would be read without {described(missing)}: docs/explanation/sandbox.md"
        )
    return missing


def _holds_on_to(parent: int) -> bool:
    """Die with the parent from now on; False if it is already gone."""
    kernel.die_with_parent()
    return os.getppid() == parent


def _answer(channel: Channel, request: Request, work: Work) -> bytes:
    try:
        with reported_to(lambda: channel.send(encode(Progress(request.id)))):
            return encode(work(request))
    except DocumentError as error:
        return encode(Refused(request.id, error.code, error.message))
    except MemoryError as error:
        return encode(Failed(request.id, LossCause.MEMORY, _place(error)))
    except Exception as error:
        return encode(Failed(request.id, LossCause.CRASH, _place(error)))


def _place(error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__, limit=-1)
    return f"{type(error).__name__} at " + ", ".join(f"{frame.filename}:{frame.lineno}" for frame in last)


def _empty(folder: Path) -> None:
    """Remove what a document left behind."""
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)


def _cpu_seconds() -> float:
    """The processor time so far, of this process and of programs that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def cut(data: bytes, pages: tuple[int, int]) -> bytes:
    """Some pages of a PDF; raise DocumentError if it does not have them."""
    from serve_app.documents.pdf.parts import cut_pages

    try:
        return cut_pages(data, *pages)
    except ValueError as error:
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, str(error)) from error


def bind(request: Bind) -> bytes:
    """Pages of a PDF as a PDF; raise DocumentError if it does not have them."""
    from serve_app.documents.pdf.parts import bind_pages

    try:
        return bind_pages(request.data, request.sheets, request.password)
    except ValueError as error:
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, str(error)) from error


def reading(options: ReadOptions) -> Work:
    """The production work; raise ValueError if the chosen OCR is not available."""
    from serve_app.documents.ocr.engines import check_engine
    from serve_app.documents.ocr.stopwatch import timed_ocr
    from serve_app.documents.pictures import draw_page, show_page
    from serve_app.documents.reader import read_slice
    from serve_app.documents.slices import Slice

    if options.preloads_ocr:
        check_engine(options.ocr)

    def work(request: Request) -> Answer:
        if isinstance(request, Bind | Count | FindXml | Open | OpenFile | CheckEInvoice | WriteEInvoice):
            raise ValueError("this process only reads, cuts and draws")
        began = _cpu_seconds()
        data = request.data if isinstance(request, Show) or request.pages is None else cut(request.data, request.pages)
        if isinstance(request, Cut):
            return PartCut(request.id, data)
        if isinstance(request, Draw):
            return PageDrawn(request.id, draw_page(data, request.page, options))
        if isinstance(request, Show):
            return PageDrawn(request.id, show_page(data, request.page, options))
        seconds = math.inf if request.seconds is None else request.seconds
        with timed_ocr() as ocr:
            read = read_slice(data, options, Slice(request.numbers, seconds))
        return DocumentRead(request.id, read.document, read.count, ocr.seconds, _cpu_seconds() - began)

    return work


if __name__ == "__main__":
    main(reading)
