"""Approval mails are counted exactly, per recipient, account and day."""

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

from serve_app.domain.account import Account
from serve_app.domain.approval_mail import COUNT_LIFE, MailLimit, MailLimits, day_start, recipient_key
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.support import NOON

DAY = day_start(NOON)
LIMITS = MailLimits(per_account=7, per_recipient=5)
BOSS, OTHER = recipient_key("boss@example.com"), recipient_key("other@example.com")


async def test_limits_are_exact_when_many_ask_at_once(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    stores = [store, open_again()]
    asked = [(stores[i % 2], to) for i in range(10) for to in (BOSS, OTHER)]
    found = await asyncio.gather(*(store_.approval_mails.take(account.id, to, DAY, LIMITS) for store_, to in asked))
    counted = Counter(found)
    assert counted[None] == 7
    assert set(counted) == {None, MailLimit.ACCOUNT} or set(counted) == {None, MailLimit.ACCOUNT, MailLimit.RECIPIENT}


async def test_each_limit_is_reported(store: Store, account: Account) -> None:
    mails = store.approval_mails
    assert [await mails.take(account.id, BOSS, DAY, LIMITS) for _ in range(6)] == [None] * 5 + [MailLimit.RECIPIENT]
    assert [await mails.take(account.id, OTHER, DAY, LIMITS) for _ in range(3)] == [None] * 2 + [MailLimit.ACCOUNT]


async def test_accounts_and_days_are_counted_apart(store: Store, account: Account) -> None:
    one = MailLimits(1, 1)
    assert await store.approval_mails.take(account.id, BOSS, DAY, one) is None
    assert await store.approval_mails.take(new_id(), BOSS, DAY, one) is None
    assert await store.approval_mails.take(account.id, BOSS, DAY + timedelta(days=1), one) is None
    assert await store.approval_mails.take(account.id, BOSS, DAY, one) is MailLimit.RECIPIENT


async def test_what_is_given_back_can_be_taken_again(store: Store, account: Account) -> None:
    one = MailLimits(1, 1)
    await store.approval_mails.refund(account.id, BOSS, DAY)
    assert await store.approval_mails.take(account.id, BOSS, DAY, one) is None
    await store.approval_mails.refund(account.id, BOSS, DAY)
    assert await store.approval_mails.take(account.id, OTHER, DAY, one) is None
    assert await store.approval_mails.take(account.id, BOSS, DAY, one) is MailLimit.ACCOUNT


async def test_counts_are_removed_when_their_day_is_over(store: Store, account: Account) -> None:
    one = MailLimits(1, 1)
    await store.approval_mails.take(account.id, BOSS, DAY, one)
    assert await store.upkeep.expire(NOON) == 0
    assert await store.upkeep.expire(DAY + COUNT_LIFE) == 1


def test_case_and_tags_make_no_other_recipient() -> None:
    assert recipient_key("Boss+1@Example.com") == recipient_key("boss@example.com") == BOSS
    assert len({BOSS, OTHER, recipient_key("boss@other.example")}) == 3
