"""A reader process that makes the attempt that its document names."""

import errno
import json
import os
from collections.abc import Callable

from serve_app.documents.isolation.messages import Answer, DocumentRead, Request
from serve_app.documents.isolation.worker import Work, main
from serve_app.documents.options import ReadOptions
from serve_app.domain.document import Box, Document, Page, Word
from tests.documents.isolation.escapes import files, kernel, processes
from tests.documents.isolation.escapes.target import EscapeTarget

ATTEMPTS: dict[str, Callable[[EscapeTarget], object]] = files.ATTEMPTS | processes.ATTEMPTS | kernel.ATTEMPTS
THROUGH = "gets through"


def outcome(name: str, target: EscapeTarget) -> str:
    """What came of it. It is made by a process of its own, so that none changes the ground of the next."""
    ours, theirs = os.pipe()
    if (pid := os.fork()) == 0:
        os.write(theirs, _attempted(ATTEMPTS[name], target).encode())
        os._exit(0)
    os.close(theirs)
    with open(ours, encoding="utf-8") as answer:
        text = answer.read()
    os.waitpid(pid, 0)
    return text or THROUGH


def _attempted(attempt: Callable[[EscapeTarget], object], target: EscapeTarget) -> str:
    try:
        attempt(target)
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))
    except processes.Nothing:
        return "nothing there"
    except ValueError as error:
        # How Python tells that a limit cannot be raised.
        return str(error)
    return THROUGH


def prepare(options: ReadOptions) -> Work:
    def work(request: Request) -> Answer:
        request_data = json.loads(request.data)
        text = outcome(request_data["attempt"], EscapeTarget(**request_data["target"])).replace(" ", "_")
        return DocumentRead(request.id, Document((Page(1, 100.0, 100.0, (Word(text, Box(0, 0, 1, 1)),)),)))

    return work


if __name__ == "__main__":
    main(prepare)
