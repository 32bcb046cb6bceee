"""Private addresses: hard to guess, easy to change."""

import re
from typing import Any

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.mail_address import OLD_ADDRESS_LIFE, SenderPolicy, new_local
from serve_app.services.mailroom import addresses as module
from serve_app.services.mailroom.addresses import AddressService
from serve_app.store.base import Store
from tests.support import NOON, Clock


@pytest.fixture
def addresses(store: Store, clock: Clock) -> AddressService:
    return AddressService(store.mail_addresses, "in.example.com", clock)


@pytest.mark.parametrize(
    ("prefix", "readable"),
    [("ACME Ltd.", "acme-ltd"), ("", "invoices"), ("Æ!", "invoices"), ("a" * 60, "a" * 24), ("--x--", "x")],
)
def test_an_address_has_80_random_bits_behind_a_readable_prefix(prefix: str, readable: str) -> None:
    locals_ = {new_local(prefix) for _ in range(20)}
    assert len(locals_) == 20
    assert all(re.fullmatch(f"{readable}-[a-z2-7]{{16}}", local) for local in locals_)


async def test_a_renewed_address_keeps_the_rules_and_the_old_one_for_a_while(
    addresses: AddressService, account: Account
) -> None:
    old = await addresses.create(account.id, "acme", label="Berlin\n", policy=SenderPolicy.LISTED)
    new = await addresses.renew(account.id, old.id)
    assert (new.label, new.policy, new.ends_at) == ("Berlin", SenderPolicy.LISTED, None)
    assert new.local.startswith("acme-")
    assert addresses.written(new) == f"{new.local}@in.example.com"
    assert (await addresses.get(account.id, old.id)).ends_at == NOON + OLD_ADDRESS_LIFE
    # Its end is not put off by renewing it once more.
    await addresses.renew(account.id, old.id)
    assert (await addresses.get(account.id, old.id)).ends_at == NOON + OLD_ADDRESS_LIFE


async def test_the_first_address_is_made_once(addresses: AddressService, account: Account) -> None:
    first = await addresses.first(account.id)
    assert await addresses.first(account.id) == first
    retired = await addresses.retire(account.id, first.id)
    assert not retired.takes_mail_at(NOON)
    assert await addresses.first(account.id) != first


async def test_senders_are_either_allowed_or_denied(addresses: AddressService, account: Account) -> None:
    address = await addresses.create(account.id)
    await addresses.allow(account.id, address.id, "Anna@Example.com")
    await addresses.allow(account.id, address.id, "anna@example.com")
    assert (await addresses.get(account.id, address.id)).allowed == ("anna@example.com",)
    denied = await addresses.deny(account.id, address.id, "anna@example.com")
    assert (denied.allowed, denied.denied) == ((), ("anna@example.com",))
    assert (await addresses.allow(account.id, address.id, "anna@example.com")).denied == ()


@pytest.mark.parametrize("rules", [{"label": "x" * 101}, {"entity_tag": "x" * 61}, {"allowed": ("a",) * 501}])
async def test_a_rule_that_is_too_long_is_refused(
    addresses: AddressService, account: Account, rules: dict[str, Any]
) -> None:
    with pytest.raises(InvalidParameter, match=r"(?i)at most"):
        await addresses.create(account.id, **rules)


async def test_an_account_has_so_many_addresses(
    addresses: AddressService, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ADDRESSES", 2)
    for _ in range(2):
        last = await addresses.create(account.id)
    with pytest.raises(InvalidParameter, match="Disable one"):
        await addresses.create(account.id)
    await addresses.retire(account.id, last.id)
    await addresses.create(account.id)
