"""How far a mailbox has been read."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class MailboxPosition:
    """All mails with a number up to `uid` have been looked at. Numbers count only together with `validity`: the server
    changes that if it has numbered the folder anew. `read_at` is when the folder was last found read."""

    validity: int
    uid: int
    read_at: datetime
