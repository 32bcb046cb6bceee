"""One reader process and the exchange with it, as seen by its parent."""

import os
import time

import msgspec

from serve_app.documents.isolation.channel import Channel, TooLong
from serve_app.documents.isolation.codec import check_document
from serve_app.documents.isolation.messages import (
    Answer,
    DocumentRead,
    Failed,
    LossCause,
    Misconfigured,
    MissingLayers,
    Progress,
    Ready,
    Request,
    Start,
    ToParent,
    decode_to_parent,
    encode,
)
from serve_app.documents.isolation.process import Process
from serve_app.documents.options import ReadOptions
from serve_app.domain.user_error import UserError

START_SECONDS = 120.0
"""For imports and the OCR models; far more than they take, because all cores may be busy."""
_SIGNS_PER_PAGE = 8


class Lost(Exception):
    """The process can no longer be used."""

    def __init__(self, cause: LossCause, detail: str = "") -> None:
        super().__init__(cause, detail)
        self.cause = cause
        self.detail = detail


class Child:
    """A started, ready process. It must be closed; `kill` may be called from any thread, everything else only from the
    thread that created it.

    Creating it raises UserError if the options ask for something that this machine does not have, and Lost or OSError
    if it does not start. It dies when the thread that created it ends.
    """

    def __init__(self, options: ReadOptions, worker: str) -> None:
        self._limits = options.limits
        self._process = Process(worker)
        self._channel = Channel(self._process.channel_end)
        self.answered = 0
        try:
            self.missing = self._greet(options)
            """Missing sandbox layers, and why."""
        except BaseException:
            self.close()
            raise
        self._size_at_rest = self._process.size

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive

    @property
    def growth(self) -> int:
        """Growth of its address space since it was new, in bytes."""
        return self._process.size - self._size_at_rest

    def ask(self, request: Request, deadline: float) -> Answer:
        """The answer. Raise Lost if there is none by `deadline`, or no sign of life for `page_seconds`."""
        try:
            self._channel.send(encode(request), min(deadline, self._next_sign()))
            answer = self._await_answer(request, deadline)
        except TimeoutError:
            raise Lost(LossCause.TIME) from None
        except ConnectionError:
            raise self._ended() from None
        except (TooLong, ValueError) as error:
            raise Lost(LossCause.NONSENSE, str(error)) from None
        if isinstance(answer, Failed):
            raise Lost(answer.cause, answer.detail)
        self.answered += 1
        return answer

    def kill(self) -> None:
        """Kill the process and everything it started; `ask` then raises Lost."""
        self._process.kill()

    def close(self) -> None:
        """Kill it and remove its folder with everything it wrote."""
        self._process.close()

    def _greet(self, options: ReadOptions) -> MissingLayers:
        deadline = time.monotonic() + START_SECONDS
        try:
            self._channel.send(encode(Start(options, os.getpid())), deadline)
            greeting = self._receive(deadline)
        except TimeoutError:
            raise Lost(LossCause.TIME, "not ready in time") from None
        except (ConnectionError, TooLong, msgspec.MsgspecError):
            raise self._ended("while it started") from None
        if isinstance(greeting, Misconfigured):
            raise UserError(greeting.message)
        if not isinstance(greeting, Ready):
            raise Lost(LossCause.NONSENSE, "no greeting")
        return greeting.missing

    def _await_answer(self, request: Request, deadline: float) -> Answer:
        # More signs of life than pages (a page may be tried in several ways), but not forever.
        for _ in range(_SIGNS_PER_PAGE * self._limits.max_pages):
            reply = self._receive(min(deadline, self._next_sign()))
            if isinstance(reply, Ready | Misconfigured) or reply.id != request.id:
                raise ValueError("not an answer to the question")
            if not isinstance(reply, Progress):
                if isinstance(reply, DocumentRead):
                    check_document(reply.document, self._limits, reply.count)
                return reply
        raise ValueError("progress without end")

    def _receive(self, deadline: float) -> ToParent:
        message: ToParent = decode_to_parent(self._channel.receive(self._limits.max_answer_bytes, deadline))
        return message

    def _next_sign(self) -> float:
        return time.monotonic() + self._limits.page_seconds

    def _ended(self, when: str = "at work") -> Lost:
        """Why and how the process ended; it closed its end of the channel, so it has ended or is about to."""
        death = self._process.wait()
        if death is None:
            return Lost(LossCause.NONSENSE, f"closed its end {when}, and runs on")
        return Lost(death.cause(self._limits.max_memory_bytes), f"ended {when}, exit status {death.status}")
