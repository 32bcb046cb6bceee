"""Keep a copy of all invoices up to date, asynchronously."""

import asyncio
from datetime import datetime

from invoices_client import AsyncClient
from invoices_client.models.parameters import ListInvoicesQuery


async def follow(client: AsyncClient, since: datetime | None = None) -> datetime | None:
    """Print the changes after a time; returns the time of the last one."""
    query: ListInvoicesQuery = {"sort": "updated_at", "limit": 100}
    if since is not None:
        query["updated_after"] = since
    async for invoice in client.invoices.list(**query):
        print(invoice.id, invoice.status, invoice.updated_at)
        since = invoice.updated_at
    return since


async def main() -> None:
    since: datetime | None = None
    async with AsyncClient() as client:
        while True:
            since = await follow(client, since)
            await asyncio.sleep(30)


if __name__ == "__main__":
    asyncio.run(main())
