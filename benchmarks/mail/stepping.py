"""A mailroom in one process that kills itself between two steps, by chance."""

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from serve_app.documents.mail.open import open_mail
from serve_app.documents.mail.opened import OpenedMail, OpenRules
from serve_app.domain.inbound_mail import Decision, InboundMail, SenderDecision, Way
from serve_app.domain.mail_address import MailAddress
from serve_app.mail.listener.server import Place
from serve_app.settings import Settings
from serve_app.store.factory import open_files, open_store
from serve_app.wiring.mail_listener import build_mail_listener
from serve_app.wiring.mail_worker import build_mail_worker
from serve_app.wiring.mailroom import build_mailroom

CHANCE = 0.01


class Opener:
    """Takes mails apart in this process: what a child adds is tested elsewhere."""

    async def open(self, raw: bytes, rules: OpenRules) -> OpenedMail:
        return open_mail(raw, rules)


class Gate:
    """Admits everybody, without asking name servers."""

    async def decide(self, raw: bytes, mail: InboundMail, address: MailAddress, text: str) -> SenderDecision:
        return SenderDecision(Decision.ADMIT)


class Nobody:
    """There is no dispatcher."""

    async def wake(self) -> None:
        return


def settings_in(folder: Path) -> Settings:
    return Settings(
        database_url=f"sqlite:///{folder}/invoices.db",
        files_url=str(folder / "files"),
        mail_folder=str(folder / "mail"),
        lease_seconds=2,
        heartbeat_seconds=0.5,
        poll_seconds=0.05,
        fetch_seconds=1,
        reservation_seconds=5,
        housekeeping_seconds=1,
        trusted_mail_networks="127.0.0.0/8",
        mails_per_address=100_000,
    )


def killed_at_a_step(chance: random.Random, folder: Path, of: Any, name: str) -> None:
    """From now on, the process may die before or after each call of this method."""
    method: Callable[..., Awaitable[Any]] = getattr(of, name)
    step = f"{type(of).__name__}.{name}"

    async def call(*values: Any) -> Any:
        _perhaps_die(chance, folder, f"before {step}")
        result = await method(*values)
        _perhaps_die(chance, folder, f"after {step}")
        return result

    setattr(of, name, call)


def _perhaps_die(chance: random.Random, folder: Path, where: str) -> None:
    if chance.random() < CHANCE:
        with (folder / "deaths").open("a") as deaths:
            deaths.write(where + "\n")
        os.kill(os.getpid(), signal.SIGKILL)


async def _work(folder: Path, port: int, seed: int) -> None:
    settings = settings_in(folder)
    store, files = open_store(settings), open_files(settings)
    chance = random.Random(seed)  # noqa: S311 - has to be repeatable
    for of, names in (
        (store.mails, ("reserve", "save", "claim_due")),
        (store.mail_documents, ("claim",)),
        (store.intake, ("reserve", "add")),
        (files, ("write", "read")),
    ):
        for name in names:
            killed_at_a_step(chance, folder, of, name)
    listener = build_mail_listener(build_mailroom(store, files, settings).reception, settings)
    await listener.start([Place(Way.SMTP, "127.0.0.1", port)])
    await build_mail_worker(store, files, Opener(), Nobody(), settings, mail_policy=Gate()).run()


def work(folder: Path, port: int, seed: int) -> None:
    """Take mail, and take it apart, until death. Nothing is printed: what is broken is looked for afterwards."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    asyncio.run(_work(folder, port, seed))
