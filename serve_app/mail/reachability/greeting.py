"""What a mail server says to others on port 25."""

import asyncio
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime

from aiosmtplib import SMTP, SMTPException

PORT = 25
SECONDS = 10


class NoAnswer(Exception):
    """The server does not answer as a mail server."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """Whether the server offers encryption, what is wrong with its certificate, and when that expires."""

    has_starttls: bool
    problem: str = ""
    valid_until: datetime | None = None


async def greet(host: str, port: int = PORT) -> Greeting:
    """Connect, and look at the certificate as a careful sender does. Raises NoAnswer."""
    client = SMTP(hostname=host, port=port, start_tls=False, timeout=SECONDS)
    try:
        async with asyncio.timeout(2 * SECONDS):
            await client.connect()
            await client.ehlo()
            if not client.supports_extension("starttls"):
                return Greeting(has_starttls=False)
            return await _encrypted(client)
    except (SMTPException, OSError) as error:
        raise NoAnswer(_reason(error)) from None
    finally:
        client.close()


async def _encrypted(client: SMTP) -> Greeting:
    try:
        await client.starttls(tls_context=ssl.create_default_context())
    except (SMTPException, OSError) as error:
        return Greeting(has_starttls=True, problem=_reason(error))
    found = client.transport.get_extra_info("peercert") if client.transport else None
    ends = (found or {}).get("notAfter")
    until = datetime.fromtimestamp(ssl.cert_time_to_seconds(ends), UTC) if ends else None
    return Greeting(has_starttls=True, valid_until=until)


def _reason(error: BaseException) -> str:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return cause.verify_message
        cause = cause.__cause__ or cause.__context__
    return "it does not answer in time" if isinstance(error, TimeoutError) else type(error).__name__
