"""Which pair of models a run asks."""

from datetime import timedelta

from serve_app.domain.account import Account
from serve_app.domain.model_pairs import FIRST
from serve_app.domain.record import InvoiceRecord, Release
from serve_app.services.models.choice import Chooser, PairChoice
from serve_app.store.base import Store
from tests.support import claim_next, queue_new


def naming(pair: str | None) -> Chooser:
    """A reason for this pair."""

    async def choose(claim: InvoiceRecord) -> str | None:
        return pair

    return choose


async def test_the_first_reason_that_names_a_pair_decides(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    choosers = [naming(None), naming("candidate"), naming("other")]
    assert await PairChoice(store.queue, True, choosers).choose(claim) == "candidate"
    assert await PairChoice(store.queue, True, [naming(None)]).choose(claim) == FIRST


async def test_a_retry_asks_the_same_pair_whatever_changed_meanwhile(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    assert await PairChoice(store.queue, True, [naming(None)]).choose(claim) == FIRST
    await store.queue.release(claim, timedelta(0), Release.OUT_OF_REACH)
    assert await PairChoice(store.queue, True, [naming("candidate")]).choose(await claim_next(store)) == FIRST


async def test_where_there_is_no_other_pair_nothing_is_looked_up_or_kept(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    assert await PairChoice(store.queue, choosers=[naming("candidate")]).choose(claim) == FIRST
    await store.queue.release(claim, timedelta(0), Release.HANDED_BACK)
    assert (await claim_next(store)).pair is None
