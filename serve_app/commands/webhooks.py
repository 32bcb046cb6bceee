"""`invoices webhook`: management of webhook endpoints. The commands need no running service."""

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import record
from serve_app.commands.erase import YesOption
from serve_app.commands.errors import CommandError
from serve_app.commands.terminal import say
from serve_app.commands.webhook_log import log_app
from serve_app.commands.webhook_pairs import pair_app, say_keys
from serve_app.commands.webhook_store import EndpointArgument, Key, change_endpoint, shown, with_webhooks
from serve_app.domain.event import EventType
from serve_app.domain.webhook import PauseReason, WebhookEndpoint
from serve_app.services.webhooks.secrets import SealedElsewhere

if TYPE_CHECKING:
    from serve_app.services.webhooks.bundle import Webhooks
    from serve_app.store.base import Store

webhook_app = typer.Typer(no_args_is_help=True, help="Webhook endpoints and the deliveries to them.")

UrlArgument = Annotated[str, typer.Argument(metavar="URL", help="A public https address.")]

_ENDS_OF_RUNS = "ends of runs"
_WHY = {
    PauseReason.BY_HAND: "by hand",
    PauseReason.GONE: "it answered 410",
    PauseReason.FAILING: "it failed for days",
}


@webhook_app.command("register")
def register(
    account: AccountArgument,
    url: UrlArgument,
    types: Annotated[
        list[EventType] | None,
        typer.Option("--type", help="Only these events; can be repeated (default: the ends of all runs)."),
    ] = None,
    description: Annotated[str, typer.Option(help="Its purpose.")] = "",
) -> None:
    """Register an endpoint, and print its id and the secret for its receiver."""

    async def work(store: "Store", webhooks: "Webhooks") -> tuple[WebhookEndpoint, str]:
        made, secret = await webhooks.endpoints.register(account, url, types or (), description)
        await record(store, account, "webhook.registered", str(made.id), description=description or None)
        return made, secret

    endpoint, secret = with_webhooks(work, Key.MAY_BE_MADE)
    say(f"endpoint  {endpoint.id}")
    say(f"secret    {secret}")


@webhook_app.command("list")
def list_endpoints(account: AccountArgument) -> None:
    """List an account's endpoints, oldest first."""
    for endpoint in with_webhooks(lambda _, webhooks: webhooks.endpoints.list(account)):
        state = "active" if endpoint.is_active else "paused"
        say(f"{endpoint.id}  {state}  {_types(endpoint):<17}  {endpoint.url}  {endpoint.description}".rstrip())


@webhook_app.command("show")
def show(account: AccountArgument, endpoint: EndpointArgument) -> None:
    """Show an endpoint."""
    _show(with_webhooks(lambda _, webhooks: webhooks.endpoints.get(account, endpoint)))


@webhook_app.command("pause")
def pause(account: AccountArgument, endpoint: EndpointArgument) -> None:
    """Pause an endpoint; pending deliveries are abandoned."""
    _show(change_endpoint(account, endpoint, "webhook.paused", lambda endpoints: endpoints.pause(account, endpoint)))


@webhook_app.command("resume")
def resume(account: AccountArgument, endpoint: EndpointArgument) -> None:
    """Resume an endpoint for new events; see also: invoices webhook redeliver."""
    _show(change_endpoint(account, endpoint, "webhook.resumed", lambda endpoints: endpoints.resume(account, endpoint)))


@webhook_app.command("delete")
def delete(account: AccountArgument, endpoint: EndpointArgument, yes: YesOption = False) -> None:
    """Delete an endpoint permanently, with its delivery log."""
    if not yes:
        _ask(account, endpoint)
    change_endpoint(account, endpoint, "webhook.deleted", lambda endpoints: endpoints.delete(account, endpoint))
    say(f"deleted   {endpoint}")


