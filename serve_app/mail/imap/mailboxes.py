"""Which mailboxes are read: the one of the IMAP_ settings, and those of IMAP_FILE."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError

from serve_app.domain.user_error import UserError
from serve_app.settings import Settings


class MailboxSettings(BaseModel):
    """The settings of one mailbox, named as in `Settings` without `imap_`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: SecretStr
    address: str
    move_to: str | None = None
    oauth_token_url: str | None = None
    oauth_client_id: str | None = None
    oauth_client_secret: SecretStr | None = None
    oauth_refresh_token: SecretStr | None = None
    oauth_scope: str = ""


def mailboxes_of(settings: Settings) -> list[MailboxSettings]:
    """All mailboxes of the settings. Raises UserError, which repeats no value, if one lacks something."""
    found = []
    if settings.imap_url is not None:
        given = {name: getattr(settings, f"imap_{name}") for name in MailboxSettings.model_fields}
        if not settings.imap_address:
            raise UserError("IMAP_URL also needs IMAP_ADDRESS, the private address for mails from the mailbox")
        found.append(MailboxSettings(**given))
    if settings.imap_file is not None:
        found += _in_file(settings.imap_file)
    urls = Counter(mailbox.url.get_secret_value() for mailbox in found)
    if any(count > 1 for count in urls.values()):
        raise UserError("the same mailbox is named twice in IMAP_URL and IMAP_FILE")
    return found


def _in_file(path: Path) -> list[MailboxSettings]:
    try:
        entries = tomllib.loads(path.read_text("utf-8")).get("mailbox")
    except OSError as error:
        raise UserError(f"IMAP_FILE cannot be read: {error.strerror}") from None
    except ValueError:
        raise UserError("IMAP_FILE is not valid TOML") from None
    if not isinstance(entries, list) or not entries:
        raise UserError("IMAP_FILE has no table [[mailbox]]")
    return [_mailbox(number, entry) for number, entry in enumerate(entries, 1)]


def _mailbox(number: int, entry: Any) -> MailboxSettings:
    try:
        return MailboxSettings.model_validate(entry)
    except ValidationError as error:
        names = ", ".join(str(problem["loc"][0]) if problem["loc"] else "table" for problem in error.errors())
        raise UserError(f"IMAP_FILE, mailbox {number}: missing, unknown or of the wrong type: {names}") from None
