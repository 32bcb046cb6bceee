"""What the child that judges a mail may do, once strangers have taken it over."""

import os
import pickle
import time
from pathlib import Path

EXECUTED = Path(__file__).with_name("executed")
"""Made only if somebody runs what the child answers."""


def is_slow(_: bytes) -> bytes:
    time.sleep(60)
    return b""


def aborts(_: bytes) -> bytes:
    os.abort()


def talks_nonsense(_: bytes) -> bytes:
    return b"nonsense"


def says_nothing(_: bytes) -> bytes:
    return b""


class _Hostile:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Path.touch, (EXECUTED,)  # type: ignore[return-value]


def sends_a_program(_: bytes) -> bytes:
    return pickle.dumps(_Hostile())


def counts_itself(_: bytes) -> bytes:
    """Answers with its process, as words of a verdict."""
    import msgspec

    from serve_app.domain.inbound_mail import Verdict
    from serve_app.mail.trust.worker import Judged

    return msgspec.msgpack.encode(Judged(Verdict(words=(str(os.getpid()), str(os.getppid())))))