@webhook_app.command("rotate")
def rotate(
    account: AccountArgument,
    endpoint: EndpointArgument,
    lost_key: Annotated[
        bool, typer.Option("--lost-key", help="Drop secrets encrypted with a permanently lost key.")
    ] = False,
) -> None:
    """Create a new secret for an endpoint and print it; the old one also signs for another 24 hours."""
    try:
        made = change_endpoint(
            account,
            endpoint,
            "webhook.secret_rotated",
            lambda endpoints: endpoints.rotate_secret(account, endpoint, lost_key=lost_key),
            Key.NEEDED,
        )
    except SealedElsewhere as error:
        raise CommandError(f"{error}; set the right ENCRYPTION_KEY, or use --lost-key if it is lost") from None
    say(f"secret    {made}")


@webhook_app.command("secret")
def secret(account: AccountArgument, endpoint: EndpointArgument) -> None:
    """Print the current secret of an endpoint."""
    shown_secret = change_endpoint(
        account, endpoint, "webhook.secret_shown", lambda endpoints: endpoints.reveal_secret(account, endpoint)
    )
    say(f"secret    {shown_secret}")


@webhook_app.command("types")
def choose_types(
    account: AccountArgument,
    endpoint: EndpointArgument,
    types: Annotated[
        list[EventType] | None, typer.Argument(metavar="[TYPE]...", help="None: the ends of all runs.")
    ] = None,
) -> None:
    """Choose the events that an endpoint receives."""
    _show(
        change_endpoint(
            account,
            endpoint,
            "webhook.changed",
            lambda endpoints: endpoints.choose_types(account, endpoint, types or ()),
            types=", ".join(types or ()) or _ENDS_OF_RUNS,
        )
    )


@webhook_app.command("url")
def change_url(account: AccountArgument, endpoint: EndpointArgument, url: UrlArgument) -> None:
    """Change the URL of an endpoint."""
    _show(
        change_endpoint(
            account,
            endpoint,
            "webhook.changed",
            lambda endpoints: endpoints.change_url(account, endpoint, url),
            changed="url",
        )
    )


@webhook_app.command("describe")
def describe(
    account: AccountArgument,
    endpoint: EndpointArgument,
    description: Annotated[str, typer.Argument(metavar="TEXT", help="Its purpose.")],
) -> None:
    """Set the description of an endpoint."""
    _show(
        change_endpoint(
            account,
            endpoint,
            "webhook.changed",
            lambda endpoints: endpoints.describe(account, endpoint, description),
            description=description,
        )
    )


def _ask(account: UUID, endpoint: UUID) -> None:
    """Abort the command unless the user confirms."""
    found = with_webhooks(lambda _, webhooks: webhooks.endpoints.get(account, endpoint))
    say(f"This deletes the webhook endpoint {found.id} ({found.url}) and its delivery log.")
    typer.confirm("It cannot be undone. Delete?", abort=True)


def _show(endpoint: WebhookEndpoint) -> None:
    say(f"endpoint     {endpoint.id}")
    say(f"URL          {endpoint.url}")
    say(f"events       {_types(endpoint)}")
    say(f"state        {_state(endpoint)}")
    if endpoint.failing_since:
        say(f"failing      since {shown(endpoint.failing_since)}")
    for old in endpoint.secrets[1:]:
        if old.expires_at:
            say(f"old secret   signs until {shown(old.expires_at)}")
    say_keys(endpoint)
    say(f"registered   {shown(endpoint.created_at)}")
    if endpoint.description:
        say(f"description  {endpoint.description}")


def _state(endpoint: WebhookEndpoint) -> str:
    return "active" if endpoint.paused_reason is None else f"paused: {_WHY[endpoint.paused_reason]}"


def _types(endpoint: WebhookEndpoint) -> str:
    return ", ".join(endpoint.types) or _ENDS_OF_RUNS


webhook_app.add_typer(pair_app)
webhook_app.add_typer(log_app)
