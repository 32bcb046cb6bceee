"""`invoices webhook`: key pairs, with which webhooks are signed beside the secret."""

from typing import TYPE_CHECKING

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.terminal import say
from serve_app.commands.webhook_store import EndpointArgument, Key, change_endpoint, shown

if TYPE_CHECKING:
    from serve_app.domain.webhook import WebhookEndpoint

pair_app = typer.Typer()


@pair_app.command("add-key")
def add_key(account: AccountArgument, endpoint: EndpointArgument) -> None:
    """Also sign with a key pair, and print its public key for receivers."""
    say_keys(
        change_endpoint(
            account,
            endpoint,
            "webhook.key_added",
            lambda endpoints: endpoints.sign_with_key(account, endpoint),
            Key.NEEDED,
        )
    )


@pair_app.command("rotate-key")
def rotate_key(account: AccountArgument, endpoint: EndpointArgument) -> None:
    """Create a new key pair and print its public key; the old one also signs for another 24 hours."""
    say_keys(
        change_endpoint(
            account,
            endpoint,
            "webhook.key_rotated",
            lambda endpoints: endpoints.rotate_key(account, endpoint),
            Key.NEEDED,
        )
    )


@pair_app.command("remove-key")
def remove_key(account: AccountArgument, endpoint: EndpointArgument) -> None:
    """Stop signing with a key pair immediately."""
    change_endpoint(
        account, endpoint, "webhook.key_removed", lambda endpoints: endpoints.sign_without_key(account, endpoint)
    )
    say("signs only with its secret")


def say_keys(endpoint: "WebhookEndpoint") -> None:
    """Print the public keys, the current one first."""
    for key in endpoint.signing_keys:
        until = f"  signs until {shown(key.expires_at)}" if key.expires_at else ""
        say(f"public key   {key.public_key}{until}")
