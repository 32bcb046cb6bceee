"""What happens to a document is one trace, whichever processes work on it."""

import json
import logging
from dataclasses import replace

import pytest

from serve_app.domain.account import Account
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.telemetry import tracer
from serve_app.telemetry.logs import JsonFormatter
from serve_app.telemetry.otlp import OtlpTracer
from tests.services.processing.bench import Bench
from tests.support import Clock, make_record, queue_invoice
from tests.support.meters import CALLER, installed_tracer
from tests.telemetry.sink import collecting

TRACE_ID = CALLER.split("-")[1]
OF_A_RUN = {"queue", "run", "reading", "extract", "verify", "reconcile", "save", "event"}


@pytest.fixture
def bench(store: Store, files: Files, account: Account, settings: Settings, clock: Clock) -> Bench:
    return Bench(store, files, account, settings, clock)


async def test_a_collector_gets_the_trace_that_the_row_carries(bench: Bench) -> None:
    record = replace(make_record(bench.account.id), trace=CALLER)
    with collecting() as sink:
        sending = OtlpTracer(sink.url, "Dispatcher")
        tracer.install(sending)
        try:
            await queue_invoice(bench.store, record)
            await bench.run()
        finally:
            tracer.install(None)
        sending.flush()
    assert sink.names(TRACE_ID) == OF_A_RUN
    spans = {span.name: span for span in sink.spans}
    assert spans["run"].parent_span_id.hex() == CALLER.split("-")[2]
    assert spans["save"].parent_span_id == spans["run"].span_id


async def test_the_next_run_goes_on_with_the_trace_of_a_run_that_was_lost(bench: Bench) -> None:
    await queue_invoice(bench.store, replace(make_record(bench.account.id), trace=CALLER))
    assert await bench.claim() is not None
    bench.clock.advance(100)
    await bench.store.queue.repair()
    with installed_tracer() as traced:
        await bench.run()
    assert {span.name for span in traced.spans} == OF_A_RUN
    assert {span.traceparent.split("-")[1] for span in traced.spans} == {TRACE_ID}


async def test_nothing_is_traced_unless_the_operator_wants_it(bench: Bench) -> None:
    with tracer.continued(CALLER), tracer.span("request"):
        assert tracer.traceparent() is None


def test_log_lines_name_the_trace() -> None:
    record = logging.makeLogRecord({"msg": "so"})
    with installed_tracer(), tracer.continued(CALLER):
        assert json.loads(JsonFormatter().format(record))["trace_id"] == TRACE_ID
    assert "trace_id" not in json.loads(JsonFormatter().format(record))


def test_an_error_ends_a_span_and_goes_on() -> None:
    error = ValueError("what a document says")
    with installed_tracer() as traced, pytest.raises(ValueError, match="document"), tracer.span("work"):
        raise error
    assert traced.named("work").error is error
    assert traced.named("work").has_ended


@pytest.mark.parametrize("place", ["", "00-" + "0" * 32 + "-b7ad6b7169203331-01", "01" + CALLER[2:], CALLER + "\n"])
def test_a_place_that_is_none_counts_for_nothing(place: str) -> None:
    assert tracer.valid(place) is None
    assert tracer.valid(CALLER) == CALLER
