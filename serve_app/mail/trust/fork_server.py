"""A process that loads everything once and forks a child for each question: `python -m ... FD MODULE:FUNCTION`.

FUNCTION takes no argument, loads what the answers need, and returns the function that answers: bytes to bytes. The
process itself receives nothing but sockets from FD, one for each question. Only a child reads the untrusted bytes; it
answers one question and ends. Starting Python for each mail took most of a second of CPU time (ADR 0123)."""

import gc
import importlib
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

Answer = Callable[[bytes], bytes]

_MEMORY_BYTES = 1024**3
READY = b"r"
ASK = b"q"


def main() -> None:
    """Serve until the other end of FD is closed."""
    control = socket.socket(fileno=int(sys.argv[1]))
    module, _, name = sys.argv[2].partition(":")
    answer: Answer = getattr(importlib.import_module(module), name)()
    # The kernel removes children that have ended.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()
    control.sendall(READY)
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, len(ASK), 1)
        if not message:
            return
        for descriptor in descriptors:
            _fork(control, descriptor, answer)


def _fork(control: socket.socket, descriptor: int, answer: Answer) -> None:
    # Without memory for a child there is no answer, and the asker sees the end.
    with socket.socket(fileno=descriptor) as asker, suppress(OSError):
        if os.fork() == 0:
            control.close()
            _answer(asker, answer)


def _answer(asker: socket.socket, answer: Answer) -> None:
    """Never returns."""
    status = 1
    try:
        seconds = float(asker.recv(16))
        # Ends it whatever it does.
        signal.setitimer(signal.ITIMER_REAL, seconds)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
        asker.sendall(answer(_all_of(asker)))
        status = 0
    finally:
        os._exit(status)


def _all_of(asker: socket.socket) -> bytes:
    pieces = []
    while piece := asker.recv(1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


if __name__ == "__main__":
    main()
