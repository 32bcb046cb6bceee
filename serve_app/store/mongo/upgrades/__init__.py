"""Brings documents that earlier versions wrote up to date, in the background, once for the database."""

from serve_app.store.mongo.engine.types import Collections
from serve_app.store.mongo.upgrades import invoices, mails, vendors

_FILLS = (
    invoices.FOLDED_NAMES,
    invoices.TRIGRAMS,
    invoices.NEEDING_PERSON,
    invoices.LEVELS,
    mails.WORDS,
    vendors.FOLDED_NAMES,
    invoices.REJECTED_SHARES,
)


async def upgrade(collections: Collections) -> None:
    """Make the fills that have not been made, in this order; can be interrupted and repeated, and be done by several
    processes at the same time."""
    for fill in _FILLS:
        await fill.run(collections)
