"""How much mail the service sends for an account: it must not be an open relay."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from serve_app.domain.email_address import mail_server_form

COUNT_LIFE = timedelta(days=2)
"""How long a day's counts are kept, from its start."""


class MailLimit(StrEnum):
    """Which limit a mail would exceed."""

    ACCOUNT = "account"
    RECIPIENT = "recipient"


@dataclass(frozen=True, slots=True)
class MailLimits:
    """Most approval mails in a day (UTC): of an account, and of an account to one recipient."""

    per_account: int
    per_recipient: int


def day_start(moment: datetime) -> datetime:
    """The start of the day, in UTC as the moment."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def recipient_key(address: str) -> str:
    """The key for counting a recipient's mail: a hash, so that no address is stored. Addresses that differ only in
    case, in a tag after a plus sign or in the notation of the host are one recipient."""
    local, _, host = (mail_server_form(address) or address).casefold().rpartition("@")
    return hashlib.sha256(f"{local.partition('+')[0]}@{host}".encode()).hexdigest()
