"""The certificate for STARTTLS, read again when its files change."""

import logging
import ssl
from pathlib import Path

from serve_app.domain.user_error import UserError

log = logging.getLogger(__name__)


class Certificate:
    """Raises UserError if the files cannot be used at the start; later, the certificate that worked last stays."""

    def __init__(self, chain: Path, key: Path) -> None:
        self._files = chain, key
        self._read_at: tuple[int, ...] = ()
        try:
            self._context = self._read()
        except (OSError, ssl.SSLError) as error:
            raise UserError(f"MAIL_TLS_CERTIFICATE and MAIL_TLS_KEY cannot be used: {type(error).__name__}") from None

    def context(self) -> ssl.SSLContext:
        """For a new connection. Blocks for two calls of `stat`."""
        try:
            if self._changed_at() != self._read_at:
                self._context = self._read()
                log.info("certificate read again")
        except (OSError, ssl.SSLError) as error:
            log.error("certificate not read again: %s", type(error).__name__)
        return self._context

    def _read(self) -> ssl.SSLContext:
        changed_at = self._changed_at()
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*self._files)
        self._read_at = changed_at
        return context

    def _changed_at(self) -> tuple[int, ...]:
        return tuple(path.stat().st_mtime_ns for path in self._files)
