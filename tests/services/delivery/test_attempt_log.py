"""What attempts tell about themselves."""

from dataclasses import replace

from serve_app.domain.invoice import Extraction
from tests.services.delivery.conftest import URL, Webhooks
from tests.services.delivery.receivers import BROKEN, HUNG, NOT_FOUND, OK
from tests.support import NOON, claim_next, make_record, newest_events, queue_invoice
from tests.support.json_logs import collected_logs, diagnosed
from tests.support.meters import CALLER, installed_meter, installed_tracer


async def test_attempts_are_counted_by_what_came_of_them(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN, NOT_FOUND, HUNG, OK]
    await webhooks.emit()
    webhooks.clock.advance(3)
    with installed_meter() as meter:
        for seconds in (2, 300, 1800, 7200):
            await webhooks.deliver()
            # A delay may be a tenth longer.
            webhooks.clock.advance(1.1 * seconds)
    outcomes = {key[1]: number for key, number in meter.counts.items()}
    assert outcomes == {"failed": 1, "refused": 1, "unanswered": 1, "delivered": 1}
    # Only the first attempt shows how late deliveries are.
    assert meter.seen["invoices_webhook_lag_seconds",] == [3]


async def test_every_attempt_is_in_the_documents_trace(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN, OK]
    await queue_invoice(webhooks.store, replace(make_record(webhooks.account.id), trace=CALLER))
    await webhooks.store.queue.save_result(await claim_next(webhooks.store), Extraction(), NOON)
    await newest_events(webhooks.store, webhooks.account.id)
    with installed_tracer() as traced:
        await webhooks.deliver()
        webhooks.clock.advance(2)
        await webhooks.deliver()
    assert [(span.name, span.parent) for span in traced.spans] == [("deliver", CALLER)] * 2


async def test_what_does_not_arrive_is_found_from_the_id_of_its_invoice(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN]
    await webhooks.emit()
    (event,) = await newest_events(webhooks.store, webhooks.account.id)
    with collected_logs() as logs:
        await webhooks.deliver()
    diagnosis = diagnosed(str(event.data.invoice.id), logs)
    assert diagnosis is not None
    assert (diagnosis.stage, diagnosis.cause) == ("delivery", "the endpoint answered 500")
