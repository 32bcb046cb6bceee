"""What vendors that earlier versions wrote lack."""

from serve_app.domain.folding import folded
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.upgrades.fill import Fill


async def _fold(collections: Collections, row: Row) -> int:
    # No match: the name was changed meanwhile, and is folded already.
    return (await collections.vendors.update_one(row, {"$set": {"name_folded": folded(row["name"])}})).matched_count


FOLDED_NAMES = Fill(
    done="names of vendors to search for",
    collection="vendors",
    lacking={"name_folded": {"$exists": False}},
    change=_fold,
    fields={"name": 1},
)
"""How the names are searched for."""
