"""Mail through an SMTP server."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from email.message import EmailMessage

from aiosmtplib import SMTP, SMTPAuthenticationError, SMTPException, SMTPRecipientsRefused, SMTPResponseException

from serve_app.mail.smtp_url import SmtpServer
from serve_app.services.ports import MailError

_GOODBYE_SECONDS = 5


class SmtpMailer:
    """Opens one connection per message. The server's certificate is verified; `seconds` limits the whole message,
    including connecting."""

    def __init__(self, server: SmtpServer, seconds: float, context: ssl.SSLContext | None = None) -> None:
        self._server = server
        self._seconds = seconds
        self._context = context or ssl.create_default_context()

    async def send(self, message: EmailMessage) -> None:
        """Raises MailError if the server has not accepted the message in time."""
        async with self._session() as client:
            await client.send_message(message, sender=_return_path(message))

    async def sign_in(self) -> None:
        """What comes before a message, and no message. Raises MailError if the server does not take it in time."""
        async with self._session():
            pass

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[SMTP]:
        """Signed in, if there is a user. Raises MailError, also for what fails in the block."""
        client = self._client()
        try:
            async with asyncio.timeout(self._seconds):
                await client.connect()
                yield client
            # What was to be done is done, even if closing the session fails.
            await _say_goodbye(client)
        except (SMTPException, OSError, ValueError) as error:
            raise MailError(_reason(error)) from None
        finally:
            client.close()

    def _client(self) -> SMTP:
        server = self._server
        return SMTP(
            hostname=server.host,
            port=server.port,
            username=server.user,
            password=server.password,
            use_tls=server.tls,
            start_tls=server.starttls,
            tls_context=self._context,
            timeout=self._seconds,
        )


def _return_path(message: EmailMessage) -> str | None:
    """None for the message's From. An automatic answer has none, so that a failure to deliver it is told to nobody
    (RFC 3834, section 3.3)."""
    return "" if message["Auto-Submitted"] == "auto-replied" else None


async def _say_goodbye(client: SMTP) -> None:
    with suppress(SMTPException, OSError):
        async with asyncio.timeout(_GOODBYE_SECONDS):
            await client.quit()


def _reason(error: Exception) -> str:
    """A reason that is safe to log: servers repeat user names and addresses in their answers."""
    if isinstance(error, SMTPRecipientsRefused):
        codes = ", ".join(str(refused.code) for refused in error.recipients)
        return f"the mail server refused the recipient ({codes})"
    if isinstance(error, SMTPAuthenticationError):
        return f"the mail server refuses user and password ({error.code})"
    if isinstance(error, SMTPResponseException):
        return f"the mail server refused the message ({type(error).__name__}, {error.code})"
    if isinstance(error, TimeoutError):
        return "the mail server did not answer in time"
    # The library has no class of its own for this.
    if isinstance(error, SMTPException) and "STARTTLS" in str(error):
        return (
            "the mail server does not offer STARTTLS; SMTP_URL can use smtps://, or ?starttls=no on a trusted network"
        )
    return f"the connection to the mail server failed ({type(error).__name__})"
