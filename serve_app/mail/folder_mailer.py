"""Mail as files, used if no server is set."""

import logging
import os
from email.message import EmailMessage
from pathlib import Path

from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.services.ports import MailError
from serve_app.system.thread_pools import FILES

log = logging.getLogger(__name__)


class FolderMailer:
    """Writes one `.eml` file per message, which every mail program opens. The links in a message are as good as a
    signature, so only the owner of the file can read it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def send(self, message: EmailMessage) -> None:
        """Raises MailError if the file cannot be written."""
        try:
            path = await FILES.run(self._write, message.as_bytes())
        except OSError as error:
            raise MailError(f"the folder of mail cannot be written ({error.strerror})") from error
        log.info("mail written to a file: %s", path)

    def _write(self, data: bytes) -> Path:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / f"{utc_now():%Y%m%dT%H%M%SZ}-{new_id()}.eml"
        partial = path.with_suffix(".partial")
        try:
            with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(data)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
        return path
