"""A Postfix of its own, configured as in docs/how-to/receive-mail.md.

Only folders, ports and one transport for each address differ.
"""

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiosmtplib

from benchmarks.faults.service import free_port

DOMAIN = "in.example.com"
_NOT_YET = 450
_SENDER = "anna@supplier.example"
_SERVICES = """
127.0.0.1:{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
_SETTINGS = """
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
myhostname = mx.example.com
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
relay_domains = {domain}
transport_maps = inline:{{ {transports} }}
message_size_limit = 26214400
smtpd_recipient_restrictions = reject_unauth_destination, reject_unverified_recipient
unverified_recipient_reject_code = 550
"""


@asynccontextmanager
async def postfix(folder: Path, ways: Mapping[str, str]) -> AsyncIterator[int]:
    """A Postfix of its own, and the port that it takes mail at."""
    port, place = free_port(), folder / "postfix"
    for name in ("etc", "spool", "data"):
        (place / name).mkdir(parents=True)
    shutil.chown(place / "data", "postfix")
    transports = ", ".join(f"{{ {local}@{DOMAIN} = {way} }}" for local, way in ways.items())
    # What is not known goes to the service, too, which refuses it.
    transports += f", {{ {DOMAIN} = {next(iter(ways.values()))} }}"
    settings = _SETTINGS.format(folder=place, domain=DOMAIN, transports=transports)
    (place / "etc" / "main.cf").write_text(settings)
    (place / "etc" / "master.cf").write_text(_SERVICES.format(port=port))
    await _postfix_command(place, "start")
    try:
        yield port
    finally:
        await _postfix_command(place, "stop")


async def _postfix_command(place: Path, verb: str) -> None:
    command = ["postfix", "-c", str(place / "etc"), verb]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"postfix {verb}: {done.stderr}")


async def send(port: int, raw: bytes, local: str) -> None:
    """Hand a mail to it, for this private address."""
    client = aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False, timeout=60)
    async with client:
        await client.sendmail(_SENDER, [f"{local}@{DOMAIN}"], raw)


async def refusal(port: int) -> str:
    """The code for an address that nobody has, once the service was asked; until then, Postfix answers 450."""
    code = 0
    client = aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False, timeout=60)
    async with client:
        await client.ehlo()
        await client.mail(_SENDER)
        for _ in range(10):
            try:
                code = (await client.rcpt(f"acme-nobody@{DOMAIN}")).code
            except aiosmtplib.SMTPRecipientRefused as error:
                code = error.code
            if code != _NOT_YET:
                break
            await asyncio.sleep(1)
    return str(code)
