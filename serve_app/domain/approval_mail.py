"""How much mail an account may have the service send, so that it is no relay for strangers."""

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
    """What a recipient is counted by: a hash, so that no address is stored. Case, a tag after a plus sign, and the
    notation of the host make no other recipient."""
    local, _, host = (mail_server_form(address) or address).casefold().rpartition("@")
    return hashlib.sha256(f"{local.partition('+')[0]}@{host}".encode()).hexdigest()
