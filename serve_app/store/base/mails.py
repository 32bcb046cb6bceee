"""Mails that came in, the addresses that they came to, and the files that they brought."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from serve_app.domain.due import Due
from serve_app.domain.inbound_mail import DayLimits, InboundMail, MailDocument, MailQuery
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.query import ListPage


class MailAddresses(Protocol):
    """Private addresses."""

    async def add(self, address: MailAddress) -> None: ...

    async def find(self, local: str) -> MailAddress | None:
        """The address with this local part, whether or not it still takes mail."""
        ...

    async def get(self, account_id: UUID, address_id: UUID) -> MailAddress | None: ...

    async def of_account(self, account_id: UUID) -> list[MailAddress]:
        """Newest first."""
        ...

    async def save(self, address: MailAddress) -> bool:
        """Write a changed address; False if it has changed since it was read, or is gone."""
        ...


class Mails(Protocol):
    """Mails, whose rows are also the queue. Order of calls for a new one: `reserve`, write the bytes, `save` it as
    queued. Those that are arriving or pending deletion are in no list."""

    async def reserve(self, mail: InboundMail, since: datetime, limits: DayLimits) -> InboundMail | None:
        """Add the row of a mail whose bytes are about to be written. Returns the row that now has its fingerprint:
        this one; one that an interrupted call left and that this call takes over, with a new `revision` and `care_at`;
        or one that was accepted before.

        None if the address has had as many mails or bytes since `since`; MongoDB may let through a few that
        arrive at the same moment."""
        ...

    async def has_room(self, address_id: UUID, size: int, since: datetime, limits: DayLimits) -> bool:
        """Whether the address, after what it has had since `since`, may have another mail of this size."""
        ...

    async def save(self, mail: InboundMail) -> InboundMail | None:
        """Write the changed mail, and return it with its new revision; None if it has changed since it was read, or is
        gone."""
        ...

    async def claim_due(self, lease: timedelta, after: UUID | None = None) -> InboundMail | None:
        """A due mail, now due again at the end of the lease; None if none is due. It is of the account that follows
        the account `after` in the order of ids, and after the last of the first again: who passes the account of the
        mail before gives all accounts a turn, however many mails one has. Of an account's, the mail that has been due
        longest."""
        ...

    async def due(self) -> Due:
        """Mails of all accounts that are due now."""
        ...

    async def renew(self, claim: InboundMail, lease: timedelta) -> bool:
        """Extend the claim: `lease` from now. False if the mail has changed since it was claimed."""
        ...

    async def due_for_cleanup(self, now: datetime, limit: int) -> list[InboundMail]:
        """Mails, in any state, whose `care_at` has come; the longest due first."""
        ...

    async def remove(self, mail: InboundMail) -> bool:
        """Remove a mail that is pending deletion, and the files that it was the first to bring; False if it is not
        pending, or gone."""
        ...

    async def get(self, account_id: UUID, mail_id: UUID) -> InboundMail | None:
        """None for one that is arriving or pending deletion, too."""
        ...

    async def page(
        self, account_id: UUID, query: MailQuery, limit: int, after: UUID | None = None
    ) -> ListPage[InboundMail]:
        """Newest first, starting strictly after the id `after` in that order."""
        ...

    async def of_invoice(self, account_id: UUID, invoice_id: UUID) -> list[InboundMail]:
        """Mails that have a part with this invoice."""
        ...

    async def of_account(self, account_id: UUID, limit: int) -> list[InboundMail]:
        """Mails that the account still has, in any state."""
        ...

    async def accounts_with_held(self, limit: int, after: UUID | None = None) -> list[UUID]:
        """Accounts with mails that are held for their sender, in the order of their ids."""
        ...


class MailDocuments(Protocol):
    """Files that came by mail, by their hash."""

    async def claim(self, document: MailDocument, since: datetime) -> MailDocument:
        """Note the file unless the account has had it since `since`; returns the note that now stands, which is the
        caller's own if it was first."""
        ...

    async def forget(self, account_id: UUID, invoice_id: UUID) -> None:
        """Remove the note about an invoice's file: the next mail with it is read again."""
        ...


class MailPictures(Protocol):
    """Pictures in mails, counted by sender, to tell logos from documents."""

    async def note(self, account_id: UUID, sender: str, sha256: str, mail_id: UUID, now: datetime) -> int:
        """Note that a mail of this sender has the picture; returns how many have it, of which at most LOGO_MAILS are
        counted. `sender` is a key. A picture that nobody has sent for SAME_FILE_WINDOW is forgotten."""
        ...


class AutomaticMails(Protocol):
    """Mails that the service sends on its own, counted for each account and kind."""

    async def take(self, account_id: UUID, key: str, now: datetime, limits: Sequence[tuple[timedelta, int]]) -> bool:
        """Count one, unless as many as a limit allows were counted in its span before now. `key` says which kind, and
        to whom; counts are kept for AUTOMATIC_LIFE, which no span exceeds."""
        ...
