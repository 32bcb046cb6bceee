"""Type names for what the driver takes and returns."""

from typing import Any, TypeAlias

from motor.motor_asyncio import AsyncIOMotorDatabase

Row: TypeAlias = dict[str, Any]
"""A document of a collection."""
Collections: TypeAlias = AsyncIOMotorDatabase[Row]
"""All collections of the database, by name."""


def named(row: Row) -> Row:
    """The row with its `_id` also as `id`, as the decoders of both stores call it."""
    return {**row, "id": row["_id"]}
