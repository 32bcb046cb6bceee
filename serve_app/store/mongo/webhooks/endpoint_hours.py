"""Counts of attempts by endpoint and hour: a document for each, with a field for each bucket."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from pymongo import UpdateOne, WriteConcern
from pymongo.errors import PyMongoError

from serve_app.domain.endpoint_health import COUNTS_LIFE, AttemptCount, counted
from serve_app.domain.webhook import Attempt
from serve_app.store.mongo.engine.bulk import write_all
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.retention.expiry import purge_at
from serve_app.store.rows.codec import to_micros


async def count_all(collections: Collections, made: Iterable[tuple[UUID, Attempt]]) -> None:
    """Count attempts that were recorded, each with its endpoint. Those that fail to be counted are lost: the attempts
    themselves are not. So nothing waits for a majority."""
    of_endpoint: dict[UUID, list[Attempt]] = {}
    for endpoint_id, attempt in made:
        of_endpoint.setdefault(endpoint_id, []).append(attempt)
    hours = collections.get_collection("endpoint_hours", write_concern=WriteConcern(w=1))
    with suppress(PyMongoError):
        await write_all(hours, [_more(*each, counts) for each, counts in _by_hour(of_endpoint)])


def _by_hour(of_endpoint: Mapping[UUID, list[Attempt]]) -> Iterator[tuple[tuple[UUID, datetime], list[AttemptCount]]]:
    for endpoint_id, attempts in of_endpoint.items():
        for hour, counts in counted(attempts).items():
            yield (endpoint_id, hour), counts


def _more(endpoint_id: UUID, hour: datetime, counts: Iterable[AttemptCount]) -> UpdateOne:
    known: Row = {"endpoint_id": str(endpoint_id), "hour": to_micros(hour), "purge_at": purge_at(COUNTS_LIFE)}
    more = {f"attempts.{each.bucket}": each.attempts for each in counts}
    more |= {f"arrived.{each.bucket}": each.arrived for each in counts}
    this = {"_id": f"{endpoint_id}/{to_micros(hour)}"}
    return UpdateOne(this, {"$setOnInsert": known, "$inc": more}, upsert=True)


async def counts_since(collections: Collections, endpoint_id: UUID, since: datetime) -> list[AttemptCount]:
    """The counts of the hour `since` and later."""
    query = {"endpoint_id": str(endpoint_id), "hour": {"$gte": to_micros(since)}}
    attempts: Counter[str] = Counter()
    arrived: Counter[str] = Counter()
    for row in await collections.endpoint_hours.find(query).to_list(None):
        attempts.update(row["attempts"])
        arrived.update(row["arrived"])
    return [AttemptCount(int(bucket), number, arrived[bucket]) for bucket, number in attempts.items()]


async def remove_counts(collections: Collections, endpoint_ids: Iterable[str]) -> None:
    """Those of endpoints that are removed."""
    await collections.endpoint_hours.delete_many({"endpoint_id": {"$in": list(endpoint_ids)}})
