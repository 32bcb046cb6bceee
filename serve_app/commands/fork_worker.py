"""What the raylet starts in place of a worker: `python -I -S fork_worker.py SOCKET PROGRAM ARGUMENT ...`.

It asks the process that listens on SOCKET to fork one that runs Ray's program, and ends. It imports only the standard
library, because each worker would wait. If nobody answers, it runs the program itself.
"""

import json
import os
import socket
import sys

FORKED = b"f"
OUTPUTS = (1, 2)
"""The descriptors that the worker gets from here."""
TIMEOUT_S = 120.0
"""For an answer. It may still be importing, on a busy machine."""
_LEFT_OUT = ("--language=", "--serialized-runtime-env-context=")
"""Options of Ray's program that prepares a worker's environment. Workers of the service lack nothing."""


def main() -> None:
    path, *command = sys.argv[1:]
    arguments = [each for each in command if not each.startswith(_LEFT_OUT)]
    if not _fork(path, arguments):
        os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606 - Ray's own program


def _fork(path: str, arguments: list[str]) -> bool:
    worker = {"arguments": arguments, "environment": dict(os.environ), "folder": os.getcwd()}
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.settimeout(TIMEOUT_S)
            server.connect(path)
            data = json.dumps(worker).encode()
            sent = socket.send_fds(server, [data], OUTPUTS)
            server.sendall(data[sent:])
            server.shutdown(socket.SHUT_WR)
            return server.recv(len(FORKED)) == FORKED
    except OSError:
        return False


if __name__ == "__main__":
    main()
