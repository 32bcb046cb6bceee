"""What the page about models shows of candidates: a document that two pairs read, and canaries that have ended."""

from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.canary import Canary, CanaryState
from serve_app.domain.comparison import Comparison, Difference, Right
from serve_app.domain.ids import new_id
from serve_app.store.base import Store

_PAIR = "candidate"


async def add_comparison(store: Store, account: Account, invoice_id: UUID, now: datetime) -> None:
    """The candidate has read the invoice, too, and three of its fields differently."""
    differences = (
        Difference("amount", "380.34", "349.34", Right.FIRST),
        Difference("vendor", None, "Ewing & Kennedy LLC", Right.CANDIDATE),
        Difference("line_items", "SEO optimisation 1 239 239", "SEO 1 239 239; optimisation - - -"),
    )
    await store.comparisons.put([Comparison(invoice_id, account.id, _PAIR, now, differences=differences)])


async def add_canaries(store: Store, now: datetime) -> None:
    """One was stopped by somebody, a later one by itself."""
    ends = {
        CanaryState.STOPPED: "",
        CanaryState.ROLLED_BACK: "its models agree on fewer fields than those of the first pair",
    }
    for days, (state, reason) in enumerate(ends.items(), start=-len(ends)):
        began = now + timedelta(days=days)
        canary = Canary(new_id(), _PAIR, 0.1, began, began)
        for each in (canary, canary.ended(state, reason, began + timedelta(hours=1), {"agreement": 130.0})):
            assert await store.canaries.put(each, await store.canaries.present())
