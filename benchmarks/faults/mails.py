"""Mails with invoices, sent as mail servers do: each again until it is accepted."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from itertools import count
from random import Random

import aiosmtplib

from benchmarks.faults.documents import Kind, documents
from benchmarks.faults.ledger import Ledger

_SENDER = "anna@supplier.example"
_MOST_DOCUMENTS = 3
# Longer than a pause of the service, shorter than a mail server's timeout.
_TIMEOUT_S = 30.0
_ACCEPTED = 250


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail and the names of the invoices in it."""

    id: str
    names: tuple[str, ...]
    raw: bytes


def mails(count: int, seed: int) -> list[Mail]:
    """The mails of a run, the same for the same seed, with one to three invoices each."""
    rng = Random(f"{seed}/mails")  # noqa: S311 - variety, not secrecy
    every = documents(20 * count + 20, seed + 1)
    sound = iter([document.data for document in every if document.kind is Kind.INVOICE])
    return [
        _mail(number, seed, [next(sound) for _ in range(rng.randint(1, _MOST_DOCUMENTS))]) for number in range(count)
    ]


def _mail(number: int, seed: int, invoices: Sequence[bytes]) -> Mail:
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = f"Anna <{_SENDER}>", "invoices"
    message["Subject"] = f"Invoices {number}"
    message["Message-ID"] = f"<{seed}-{number}@supplier.example>"
    message.set_content("Please find our invoices attached.")
    names = [f"mail-{number}-{place}.pdf" for place in range(len(invoices))]
    for name, data in zip(names, invoices, strict=True):
        # No two files are the same: the service would read the second one no more.
        unlike = data + f"\n% {name}\n".encode()
        message.add_attachment(unlike, maintype="application", subtype="pdf", filename=name)
    return Mail(str(message["Message-ID"]), tuple(names), message.as_bytes())


class MailSender:
    """Sends mails to one private address, one after the other."""

    def __init__(self, port: int, address: str, ledger: Ledger, pause_s: float) -> None:
        self._port = port
        self._address = address
        self._ledger = ledger
        self._pause_s = pause_s

    async def send_all(self, every: Sequence[Mail]) -> None:
        """Returns when every mail was accepted. The same mail comes again where no answer came, as from any server."""
        for mail in every:
            self._ledger.mailed_names.update(mail.names)
            for _ in count():
                answer = await self._send(mail.raw)
                if answer == str(_ACCEPTED):
                    break
                self._ledger.mail_tries[answer] += 1
                await asyncio.sleep(random.uniform(0.5, 3))  # noqa: S311
            self._ledger.mailed.append(mail.id)
            await asyncio.sleep(random.uniform(0, 2 * self._pause_s))  # noqa: S311

    async def _send(self, raw: bytes) -> str:
        """The code of the answer, or that there was none."""
        client = aiosmtplib.SMTP(hostname="127.0.0.1", port=self._port, start_tls=False, timeout=_TIMEOUT_S)
        try:
            async with client:
                await client.sendmail(_SENDER, [self._address], raw)
        except aiosmtplib.SMTPRecipientsRefused as error:
            return str(error.recipients[0].code)
        except aiosmtplib.SMTPResponseException as error:
            return str(error.code)
        except (aiosmtplib.SMTPException, OSError):
            return "no answer"
        return str(_ACCEPTED)
