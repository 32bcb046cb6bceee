"""The trigrams of vendors' names and invoice numbers, and the search by them."""

import logging
from typing import Any

from pymongo import ASCENDING

from serve_app.domain.folding import folded
from serve_app.domain.query import InvoiceQuery
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.trigrams import ENOUGH, trigrams

# A long text has rare trigrams among its first ones, too.
_TRIED = 12
_DONE = {"_id": "trigrams of invoices"}
_BATCH = 1000
# Rows of an earlier version, which is still writing some while processes are updated one by one.
_UNKNOWN = {"trigrams": {"$exists": False}}

log = logging.getLogger(__name__)


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


async def add_trigrams(collections: Collections) -> None:
    """Add the trigrams to all invoices without, unless that is done; can be repeated, and be done by several processes
    at the same time."""
    if await collections.upgrades.find_one(_DONE) is not None:
        return
    changed, rows = 0, await _next(collections, "")
    while rows:
        changed += sum([await _add(collections, row) for row in rows])
        rows = await _next(collections, rows[-1]["_id"])
    await collections.upgrades.update_one(_DONE, {"$set": {"invoices": changed}}, upsert=True)
    log.info("invoices got their trigrams", extra={"invoices": changed})


async def _next(collections: Collections, after: str) -> list[Row]:
    fields = {"vendor_folded": 1, "document.invoice_number": 1}
    found = collections.invoices.find({"_id": {"$gt": after}, **_UNKNOWN}, fields)
    return await found.sort("_id", ASCENDING).limit(_BATCH).to_list(None)


async def _add(collections: Collections, row: Row) -> int:
    number: Any = row.get("document", {}).get("invoice_number")
    texts = {"vendor_folded": row["vendor_folded"], "document.invoice_number": number}
    found = trigrams_of(row["vendor_folded"], number)
    # No match: the invoice was changed meanwhile, and has its trigrams.
    where = {"_id": row["_id"], **_UNKNOWN, **texts}
    return (await collections.invoices.update_one(where, {"$set": {"trigrams": found}})).matched_count
