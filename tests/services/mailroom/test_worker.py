"""The loop that works on mails."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.inbound_mail import InboundMail, MailState
from serve_app.domain.mail_address import MailAddress
from serve_app.services.mailroom.worker import RETRY_SECONDS, MailWorker
from serve_app.store.base import Store
from tests.support import Clock
from tests.support.inbound import add_mail
from tests.support.until import until


@dataclass
class Run:
    """Does something with each mail."""

    do: Callable[[InboundMail], Awaitable[None]]
    calls: int = 0

    async def run(self, mail: InboundMail) -> None:
        self.calls += 1
        await self.do(mail)


def worker(store: Store, run: Run, clock: Clock, steps: tuple[Callable[[], Awaitable[object]], ...] = ()) -> MailWorker:
    return MailWorker(
        store.mails,
        run,  # type: ignore[arg-type]
        steps,
        lease_seconds=30,
        heartbeat_seconds=0.01,
        poll_seconds=0.01,
        maintenance_seconds=0.01,
        clock=clock,
    )


async def work_until(condition: Callable[[], Awaitable[bool]], working: MailWorker) -> None:
    task = asyncio.create_task(working.run())
    await until(condition)
    working.stop()
    await task


async def test_what_is_out_of_reach_costs_no_try(store: Store, address: MailAddress, clock: Clock) -> None:
    mail = await add_mail(store, address)

    async def fail(_: InboundMail) -> None:
        raise StoreUnreachable

    run = Run(fail)

    async def is_put_back() -> bool:
        found = await store.mails.get(mail.account_id, mail.id)
        assert found is not None
        return run.calls == 1 and found.claims == 0 and found.due_at is not None and found.due_at > clock()

    await work_until(is_put_back, worker(store, run, clock))
    clock.advance(RETRY_SECONDS)
    assert await store.mails.claim_due(clock() - clock()) is not None


async def test_a_defect_is_logged_without_the_mails_text_and_costs_a_try(
    store: Store, address: MailAddress, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    mail = await add_mail(store, address)

    async def fail(_: InboundMail) -> None:
        raise ValueError("anna@example.com wrote this")

    run = Run(fail)

    async def is_lost() -> bool:
        found = await store.mails.get(mail.account_id, mail.id)
        return run.calls == 1 and found is not None and found.claims == 1 and "ValueError" in caplog.text

    await work_until(is_lost, worker(store, run, clock))
    assert "test_worker.py" in caplog.text
    assert "anna" not in "".join(str(record.__dict__) for record in caplog.records)


async def test_a_claim_is_kept_while_the_work_goes_on(store: Store, address: MailAddress, clock: Clock) -> None:
    mail = await add_mail(store, address)
    may_end = asyncio.Event()

    async def work(claimed: InboundMail) -> None:
        clock.advance(29)
        await may_end.wait()

    run = Run(work)

    async def is_renewed() -> bool:
        (found,) = await store.mails.of_account(mail.account_id, 10)
        if found.due_at is None or (found.due_at - clock()).total_seconds() < 30:
            return False
        may_end.set()
        return True

    await work_until(is_renewed, worker(store, run, clock))
    assert run.calls == 1


async def test_a_step_of_maintenance_that_fails_stops_no_other(
    store: Store, address: MailAddress, clock: Clock
) -> None:
    done: list[str] = []

    async def fail() -> None:
        raise StoreUnreachable

    async def cleanup() -> None:
        done.append("care")

    async def is_done() -> bool:
        return len(done) > 1

    async def nothing(_: InboundMail) -> None:
        return

    await add_mail(store, address, state=MailState.DONE, due_at=None)
    await work_until(is_done, worker(store, Run(nothing), clock, (fail, cleanup)))
