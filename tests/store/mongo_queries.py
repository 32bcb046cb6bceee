"""Queries of the MongoDB store, written down, and held against its indexes."""

from dataclasses import dataclass, field
from typing import Any

from serve_app.store.mongo.engine.indexes import Index
from tests.store.mongo_faults import Fault, FaultyCollection

Row = dict[str, Any]
_ONE = frozenset({"find_one", "find_one_and_update", "update_one", "delete_one", "replace_one"})
_MANY = frozenset({"find", "update_many", "delete_many"})
# Once in a process, and over all endpoints, which are few.
_UPGRADE = {"lane": {"$exists": False}}


@dataclass(frozen=True)
class Query:
    """`first` is the field that the answer is sorted by first."""

    collection: str
    where: Row
    first: str | None
    is_confirmed: bool
    is_single_write: bool = False


@dataclass
class Recorder(Fault):
    """Lets nothing fail, and writes the queries down."""

    queries: list[Query] = field(default_factory=list)

    def asked(self, collection: FaultyCollection, name: str, values: tuple[Any, ...], options: Row) -> None:
        where: Row | None = values[0] if name in _ONE | _MANY else None
        if name == "distinct":
            where = values[1]
        if name == "aggregate":
            where = values[0][0]["$match"]
        if name == "bulk_write":
            # The driver tells the condition of a change to nobody else.
            for change in values[0]:
                self.queries.append(
                    Query(collection.name, change._filter, None, is_confirmed=False, is_single_write=True)
                )
        if where is not None and where != _UPGRADE:
            first = options.get("sort", [(None, 1)])[0][0]
            is_write = name in _ONE - {"find_one"}
            self.queries.append(Query(collection.name, where, first, collection.concern is not None, is_write))


def bounded(where: Row) -> dict[str, Any]:
    """The fields that the query bounds, and how; of alternatives, what all of them bound."""
    found: dict[str, Any] = {}
    for name, bound in where.items():
        if name == "$and":
            for part in bound:
                found |= bounded(part)
        elif name == "$or":
            parts = [bounded(part) for part in bound]
            found |= {field: bound for field, bound in parts[0].items() if all(field in part for part in parts)}
        elif isinstance(bound, dict) and "$elemMatch" in bound:
            found |= {f"{name}.{inner}": value for inner, value in bound["$elemMatch"].items()}
        elif not name.startswith("$") and not (isinstance(bound, dict) and _is_loose(bound)):
            found[name] = bound
    return found


def _is_loose(bound: Row) -> bool:
    return bool({"$ne", "$nin", "$regex"} & bound.keys()) or bound.get("$exists") is False


def serves(index: Index, query: Query) -> bool:
    fields = bounded(query.where)
    leading = index.directions[0][0]
    partial: Row = index.options.get("partialFilterExpression", {})
    within = all(
        name in fields and (fields[name] is not None if isinstance(value, dict) else fields[name] == value)
        for name, value in partial.items()
    )
    is_sorting = query.first == leading and not index.options.get("sparse")
    return index.collection == query.collection and within and (leading in fields or is_sorting)
