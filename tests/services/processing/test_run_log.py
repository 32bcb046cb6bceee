"""What a run tells about itself."""

import logging

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import DocumentError, StoreUnreachable
from serve_app.domain.invoice import FailureCode
from serve_app.services.ports import TransientError
from serve_app.services.processing.retry import with_retries
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from tests.services.processing.bench import Bench, failing
from tests.support import LEASE, Clock
from tests.support.meters import FakeMeter, installed_meter

STAGES = {"fetch", "read", "ocr", "wait", "extract", "verify", "reconcile", "save"}


@pytest.fixture
async def bench(store: Store, files: Files, account: Account, settings: Settings, clock: Clock) -> Bench:
    bench = Bench(store, files, account, settings, clock)
    await bench.submit()
    clock.advance(7)
    return bench


def ends(recorded: FakeMeter) -> dict[str, float]:
    return {key[1]: number for key, number in recorded.counts.items() if key[0] == "invoices_runs_total"}


async def test_a_run_with_a_result(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    with installed_meter() as meter, caplog.at_level(logging.INFO, "serve_app"):
        await bench.run()
    assert ends(meter) == {"completed": 1}
    assert meter.seen["invoices_start_seconds",] == meter.seen["invoices_finish_seconds",] == [7]
    assert len(meter.seen["invoices_stage_seconds", "save"]) == 1
    seconds = caplog.records[-1].__dict__["seconds"]
    assert caplog.records[-1].message == "run finished"
    assert seconds.keys() == STAGES | {"all"}
    assert seconds["all"] == 7


async def test_a_document_that_cannot_be_read(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.reader.before = failing(DocumentError(FailureCode.DOCUMENT_ENCRYPTED, "It needs a password."))
    with installed_meter() as meter, caplog.at_level(logging.INFO, "serve_app"):
        await bench.run()
    assert ends(meter) == {"failed": 1}
    line = caplog.records[-1].__dict__
    assert (line["code"], line["reason"], line["seconds"]["all"]) == ("document_encrypted", "It needs a password.", 7)


async def test_runs_that_give_up_their_claim_or_their_document(bench: Bench) -> None:
    bench.reader.before = failing(*[TransientError("gone")] * 2, RuntimeError(), RuntimeError(), RuntimeError())
    with installed_meter() as meter:
        for _ in range(5):
            await bench.run(retry_seconds=0)
            bench.clock.advance(700)
    assert ends(meter) == {"out_of_reach": 2, "crashed": 2, "quarantined": 1}


async def test_a_run_whose_lease_was_lost(bench: Bench) -> None:
    async def lose() -> None:
        bench.clock.advance(LEASE.total_seconds() + 1)
        await bench.store.queue.repair()

    bench.reconciler.before = lose
    with installed_meter() as meter:
        await bench.run()
    assert ends(meter) == {"lease_lost": 1}
    assert meter.counts["invoices_lost_claims_total",] == 1


async def test_what_is_tried_again_is_counted_by_what_it_needs() -> None:
    with installed_meter() as meter:
        await with_retries(failing(StoreUnreachable()), 5, "store", on=StoreUnreachable)
    assert meter.counts == {("invoices_retries_total", "store"): 1}
