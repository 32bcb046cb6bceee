"""Functions that a child which checks a mail could run after an attacker has taken it over, and some that measure it.

Each `prepare_*` is loaded as the real one is, and returns the function that answers.
"""

import os
import pickle
import resource
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from serve_app.domain.inbound_mail import Verdict
from serve_app.mail.trust import worker
from serve_app.mail.trust.worker import SenderAnswer

Answer = Callable[[bytes], bytes]
EXECUTED = Path(__file__).with_name("executed")
"""Made only if somebody runs what the child answers."""


def is_slow() -> Answer:
    return _sleep


def aborts() -> Answer:
    return _abort


def talks_nonsense() -> Answer:
    return lambda _: b"nonsense"


def says_nothing() -> Answer:
    return lambda _: b""


def sends_a_program() -> Answer:
    return lambda _: pickle.dumps(_Hostile())


def counts_itself() -> Answer:
    """Answers with the ids of its process and of its parent, as words of a verdict."""
    return lambda _: _words(os.getpid(), os.getppid())


def measures_itself() -> Answer:
    """Answers as the real one does, twice in the same child: the CPU seconds of the first and of the second
    time."""
    answer = worker.prepare()

    def measured(question: bytes) -> bytes:
        started = _cpu_seconds()
        answer(question)
        between = _cpu_seconds()
        answer(question)
        return _words(between - started, _cpu_seconds() - between)

    return measured


class _Hostile:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Path.touch, (EXECUTED,)  # type: ignore[return-value]


def _sleep(_: bytes) -> bytes:
    time.sleep(60)
    return b""


def _abort(_: bytes) -> bytes:
    os.abort()


def _words(*values: object) -> bytes:
    return msgspec.msgpack.encode(SenderAnswer(Verdict(words=tuple(str(value) for value in values))))


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
