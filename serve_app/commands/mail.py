"""`invoices mail`: taking invoices by e-mail."""

import asyncio
import signal
from typing import TYPE_CHECKING

import typer

from serve_app.commands.errors import CommandError
from serve_app.commands.mailroom import room_app
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.settings import Settings

mail_app = typer.Typer(
    help="Receive invoices by e-mail. Without a subcommand: accept mail by SMTP and LMTP until Ctrl-C."
)


@mail_app.callback(invoke_without_command=True)
def mail(context: typer.Context) -> None:
    """Accept mail at MAIL_SMTP and MAIL_LMTP, and read the mailboxes of IMAP_URL and IMAP_FILE. `invoices serve` does
    this, too."""
    from serve_app.commands.stores import checked_settings
    from serve_app.telemetry.logs import configure_logging

    if context.invoked_subcommand is None:
        settings = checked_settings()
        configure_logging(settings.log_level)
        asyncio.run(_take_mail(settings))


async def _take_mail(settings: "Settings") -> None:
    from serve_app.commands.listening import listening

    if not (settings.mail_smtp or settings.mail_lmtp or settings.imap_url or settings.imap_file):
        raise CommandError("none of MAIL_SMTP, MAIL_LMTP, IMAP_URL and IMAP_FILE is set")
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with listening(settings) as where:
        say(f"Accepting mail: {', '.join(where)} (stop with Ctrl-C)")
        await stopped.wait()
    say("Stopped.")


mail_app.add_typer(room_app)
