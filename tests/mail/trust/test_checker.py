"""The process that checks a mail."""

import os
import pickle
import sys
import time
from pathlib import Path

from serve_app.domain.inbound_mail import Way
from serve_app.mail.trust.checker import SenderCheck
from tests.mail.trust.names import envelope, mail
from tests.mail.trust.test_judge import TestServerInFront

GOOD = TestServerInFront.GOOD


async def test_a_mail_is_judged_in_a_process_of_its_own() -> None:
    check = SenderCheck("mx.in.test", lambda arrived: arrived.way is Way.LMTP)
    verdict = await check.check(mail(more=GOOD), envelope(way=Way.LMTP))
    assert "anna@example.com" in verdict.identities


async def test_a_mail_that_takes_too_long_proves_nothing_and_holds_nobody_up() -> None:
    slow = (sys.executable, "-c", "import time; time.sleep(60)")
    started = time.monotonic()
    verdict = await SenderCheck(seconds=0.5, command=slow).check(mail(), envelope())
    assert time.monotonic() - started < 5
    assert (verdict.identities, verdict.words) == ((), ("Not checked: it took longer than 0.5 seconds",))


async def test_what_the_process_answers_is_only_read(tmp_path: Path) -> None:
    """It has parsed what strangers wrote, so it may be theirs."""

    class Hostile:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (tmp_path / "executed",)  # type: ignore[return-value]

    command = f"import sys; sys.stdout.buffer.write({pickle.dumps(Hostile())!r})"
    verdict = await SenderCheck(command=(sys.executable, "-c", command)).check(mail(), envelope())
    assert verdict.words == ("Not checked: the check failed",)
    assert os.listdir(tmp_path) == []


async def test_a_process_that_dies_proves_nothing() -> None:
    for command in ("import os; os.abort()", "print('nonsense')", "pass"):
        verdict = await SenderCheck(command=(sys.executable, "-c", command)).check(mail(), envelope())
        assert verdict.words == ("Not checked: the check failed",)
