"""The process that checks a mail."""

import asyncio
import time

import pytest

from serve_app.domain.inbound_mail import Way
from serve_app.mail.trust.checker import SenderCheck
from tests.mail.trust.misbehaving import EXECUTED
from tests.mail.trust.names import envelope, mail
from tests.mail.trust.test_authenticate import TestServerInFront

GOOD = TestServerInFront.GOOD
MISBEHAVING = "tests.mail.trust.misbehaving:"


async def test_a_mail_is_checked_in_a_process_of_its_own() -> None:
    check = SenderCheck("mx.in.test", lambda arrived: arrived.way is Way.LMTP)
    verdict = await check.check(mail(more=GOOD), envelope(way=Way.LMTP))
    assert "anna@example.com" in verdict.identities
    counting = SenderCheck(prepare=f"{MISBEHAVING}counts_itself")
    found = [(await counting.check(mail(), envelope())).words for _ in range(3)]
    assert len({own for own, _ in found}) == 3
    assert len({parent for _, parent in found}) == 1


async def test_a_mail_that_takes_too_long_proves_nothing_and_holds_nobody_up() -> None:
    check = SenderCheck(seconds=0.5, prepare=f"{MISBEHAVING}is_slow")
    await check.check(mail(), envelope())
    started = time.monotonic()
    verdicts = await asyncio.gather(*(check.check(mail(), envelope()) for _ in range(16)))
    assert time.monotonic() - started < 5
    assert {verdict.words for verdict in verdicts} == {("Not checked: it took longer than 0.5 seconds",)}


async def test_what_the_process_answers_is_only_read() -> None:
    """It has parsed untrusted bytes, so an attacker may control it."""
    verdict = await SenderCheck(prepare=f"{MISBEHAVING}sends_a_program").check(mail(), envelope())
    assert verdict.words == ("Not checked: the check failed",)
    assert not EXECUTED.exists()


@pytest.mark.parametrize("prepare", ["aborts", "talks_nonsense", "says_nothing", "is_not_there"])
async def test_a_process_that_dies_proves_nothing(prepare: str) -> None:
    check = SenderCheck(prepare=f"{MISBEHAVING}{prepare}")
    for _ in range(2):
        assert (await check.check(mail(), envelope())).words == ("Not checked: the check failed",)


@pytest.mark.parametrize("more", ["", GOOD])
async def test_a_child_loads_nothing_that_all_children_need(more: str) -> None:
    """The process that forks them has loaded it: a child's first verdict costs hardly more than its second."""
    check = SenderCheck("mx.in.test", lambda _: bool(more), prepare=f"{MISBEHAVING}measures_itself")
    first, second = (await check.check(mail(more=more), envelope())).words
    assert float(first) < 5 * float(second) + 0.01


async def test_many_mails_are_checked_in_less_time_than_one_start_each() -> None:
    """What starting Python for every mail would cost is measured beside it."""
    check = SenderCheck("mx.in.test", lambda _: True)
    await check.check(mail(more=GOOD), envelope(way=Way.LMTP))
    started = time.monotonic()
    await SenderCheck("mx.in.test", lambda _: True).check(mail(more=GOOD), envelope(way=Way.LMTP))
    start = time.monotonic() - started
    started = time.monotonic()
    for _ in range(10):
        await check.check(mail(more=GOOD), envelope(way=Way.LMTP))
    assert time.monotonic() - started < 5 * start
