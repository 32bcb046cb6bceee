"""From the id of a document, logs alone give the stage at which it failed, the cause and what to do."""

import pytest

from serve_app.commands.diagnosis import Diagnosis
from serve_app.domain.account import Account
from serve_app.domain.errors import DocumentError, StoreUnreachable
from serve_app.domain.invoice import FailureCode
from serve_app.domain.packed import PackedPages
from serve_app.domain.reading import Reading
from serve_app.services.ports import TransientError
from serve_app.services.processing.dispatch import Dispatcher
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from tests.services.processing.bench import Bench, failing
from tests.support import Clock
from tests.support.json_logs import collected_logs, diagnosed


@pytest.fixture
async def bench(store: Store, files: Files, account: Account, settings: Settings, clock: Clock) -> Bench:
    bench = Bench(store, files, account, settings, clock)
    await bench.submit()
    return bench


async def found(bench: Bench, runs: int = 1) -> Diagnosis:
    """What the logs of these runs say."""
    with collected_logs() as logs:
        for _ in range(runs):
            claim = await bench.run(retry_seconds=0)
            bench.clock.advance(700)
    diagnosis = diagnosed(str(claim.invoice.id), logs)
    assert diagnosis is not None
    return diagnosis


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (FailureCode.DOCUMENT_UNREADABLE, "The HTML cannot be laid out."),
        (FailureCode.DOCUMENT_ENCRYPTED, "The PDF is protected with a password."),
        (FailureCode.NO_TEXT_FOUND, "The document contains no readable text."),
    ],
    ids=["rendering", "text", "ocr"],
)
async def test_reading(bench: Bench, code: FailureCode, message: str) -> None:
    bench.reader.before = failing(DocumentError(code, message))
    diagnosis = await found(bench)
    assert (diagnosis.stage, diagnosis.cause) == ("read", f"{message} ({code})")
    assert "ask the sender" in diagnosis.action


async def test_a_model_out_of_reach(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(pages: list[PackedPages]) -> Reading:
        raise TransientError("no answer in 300 s")

    monkeypatch.setattr(bench.verifier, "read", lost)
    diagnosis = await found(bench)
    assert (diagnosis.stage, diagnosis.cause) == ("interpret", "out of reach: model to verify: no answer in 300 s")


async def test_extraction_that_breaks(bench: Bench) -> None:
    bench.reconciler.before = failing(ValueError("no such column"))
    diagnosis = await found(bench)
    assert (diagnosis.stage, diagnosis.cause) == ("interpret", "ValueError: no such column")


async def test_extraction_that_breaks_until_it_is_given_up(bench: Bench) -> None:
    bench.reconciler.before = failing(*[ValueError("no such column")] * 3)
    diagnosis = await found(bench, runs=3)
    assert (diagnosis.stage, diagnosis.cause) == ("interpret", "ValueError: no such column")
    assert "/extract" in diagnosis.action


async def test_extraction_that_takes_too_long(bench: Bench) -> None:
    too_long = DocumentError(FailureCode.DOCUMENT_TOO_LARGE, "The extraction took longer than 60 seconds.")
    bench.reconciler.before = failing(too_long)
    assert (await found(bench)).stage == "interpret"


async def test_storing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object) -> None:
        raise StoreUnreachable

    monkeypatch.setattr(bench.store.queue, "save_result", refuse)
    claim = await bench.claim()
    assert claim is not None
    with collected_logs() as logs:
        await Dispatcher(bench.store, bench.process(retry_seconds=0).run, bench.settings)._run_one(claim)
    diagnosis = diagnosed(str(claim.invoice.id), logs)
    assert diagnosis is not None
    assert diagnosis.stage == "save"
    assert "doctor" in diagnosis.action


async def test_nothing_failed(bench: Bench) -> None:
    with collected_logs() as logs:
        claim = await bench.run()
    assert diagnosed(str(claim.invoice.id), logs) is None
