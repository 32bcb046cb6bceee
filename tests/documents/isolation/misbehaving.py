"""A reader process that does what its document says, for tests of the sandbox."""

import ctypes
import os
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from serve_app.documents.isolation.messages import Answer, DocumentRead, Request
from serve_app.documents.isolation.worker import Work, main
from serve_app.documents.options import ReadOptions
from serve_app.documents.progress import step_done
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.domain.user_error import UserError


def hog_memory() -> str:
    hoard = []
    while True:
        hoard.append(bytearray(64 * 1024 * 1024))


def hog_time() -> str:
    ctypes.CDLL(None).sleep(3600)
    return "awake"


def work_for_long() -> str:
    for _ in range(1000):
        time.sleep(0.02)
        step_done()
    return "done"


def three_pages() -> str:
    for _ in range(3):
        time.sleep(0.8)
        step_done()
    return "done"


def crash() -> str:
    os.kill(os.getpid(), signal.SIGSEGV)
    return "alive"


def leave() -> str:
    os._exit(0)


def chatter() -> str:
    for _ in range(10_000):
        os.write(1, b"x" * 1000)
        os.write(2, b"y" * 1000)
    return "said"


def raise_an_error() -> str:
    raise ZeroDivisionError("7031")


def refuse() -> str:
    raise DocumentError(FailureCode.NO_TEXT_FOUND, "Nothing there.")


def open_socket() -> str:
    return _attempt(socket.socket)


def open_local_socket() -> str:
    return _attempt(lambda: socket.socket(socket.AF_UNIX))


def leave_group() -> str:
    return _attempt(os.setsid)


def environment() -> str:
    return "|".join(sorted(os.environ))


def folder() -> str:
    return os.getcwd()


def write_here() -> str:
    Path("rest").mkdir()
    Path("rest/page.ppm").write_bytes(b"1")
    return _attempt(lambda: Path(os.environ["TMPDIR"], "rest.png").write_bytes(b"1"))


def list_here() -> str:
    return "|".join(["entries:", *os.listdir()])


def write_big_file() -> str:
    return _attempt(lambda: Path("big").write_bytes(b"1" * 3_000_000))


def write_outside() -> str:
    return _attempt(lambda: Path(os.environ["TMPDIR"]).with_name("escaped").write_text("1"))


def read_secrets() -> str:
    return _attempt(lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes())


def start_program_and_report() -> str:
    return str(_waiting_program().pid)


def stop_program() -> str:
    program = _waiting_program()
    try:
        program.wait(timeout=0.2)
    except subprocess.TimeoutExpired:
        program.kill()
    return f"ended:{program.wait()}"


def limit_of_processes() -> str:
    return str(resource.getrlimit(resource.RLIMIT_NPROC)[0])


def user() -> str:
    return "|".join(map(str, (*os.getresuid(), *os.getresgid(), os.getgroups())))


def _waiting_program() -> "subprocess.Popen[bytes]":
    """It waits for a document that never comes."""
    return subprocess.Popen(["pdftoppm", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def process() -> str:
    return str(os.getpid())


def _attempt(action: Callable[[], object]) -> str:
    try:
        action()
    except OSError as error:
        return type(error).__name__
    return "done"


def _document(text: str, box: Box = Box(0, 0, 1, 1)) -> Document:  # noqa: B008
    return Document((Page(1, 100.0, 100.0, (Word(text, box),)),))


def _answer(request: Request) -> Answer:
    name, _, argument = request.data.decode().partition(" ")
    if name == "say":
        return DocumentRead(request.id, _document(argument))
    if name == "wait":
        time.sleep(float(argument))
        return DocumentRead(request.id, _document("waited"))
    if name == "read":
        return DocumentRead(request.id, _document(_attempt(Path(argument).read_bytes)))
    if name == "impossible":
        return DocumentRead(request.id, _document("word", Box(float("nan"), 0, 1, 1)))
    if name == "endless":
        return DocumentRead(request.id, _document("x" * 5_000_000))
    if name == "other":
        return DocumentRead(request.id + 1, _document("other"))
    text: str = globals()[name]()
    return DocumentRead(request.id, _document(text))


def prepare(options: ReadOptions) -> Work:
    if options.ocr.engine == "crystal-ball":
        raise UserError(f"There is no OCR engine {options.ocr.engine!r}.")
    return _answer


if __name__ == "__main__":
    main(prepare)
