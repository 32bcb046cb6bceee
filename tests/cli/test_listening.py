"""Mail is taken for as long as a command runs."""

import asyncio
import os
import signal
import smtplib
import subprocess
import sys
from pathlib import Path

import pytest

from serve_app.commands.errors import CommandError
from serve_app.commands.listening import listening_in_thread
from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import InboundMail, Way
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.support import NOON
from tests.support.inbound import PLAIN, add_address
from tests.support.ports import free_port


async def known_address(store: Store) -> str:
    account = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(account)
    return (await add_address(store, account.id)).local


async def kept(store: Store, local: str) -> list[InboundMail]:
    address = await store.mail_addresses.find(local)
    assert address is not None
    return await store.mails.of_account(address.account_id, 10)


async def test_a_command_that_waits_takes_mail_beside_it(store: Store, settings: Settings) -> None:
    local = await known_address(store)
    port = free_port()
    listening = settings.model_copy(update={"mail_smtp": f"127.0.0.1:{port}", "mail_lmtp": "127.0.0.1:0"})

    def send() -> list[str]:
        with listening_in_thread(listening) as where:
            with smtplib.SMTP("127.0.0.1", port) as client:
                client.sendmail("anna@example.com", [local], PLAIN)
            with pytest.raises(CommandError, match=str(port)), listening_in_thread(listening):
                pass
            return where

    where = await asyncio.to_thread(send)
    assert where[0] == f"smtp at 127.0.0.1:{port}"
    assert where[1].startswith("lmtp at 127.0.0.1:")
    (mail,) = await kept(store, local)
    assert mail.envelope.way is Way.SMTP
    with pytest.raises(OSError, match="refused"):
        smtplib.SMTP("127.0.0.1", port)


async def test_the_listener_is_a_process_that_ends_on_request(store: Store, settings: Settings, tmp_path: Path) -> None:
    local = await known_address(store)
    environment = os.environ | {
        "DATABASE_URL": settings.database_url,
        "FILES_URL": str(settings.files_url),
        "MAIL_SMTP": "127.0.0.1:0",
        "HOME": str(tmp_path),
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from serve_app.commands.cli import main; main()", "mail"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert process.stdout is not None
    async with asyncio.timeout(60):
        said = (await process.stdout.readline()).decode()
        port = int(said.partition(" (")[0].rpartition(":")[2])
        with await asyncio.to_thread(smtplib.SMTP, "127.0.0.1", port) as client:
            await asyncio.to_thread(client.sendmail, "anna@example.com", [local], PLAIN)
        process.send_signal(signal.SIGTERM)
        rest, _ = await process.communicate()
    assert rest == b"Stopped.\n"
    assert process.returncode == 0
    assert len(await kept(store, local)) == 1


STOPPED_AT_START = """
import os, signal, threading
from contextlib import asynccontextmanager

from serve_app.commands import listening

@asynccontextmanager
async def interrupted(settings):
    os.kill(os.getpid(), signal.SIGINT)
    yield ["here"]

listening.listening = interrupted
# A shell's background jobs ignore the signal, and what they start does, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    with listening.listening_in_thread(None):
        threading.Event().wait(30)
except KeyboardInterrupt:
    # The thread that waited for the end ends by itself.
    for thread in set(threading.enumerate()) - {threading.main_thread()}:
        thread.join(10)
    print(*(thread.name for thread in threading.enumerate()))
"""


def test_stopping_while_the_listener_starts_leaves_no_thread_behind(tmp_path: Path) -> None:
    # In a process of its own: a signal that comes a moment late would end the tests.
    ended = subprocess.run(
        (sys.executable, "-c", STOPPED_AT_START),
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert (ended.returncode, ended.stdout) == (0, "MainThread\n"), ended.stderr
