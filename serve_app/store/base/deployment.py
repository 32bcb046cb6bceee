"""Which deployment a database belongs to."""

from typing import Protocol
from uuid import UUID


class DeploymentId(Protocol):
    """A random id of the database. A restored database has another one than that of which the backup was made: two
    services are never the same deployment."""

    async def get(self) -> UUID:
        """The id, which the first call makes."""
        ...
