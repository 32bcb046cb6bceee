"""Authenticates the sender of one mail in a child. Each mail has its own child, which may be killed (ADR 0054)."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from serve_app.domain.inbound_mail import Envelope, Verdict, Way
from serve_app.mail.trust.authenticate import authenticate_sender
from serve_app.mail.trust.dns import NoDns, SystemDns


@dataclass(frozen=True, slots=True)
class Question:
    """A mail, how it came, whose checks to trust, and the time for all of it in seconds. `asks_names` is False while
    the name server is known not to answer."""

    raw: bytes
    envelope: Envelope
    authserv_id: str
    seconds: float
    asks_names: bool = True


@dataclass(frozen=True, slots=True)
class SenderAnswer:
    """The verdict, and whether the name server answered nothing at all."""

    verdict: Verdict
    is_name_server_away: bool = False


_SAMPLE = Question(b"From: a@example.com\r\n\r\n", Envelope("", Way.SMTP), "", seconds=1.0, asks_names=False)


def prepare() -> Callable[[bytes], bytes]:
    """The function that answers. It has authenticated a sample before, so that all children share what libraries
    load or compile on first use: the public suffixes alone take 70 ms."""
    answer(msgspec.msgpack.encode(_SAMPLE))
    return answer


def answer(written: bytes) -> bytes:
    """The answer to an encoded question, encoded."""
    question = msgspec.msgpack.decode(written, type=Question)
    names = SystemDns(question.seconds * 0.8) if question.asks_names else NoDns()
    verdict = authenticate_sender(question.raw, question.envelope, names, question.authserv_id)
    return msgspec.msgpack.encode(SenderAnswer(verdict, names.is_away()))
