"""Asks the process of `forks` from an event loop."""

import asyncio
import os
import socket
import subprocess
import sys
import weakref
from contextlib import suppress
from pathlib import Path

from serve_app.mail.trust.fork_server import ASK, READY

_PROJECT = Path(__file__).parents[3]
_START_SECONDS = 60.0
_HEAD = 16
_LATER_SECONDS = 0.5


class ForksAway(Exception):
    """The process did not start, or its child ended without an answer."""


class Forks:
    """Starts the process with the first question, and again if it is lost. `prepare` is the
    `module:name` of a function that loads everything and returns the function that answers. The process ends with this
    object."""

    def __init__(self, prepare: str) -> None:
        self._prepare = prepare
        self._starting = asyncio.Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    async def ask(self, question: bytes, seconds: float) -> bytes:
        """The answer of a child, which is killed after `seconds`. Raises TimeoutError, ForksAway."""
        try:
            control = await self._started()
            return await self._asked(control, question, seconds)
        except TimeoutError:
            raise
        except OSError as error:
            raise ForksAway from error

    async def _asked(self, control: socket.socket, question: bytes, seconds: float) -> bytes:
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(control, [ASK], [theirs.fileno()])
        reader, writer = await asyncio.open_connection(sock=ours)
        try:
            async with asyncio.timeout(seconds):
                # Later than here, so that it is known why there is no answer.
                writer.write(f"{seconds + _LATER_SECONDS:<{_HEAD}.3f}".encode() + question)
                writer.write_eof()
                answer = await reader.read()
        finally:
            writer.close()
        if not answer:
            raise ForksAway
        return answer

    async def _started(self) -> socket.socket:
        async with self._starting:
            if self._control is None or self._process is None or self._process.poll() is not None:
                self._control, self._process = await self._start()
            return self._control

    async def _start(self) -> tuple[socket.socket, "subprocess.Popen[bytes]"]:
        ours, theirs = socket.socketpair()
        with theirs:
            process = _launched(theirs.fileno(), self._prepare)
        weakref.finalize(self, _end, ours, process)
        ours.setblocking(False)
        async with asyncio.timeout(_START_SECONDS):
            if await asyncio.get_running_loop().sock_recv(ours, len(READY)) != READY:
                raise ForksAway
        return ours, process


def _launched(end: int, prepare: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-s", "-P", "-m", "serve_app.mail.trust.fork_server", str(end), prepare],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[end],
        env={"PYTHONPATH": str(_PROJECT), "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"},
    )


def _end(control: socket.socket, process: "subprocess.Popen[bytes]") -> None:
    control.close()
    process.kill()
    with suppress(OSError):
        process.wait()
