"""The trigrams of vendors' names and invoice numbers, and the search by them."""

from serve_app.domain.folding import folded
from serve_app.domain.query import InvoiceQuery
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.trigrams import ENOUGH, trigrams

# A long text has rare trigrams among its first ones, too.
_TRIED = 12


def trigrams_of(vendor_folded: str | None, number: str | None) -> list[str]:
    """What a row's `trigrams` are."""
    return sorted(trigrams(vendor_folded or "") | trigrams((number or "").casefold()))


async def rare_trigram(collections: Collections, account_id: str, query: InvoiceQuery) -> Row:
    """The condition of a row's rarest trigram among those asked for; none if many invoices have each of them, or if the
    parts are too short to have any."""
    vendor, number = folded(query.vendor or ""), (query.number or "").casefold()
    rarest: Row = {}
    fewest = ENOUGH + 1
    for trigram in [*_first(vendor), *_first(number)]:
        # None: what earlier versions wrote, without trigrams.
        condition: Row = {"trigrams": {"$in": [trigram, None]}}
        count = await collections.invoices.count_documents({"account_id": account_id, **condition}, limit=fewest)
        if count < fewest:
            rarest, fewest = condition, count
        if not fewest:
            break
    return rarest


def _first(text: str) -> list[str]:
    return sorted(trigrams(text))[:_TRIED]
