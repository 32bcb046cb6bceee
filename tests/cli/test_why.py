"""`invoices why` says at which stage a document failed, why, and what to do."""

import json
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from serve_app.commands.diagnosis import from_lines, from_store
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Failure, FailureCode, Status
from serve_app.domain.webhook import Attempt, Delivery, DeliveryState
from serve_app.store.base import Store
from tests.cli.command_line import UNKNOWN, Fails, attempt, run
from tests.support import NOON, claim_next, make_record, queue_invoice

ENCRYPTED = Failure(code=FailureCode.DOCUMENT_ENCRYPTED, message="The PDF is protected with a password.")


def queued(account: str) -> str:
    """The id of a document that waits."""
    record = make_record(UUID(account))
    run_on_store(checked_settings(), lambda store: queue_invoice(store, record))
    return str(record.invoice.id)


def end(failure: Failure | None) -> None:
    """End the run of the waiting document."""

    async def work(store: Store) -> None:
        claim = await claim_next(store)
        if failure is None:
            await store.queue.save_result(claim, Extraction(), NOON)
        else:
            await store.queue.fail(claim, failure, NOON)

    run_on_store(checked_settings(), work)


def test_a_failed_document_is_explained_from_the_store(account: str) -> None:
    invoice = queued(account)
    assert run("why", invoice).splitlines()[0] == "stage: queue"
    end(ENCRYPTED)
    assert run("why", invoice).splitlines() == [
        "stage: read",
        "cause: The PDF is protected with a password. (document_encrypted)",
        "do:    ask the sender for the document without a password",
    ]


def test_a_document_that_was_read_has_not_failed(account: str) -> None:
    invoice = queued(account)
    end(None)
    assert run("why", invoice).startswith("Nothing failed")


def test_logs_say_more_than_the_store(account: str) -> None:
    line = {"message": "run broke", "invoice_id": UNKNOWN, "step": "save", "exception": "Traceback\nKeyError: 'x'"}
    done = attempt("why", UNKNOWN, "-", answer=json.dumps(line) + "\n")
    assert done.stdout.splitlines()[:2] == ["stage: save", "cause: KeyError: 'x'"]


def test_what_nobody_knows_is_an_error(account: str, fails: Fails) -> None:
    assert "there is no invoice" in fails("why", UNKNOWN)
    assert "not the id of an invoice" in fails("why", "request-1")


def test_no_database_is_made(fails: Fails) -> None:
    assert "there is no database" in fails("why", UNKNOWN)


@pytest.mark.parametrize(
    ("message", "stage"),
    [("answered", "intake"), ("not available: StoreUnreachable()", "intake"), ("request failed", "intake")],
)
def test_a_refused_call_failed_at_intake(message: str, stage: str) -> None:
    found = from_lines([{"message": message, "status": 415, "code": "unsupported_file_type"}])
    assert found is not None
    assert found.stage == stage


def test_a_run_that_left_no_line_was_killed() -> None:
    lines = [{"message": "run started"}, {"message": "run failed", "code": "extraction_interrupted", "reason": "-"}]
    found = from_lines(lines)
    assert found is not None
    assert "killed" in found.cause


def test_a_delivery_that_fails_is_named_after_a_good_run() -> None:
    record = make_record(new_id())
    done = record.invoice.model_copy(update={"status": Status.COMPLETE})
    delivery = Delivery(
        new_id(), record.account_id, new_id(), "evt_1", EventType.COMPLETED, NOON,
        attempts=(Attempt(NOON, 0.1, None, "the name is not known"),), state=DeliveryState.ABANDONED,
    )  # fmt: skip
    found = from_store(replace(record, invoice=done), [delivery], NOON + timedelta(hours=1))
    assert found is not None
    assert (found.stage, found.cause) == ("delivery", "the endpoint was not reached: the name is not known")
