"""The ids of what was erased, so that a list can be continued from them."""

from serve_app.domain.erased import ERASED_ID_LIFE
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.retention.expiry import purge_at


async def was_erased(collections: Collections, account_id: object, id: object) -> bool:
    """Whether the account had an invoice or an event with this id."""
    query = {"_id": str(id), "account_id": str(account_id)}
    return await collections.erased_ids.find_one(query, {"_id": 1}) is not None


async def note_erased(collections: Collections, account_id: str, id: str, now: int) -> None:
    """Note an id that is about to be removed; `now` in microseconds."""
    await collections.erased_ids.update_one(*erased_id_upsert(account_id, id, now), upsert=True)


def erased_id_upsert(account_id: str, id: str, now: int) -> tuple[Row, Row]:
    """The same as the filter and the change of an upsert."""
    note = {"erased_at": now, "purge_at": purge_at(ERASED_ID_LIFE)}
    return {"_id": id, "account_id": account_id}, {"$setOnInsert": note}
