"""Canaries: who answers what, and how they end."""

from email.headerregistry import Address

import pytest

from serve_app.domain.account import Account
from serve_app.domain.canary import Arm, Canary, CanaryState
from serve_app.domain.clock import utc_now
from serve_app.domain.comparison import Comparison, Signs
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.model_pairs import FIRST, Shadow
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.sequential_test import ALARM
from serve_app.mail.canary_rollback import ComposeRolledBack
from serve_app.services.candidates.canary_controller import CanaryController
from serve_app.services.candidates.service import CandidateService
from serve_app.services.candidates.shadow import ShadowReading
from serve_app.services.candidates.watch import CandidateWatch
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Store
from tests.services.candidates.conftest import FakePairs, document_of
from tests.support import Clock, queue_new
from tests.support.mails import FakeMailer, text_of
from tests.support.meters import installed_meter
from tests.support.people import COMMAND_LINE, add_person

PAIR = "new"


@pytest.fixture
def mailer() -> FakeMailer:
    return FakeMailer()


class Process:
    """What one dispatcher has around its runs."""

    def __init__(self, store: Store, mailer: FakeMailer, clock: Clock, along: Shadow | None = None) -> None:
        self.pairs = FakePairs()
        self.shadow = ShadowReading(self.pairs, store.queue, store.comparisons, clock=clock)
        self.watch = CandidateWatch(store.canaries, self.shadow, along, clock)
        compose = ComposeRolledBack(Address("Invoices", addr_spec="invoices@example.net"))
        audit = AuditTrail(store.audit, clock)
        self.controller = CanaryController(
            self.watch, store.comparisons, store.canaries, store.people, mailer, compose, audit, clock
        )

    async def answer(self, claim: InvoiceRecord) -> str:
        """A run over the document: the pair that was asked."""
        chosen = await self.watch.choose(claim) or FIRST
        document = document_of(claim)
        self.watch.answered(claim, document, chosen, await self.pairs.interpret(document, chosen))
        return chosen


@pytest.fixture
def process(store: Store, mailer: FakeMailer, clock: Clock) -> Process:
    return Process(store, mailer, clock)


@pytest.fixture
def service(store: Store, clock: Clock) -> CandidateService:
    return CandidateService(store.comparisons, store.canaries, AuditTrail(store.audit, clock), clock)


async def compare(store: Store, account: Account, canary: Canary, *signs: Signs) -> None:
    for each in signs:
        record = await queue_new(store, account.id)
        ids = record.invoice.id, account.id
        await store.comparisons.put([Comparison(*ids, PAIR, utc_now(), canary_id=canary.id, signs=each)])


async def test_the_candidate_answers_from_the_next_look_on(
    process: Process, service: CandidateService, store: Store, account: Account
) -> None:
    claim = await queue_new(store, account.id)
    await process.controller.look()
    assert await process.answer(claim) == FIRST
    await service.start(PAIR, COMMAND_LINE, 1.0)
    assert await process.answer(claim) == FIRST
    await process.controller.look()
    assert await process.answer(claim) == PAIR
    await service.stop(COMMAND_LINE)
    await process.controller.look()
    assert await process.answer(claim) == FIRST


async def test_a_new_process_knows_the_canary_before_its_first_run(
    process: Process, service: CandidateService, store: Store, account: Account
) -> None:
    await service.start(PAIR, COMMAND_LINE, 1.0)
    assert await process.answer(await queue_new(store, account.id)) == PAIR


async def test_runs_are_recorded_in_both_arms(
    process: Process, service: CandidateService, store: Store, account: Account
) -> None:
    canary = await service.start(PAIR, COMMAND_LINE, 0.5)
    claims = [await queue_new(store, account.id) for _ in range(20)]
    process.pairs.broken = {PAIR}
    asked = [await process.answer(claim) for claim in claims]
    await process.watch.finish()
    runs = {run.invoice_id: run for run in await store.canaries.runs(canary.id, 100)}
    assert len(runs) == 20
    for claim, pair in zip(claims, asked, strict=True):
        run = runs[claim.invoice.id]
        assert (run.arm, run.failed) == ((Arm.CANDIDATE, True) if pair == PAIR else (Arm.CONTROL, False))
        assert run.seconds == 0.5


async def test_what_a_pin_decided_is_no_run_of_the_canary(
    process: Process, service: CandidateService, store: Store, account: Account
) -> None:
    canary = await service.start(PAIR, COMMAND_LINE, 1.0)
    claim = await queue_new(store, account.id)
    await process.controller.look()
    process.watch.answered(claim, document_of(claim), FIRST, await process.pairs.interpret(document_of(claim)))
    process.watch.failed(claim, "other")
    await process.watch.finish()
    assert await store.canaries.runs(canary.id, 10) == []


