"""`invoices webhook`: the delivery log, test events, redelivery."""

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import record
from serve_app.commands.errors import CommandError
from serve_app.commands.terminal import complain, say
from serve_app.commands.webhook_store import EndpointArgument, moment_of, shown, with_webhooks
from serve_app.domain.event import EventType
from serve_app.domain.plain_text import one_line, shortened
from serve_app.domain.query import DeliveryQuery, ListPage
from serve_app.domain.webhook import Attempt, Delivery, DeliveryState

if TYPE_CHECKING:
    from serve_app.services.webhooks.bundle import Webhooks
    from serve_app.store.base import Store

_BODY_LENGTH = 200

log_app = typer.Typer()

When = Annotated[str | None, typer.Option(metavar="WHEN", help="A date or time, such as 2026-05-17T12:30Z.")]
EndpointOption = Annotated[UUID | None, typer.Option("--endpoint", metavar="ENDPOINT", help="Only for this endpoint.")]


@log_app.command("test")
def send_test_event(
    account: AccountArgument,
    endpoint: EndpointArgument,
    type: Annotated[EventType | None, typer.Option(help="(default: the first one the endpoint receives)")] = None,
) -> None:
    """Send a test event about a sample invoice to an endpoint. It needs the running service."""

    async def work(store: "Store", webhooks: "Webhooks") -> Delivery:
        sent = await webhooks.sample_events.send(account, endpoint, type)
        await record(store, account, "webhook.tested", str(endpoint), type=sent.event_type)
        return sent

    delivery = with_webhooks(work)
    say(f"event     {delivery.event_id}")
    say(f"delivery  {delivery.id}")


@log_app.command("deliveries")
def list_deliveries(
    account: AccountArgument,
    endpoint: EndpointOption = None,
    event: Annotated[str | None, typer.Option("--event", metavar="EVENT", help="Only for this event.")] = None,
    state: Annotated[DeliveryState | None, typer.Option(help="Only in this state.")] = None,
    after: When = None,
    before: When = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Maximum number of entries.")] = 25,
    starting_after: Annotated[
        UUID | None,
        typer.Option(metavar="DELIVERY", help="Continue after this entry, the last one of the previous page."),
    ] = None,
) -> None:
    """List an account's deliveries, newest first."""
    query = DeliveryQuery(
        endpoint_id=endpoint,
        event_id=event,
        state=state,
        created_after=None if after is None else moment_of(after),
        created_before=None if before is None else moment_of(before),
    )

    async def listed(_: "Store", webhooks: "Webhooks") -> ListPage[Delivery]:
        await webhooks.endpoints.list(account)
        return await webhooks.deliveries.page(account, query, limit, starting_after)

    page = with_webhooks(listed)
    for delivery in page.items:
        say(_line(delivery))
    if page.has_more:
        complain(f"There are more: --starting-after {page.items[-1].id}")


@log_app.command("delivery")
def show_delivery(
    account: AccountArgument,
    delivery: Annotated[
        UUID, typer.Argument(metavar="DELIVERY", help="The delivery's id, see: invoices webhook deliveries.")
    ],
) -> None:
    """Show a delivery with all its attempts."""
    found = with_webhooks(lambda _, webhooks: webhooks.deliveries.get(account, delivery))
    say(f"delivery  {found.id}")
    say(f"event     {found.event_id}  {found.event_type}  {shown(found.created_at)}")
    say(f"endpoint  {found.endpoint_id}")
    say(f"state     {_state(found)}")
    for number, attempt in enumerate(found.attempts, 1):
        say(f"{number:>3}  {shown(attempt.at)}  {attempt.seconds:6.3f} s  {_outcome(attempt)}")
        if attempt.body:
            say(f"     {shortened(one_line(attempt.body), _BODY_LENGTH)}")


@log_app.command("redeliver")
def redeliver(
    account: AccountArgument,
    delivery: Annotated[UUID | None, typer.Argument(metavar="[DELIVERY]", help="One delivery, in any state.")] = None,
    failed_since: Annotated[
        str | None, typer.Option(metavar="WHEN", help="All abandoned deliveries of events since this time.")
    ] = None,
    endpoint: EndpointOption = None,
) -> None:
    """Redeliver one delivery or all abandoned ones immediately."""
    if delivery is not None and failed_since is None and endpoint is None:
        say(f"to be delivered: {with_webhooks(partial(_redeliver_one, account, delivery))}")
    elif delivery is None and failed_since is not None:
        since = moment_of(failed_since)
        say(f"to be delivered: {with_webhooks(partial(_redeliver_abandoned, account, since, endpoint))}")
    else:
        raise CommandError("give one delivery, or use --failed-since WHEN, optionally with --endpoint")


async def _redeliver_one(account: UUID, delivery: UUID, store: "Store", webhooks: "Webhooks") -> UUID:
    again = await webhooks.deliveries.redeliver(account, delivery)
    await record(store, account, "delivery.redelivered", str(again.id), event=again.event_id)
    return again.id


async def _redeliver_abandoned(
    account: UUID, since: datetime, endpoint: UUID | None, store: "Store", webhooks: "Webhooks"
) -> int:
    await webhooks.endpoints.list(account)
    count = await webhooks.deliveries.redeliver_abandoned(account, since, endpoint)
    details = {"since": since.isoformat(), "endpoint": endpoint}
    await record(store, account, "delivery.redelivered", f"{count} failed", **details)
    return count


def _line(delivery: Delivery) -> str:
    last = _outcome(delivery.attempts[-1]) if delivery.attempts else ""
    return (
        f"{delivery.id}  {shown(delivery.created_at)}  {delivery.event_type:<17}  {delivery.state:<9}"
        f"  {len(delivery.attempts)}  {delivery.event_id}  {last}"
    ).rstrip()


def _state(delivery: Delivery) -> str:
    if delivery.abandoned_reason:
        return f"{delivery.state}: {delivery.abandoned_reason.replace('_', ' ')}"
    if delivery.next_attempt_at and delivery.state is DeliveryState.PENDING:
        return f"{delivery.state}, next attempt {shown(delivery.next_attempt_at)}"
    return delivery.state


def _outcome(attempt: Attempt) -> str:
    """The attempt's outcome on one line. Responses are untrusted: nothing in them may control the terminal."""
    status = "no answer" if attempt.status is None else str(attempt.status)
    return f"{status}: {one_line(attempt.error)}" if attempt.error else status
