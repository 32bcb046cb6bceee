"""The process that judges one mail: reads a question from its standard input, and writes the answer to its standard
output. It is one mail's own, because it may have to be killed (ADR 0054)."""

import resource
import signal
import sys
from dataclasses import dataclass

import msgspec

from serve_app.domain.inbound_mail import Envelope
from serve_app.mail.trust.dns import SystemDns
from serve_app.mail.trust.judge import judge

_MEMORY_BYTES = 1024**3


@dataclass(frozen=True, slots=True)
class Question:
    """A mail, how it came, whose checks to trust, and the time for all of it in seconds."""

    raw: bytes
    envelope: Envelope
    authserv_id: str
    seconds: float


def main() -> None:
    """Answer one question."""
    question = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Question)
    # Ends it if the parent cannot.
    signal.alarm(int(question.seconds) + 2)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    names = SystemDns(question.seconds * 0.8)
    found = judge(question.raw, question.envelope, names, question.authserv_id)
    sys.stdout.buffer.write(msgspec.msgpack.encode(found))


if __name__ == "__main__":
    main()
