"""The private addresses of accounts."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import InvalidParameter, Unavailable
from serve_app.domain.ids import new_id
from serve_app.domain.mail_address import MAX_TAG_LENGTH, OLD_ADDRESS_LIFE, MailAddress, new_local
from serve_app.domain.plain_text import one_line
from serve_app.services.mailroom.senders import check_senders
from serve_app.store.base import MailAddresses
from serve_app.system.thread_pools import COMPUTING

MOST_ADDRESSES = 100
"""Addresses that an account may have which take mail."""
_LABEL_LENGTH = 100
_MOST_SENDERS = 500
_TRIES = 10


class AddressService:
    """Changes of an address take effect with the next mail. `host` is what follows the @ sign."""

    def __init__(self, addresses: MailAddresses, host: str, clock: Clock = utc_now) -> None:
        self._addresses = addresses
        self._host = host
        self._clock = clock

    def written(self, address: MailAddress) -> str:
        """The whole address, as people enter it in their mail program."""
        return f"{address.local}@{self._host}"

    async def of_account(self, account_id: UUID) -> list[MailAddress]:
        """Newest first, with those that take no more mail."""
        return await self._addresses.of_account(account_id)

    async def get(self, account_id: UUID, address_id: UUID) -> MailAddress:
        """Raises LookupError if the account has no such address."""
        address = await self._addresses.get(account_id, address_id)
        if address is None:
            raise LookupError(f"the account has no mail address {address_id}")
        return address

    async def create(self, account_id: UUID, prefix: str = "", **rules: Any) -> MailAddress:
        """A new address that begins with `prefix`; `rules` are fields of MailAddress. Raises InvalidParameter for a
        bad rule, or if the account has as many as it may."""
        now = self._clock()
        working = [one for one in await self._addresses.of_account(account_id) if one.takes_mail_at(now)]
        if len(working) >= MOST_ADDRESSES:
            raise InvalidParameter(f"An account can have {MOST_ADDRESSES} e-mail addresses. Disable one first.")
        new = MailAddress(new_id(), account_id, new_local(prefix), now)
        address = await COMPUTING.run(_checked, replace(new, **rules))
        await self._addresses.add(address)
        return address

    async def first(self, account_id: UUID) -> MailAddress:
        """The account's newest address that takes mail, created if it has none."""
        for address in await self._addresses.of_account(account_id):
            if address.ends_at is None:
                return address
        return await self.create(account_id)

    async def change(self, account_id: UUID, address_id: UUID, **rules: Any) -> MailAddress:
        """Change fields of the address: label, entity tag, policy, senders, bodies, answering. Raises LookupError,
        InvalidParameter."""
        for _ in range(_TRIES):
            address = await self.get(account_id, address_id)
            changed = await COMPUTING.run(_checked, replace(address, **rules))
            if await self._addresses.save(changed):
                return replace(changed, revision=address.revision + 1)
        raise Unavailable

    async def allow(self, account_id: UUID, address_id: UUID, sender: str) -> MailAddress:
        """Take mail of this sender, an address or a domain, from now on."""
        address = await self.get(account_id, address_id)
        sender = sender.lower()
        return await self.change(
            account_id,
            address_id,
            allowed=(*(one for one in address.allowed if one != sender), sender),
            denied=tuple(one for one in address.denied if one != sender),
        )

    async def deny(self, account_id: UUID, address_id: UUID, sender: str) -> MailAddress:
        """Discard mail of this sender from now on."""
        address = await self.get(account_id, address_id)
        sender = sender.lower()
        return await self.change(
            account_id,
            address_id,
            allowed=tuple(one for one in address.allowed if one != sender),
            denied=(*(one for one in address.denied if one != sender), sender),
        )

    async def ignore_picture(self, account_id: UUID, address_id: UUID, sha256: str) -> MailAddress:
        """Leave the picture with this hash out of mails to the address from now on."""
        address = await self.get(account_id, address_id)
        ignored = tuple(dict.fromkeys((*address.ignored_pictures, sha256)))
        return await self.change(account_id, address_id, ignored_pictures=ignored)

    async def renew(self, account_id: UUID, address_id: UUID) -> MailAddress:
        """A new address with the rules of this one, which keeps taking mail for OLD_ADDRESS_LIFE. Raises
        LookupError."""
        old = await self.get(account_id, address_id)
        now = self._clock()
        prefix = old.local.rpartition("-")[0]
        new = replace(old, id=new_id(), local=new_local(prefix), created_at=now, ends_at=None, revision=0)
        await self._addresses.add(new)
        if old.ends_at is None:
            await self.change(account_id, address_id, ends_at=now + OLD_ADDRESS_LIFE)
        return new

    async def retire(self, account_id: UUID, address_id: UUID) -> MailAddress:
        """Take no more mail at this address from now on: senders are told that it was changed. Raises LookupError."""
        return await self.change(account_id, address_id, ends_at=self._clock())


def _checked(address: MailAddress) -> MailAddress:
    if len(address.label) > _LABEL_LENGTH:
        raise InvalidParameter(f"A label has at most {_LABEL_LENGTH} characters.")
    if address.entity_tag is not None and len(address.entity_tag) > MAX_TAG_LENGTH:
        raise InvalidParameter(f"An entity tag has at most {MAX_TAG_LENGTH} characters.")
    if max(len(address.allowed), len(address.denied)) > _MOST_SENDERS:
        raise InvalidParameter(f"At most {_MOST_SENDERS} senders can be listed.")
    check_senders((*address.allowed, *address.denied))
    return replace(address, label=one_line(address.label), entity_tag=address.entity_tag or None)
