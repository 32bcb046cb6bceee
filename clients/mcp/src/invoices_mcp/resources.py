"""Invoices and their pages as resources."""

from typing import Any

from mcp.server.mcpserver import Context, MCPServer

from invoices_mcp.access import access_of
from invoices_mcp.answers import invoice_answer
from invoices_mcp.untrusted import META, NOTICE


async def invoice(id: str, ctx: Context[Any, Any]) -> str:
    return invoice_answer(await access_of(ctx).client.invoices.retrieve(id)).model_dump_json()


async def page(id: str, page: int, ctx: Context[Any, Any]) -> bytes:
    return await access_of(ctx).client.invoices.picture(id, page)


def add(server: MCPServer[Any]) -> None:
    """Add them to a server."""
    server.resource(
        "invoices://{id}",
        name="invoice",
        description=f"An invoice with the level of each value. `untrusted` has: {NOTICE}",
        mime_type="application/json",
        meta=META,
    )(invoice)
    server.resource(
        "invoices://{id}/pages/{page}",
        name="page",
        description=f"The picture of a page, from 1. {NOTICE}",
        mime_type="image/jpeg",
        meta=META,
    )(page)