async def test_the_other_pair_reads_along(
    service: CandidateService, store: Store, account: Account, mailer: FakeMailer, clock: Clock
) -> None:
    process = Process(store, mailer, clock, Shadow(pair=PAIR))
    offered: list[tuple[str, str, object]] = []
    process.shadow.offer = lambda request: offered.append((request.answer.pair, request.other, request.canary_id))  # type: ignore[method-assign]
    claim = await queue_new(store, account.id)
    await process.answer(claim)
    canary = await service.start(PAIR, COMMAND_LINE, 1.0, frozenset({account.id}))
    await process.controller.look()
    await process.answer(claim)
    process.pairs.broken = {PAIR}
    await process.answer(claim)
    assert offered == [(FIRST, PAIR, None), (PAIR, FIRST, canary.id)]


async def test_evidence_rolls_a_canary_back_and_operators_are_notified(
    process: Process, service: CandidateService, store: Store, account: Account, mailer: FakeMailer
) -> None:
    await add_person(store, "op@example.com", is_operator=True)
    canary = await service.start(PAIR, COMMAND_LINE, 1.0)
    await compare(store, account, canary, *[Signs(-1, 0, 0)] * 8)
    await process.controller.look()
    present = await store.canaries.present()
    assert present == canary
    await compare(store, account, canary, Signs(-1, 0, 0))
    with installed_meter() as meter:
        await process.controller.look()
    assert meter.values["invoices_canary_rolled_back",] == 1
    assert meter.values["invoices_canary_share_ratio",] == 0
    present = await store.canaries.present()
    assert present is not None
    assert present.state is CanaryState.ROLLED_BACK
    assert present.evidence["agreement"] >= ALARM
    assert await process.answer(await queue_new(store, account.id)) == FIRST
    (mail,) = mailer.messages
    assert "agree on fewer fields" in text_of(mail)
    assert (await store.audit.page(None, 1)).items[0].action == "canary.rolled_back"


async def test_two_processes_roll_back_once_and_mail_that_fails_changes_nothing(
    process: Process, service: CandidateService, store: Store, account: Account, mailer: FakeMailer, clock: Clock
) -> None:
    await add_person(store, "op@example.com", is_operator=True)
    mailer.refuses = True
    other = Process(store, mailer, clock)
    canary = await service.start(PAIR, COMMAND_LINE, 1.0)
    await compare(store, account, canary, *[Signs(-1, -1, -1)] * 9)
    await process.controller.look()
    # The other one has looked a moment before.
    await other.controller._decide(canary)
    actions = [entry.action for entry in (await store.audit.page(None, 10)).items]
    assert actions == ["canary.rolled_back", "canary.started"]
    # Somebody takes note of it, and the reason stays.
    stopped = await service.stop(COMMAND_LINE)
    assert (stopped.state, stopped.reason != "") == (CanaryState.STOPPED, True)


async def test_a_canary_grows_by_itself_if_it_may(
    process: Process, service: CandidateService, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serve_app.services.candidates.canary_controller.STEP_DOCUMENTS", 2)
    canary = await service.start(PAIR, COMMAND_LINE, 0.5, steps_itself=True)
    await compare(store, account, canary, *[Signs(0, 0, 0)] * 90)
    await process.controller.look()
    assert (await store.canaries.present()) == canary
    while len([run for run in await store.canaries.runs(canary.id, 99) if run.arm is Arm.CANDIDATE]) < 2:
        await process.answer(await queue_new(store, account.id))
        await process.watch._notes.flush()
    await process.controller.look()
    present = await store.canaries.present()
    assert present is not None
    assert present.share == 1.0


async def test_what_makes_no_sense_is_refused(service: CandidateService) -> None:
    for wrong in (service.start(FIRST, COMMAND_LINE), service.start(PAIR, COMMAND_LINE, 0.0)):
        with pytest.raises(InvalidParameter):
            await wrong
    for none in (service.step(COMMAND_LINE), service.stop(COMMAND_LINE)):
        with pytest.raises(InvalidParameter):
            await none
    await service.start(PAIR, COMMAND_LINE, 0.5)
    with pytest.raises(InvalidParameter, match="is running"):
        await service.start("newer", COMMAND_LINE)
    assert (await service.step(COMMAND_LINE)).share == 1.0
    with pytest.raises(InvalidParameter, match="already answers all documents"):
        await service.step(COMMAND_LINE)
    assert (await service.step(COMMAND_LINE, 0.25)).share == 0.25
    await service.stop(COMMAND_LINE)
    with pytest.raises(InvalidParameter, match="no canary"):
        await service.stop(COMMAND_LINE)


async def test_a_candidate_that_is_worse_gets_no_larger_share(
    service: CandidateService, store: Store, account: Account
) -> None:
    canary = await service.start(PAIR, COMMAND_LINE, 0.1)
    await compare(store, account, canary, *[Signs(0, -1, 0)] * 9)
    with pytest.raises(InvalidParameter, match=r"about to be rolled back.*\(high\)"):
        await service.step(COMMAND_LINE)
    assert (await service.step(COMMAND_LINE, 0.01)).share == 0.01


async def test_nobody_else_has_changed_it(
    service: CandidateService, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = await service.start(PAIR, COMMAND_LINE, 0.5)

    async def stale() -> Canary:
        return canary

    await service.step(COMMAND_LINE)
    monkeypatch.setattr(store.canaries, "present", stale)
    with pytest.raises(InvalidParameter, match="Somebody else has changed"):
        await service.step(COMMAND_LINE)
