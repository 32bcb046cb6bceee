"""Taking mail by SMTP and LMTP, for as long as a command runs."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from serve_app.commands.errors import CommandError
from serve_app.commands.side_thread import running_in_thread

if TYPE_CHECKING:
    from serve_app.mail.listener.server import Place
    from serve_app.settings import Settings


@contextlib.asynccontextmanager
async def listening(settings: "Settings") -> AsyncIterator[list[str]]:
    """Take mail; yields where, as people read it. Raises CommandError if a place is not to be had, UserError for
    settings that cannot be used."""
    from serve_app.store.factory import open_files, open_store
    from serve_app.wiring.files import claim_files
    from serve_app.wiring.mail_listener import build_mail_listener, mail_places
    from serve_app.wiring.mailboxes import build_mailbox_readings
    from serve_app.wiring.mailroom import build_mailroom

    places = mail_places(settings)
    await claim_files(settings)
    store, files = open_store(settings), open_files(settings)
    readings = build_mailbox_readings(store, files, settings)
    listener = build_mail_listener(build_mailroom(store, files, settings).reception, settings)
    running: list[asyncio.Task[None]] = []
    try:
        try:
            ports = await listener.start(places)
        except OSError as error:
            raise CommandError(f"cannot accept mail at {_named(places)}: {error.strerror}") from error
        where = [f"{place.way} at {place.host}:{port}" for place, port in zip(places, ports, strict=True)]
        running = [asyncio.create_task(reading.run()) for reading in readings]
        if readings:
            where.append("from a mailbox" if len(readings) == 1 else f"from {len(readings)} mailboxes")
        yield where
    finally:
        for reading in readings:
            reading.stop()
        await asyncio.gather(*running)
        await listener.close()
        await store.connection.close()
        await files.close()


def _named(places: "Sequence[Place]") -> str:
    return ", ".join(f"{place.host}:{place.port}" for place in places)


def listening_in_thread(settings: "Settings") -> contextlib.AbstractContextManager[list[str]]:
    """The same beside a command that waits."""
    return running_in_thread("mail", lambda: listening(settings))
