"""The tool that sends documents."""

import asyncio
import base64
import binascii
from hashlib import sha256
from typing import Annotated, Any

from mcp.server.mcpserver import Context, ListRoots, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, ListRootsResult
from pydantic import BaseModel, Field

from invoices_client.models import Invoice
from invoices_mcp.access import Access, access_of
from invoices_mcp.answers import InvoiceAnswer, invoice_answer, result, summary
from invoices_mcp.folders import paths_of, read_allowed

_NO_ROOTS = ListRootsResult(roots=[])


class DocumentResource(BaseModel):
    """A document that the agent has, as in the contents of a resource."""

    uri: str = Field(description="Its last part is the name of the file.")
    blob: str = Field(description="The bytes in Base64.")


async def client_roots(path: str | None, ctx: Context[Any, Any]) -> ListRootsResult | ListRoots:
    """The folders that the client allows. Those of a client on another machine say nothing about this one."""
    has_roots = ctx.client_capabilities is not None and ctx.client_capabilities.roots is not None
    if path is None or access_of(ctx).options.is_remote or not has_roots:
        return _NO_ROOTS
    return ListRoots()


async def extract_invoice(
    ctx: Context[Any, Any],
    roots: Annotated[ListRootsResult, Resolve(client_roots)],
    path: Annotated[str | None, Field(description="A file in an allowed folder.")] = None,
    url: Annotated[str | None, Field(description="A public https address.")] = None,
    resource: Annotated[DocumentResource | None, Field(description="The document itself.")] = None,
) -> Annotated[CallToolResult, InvoiceAnswer]:
    """Read a document: a PDF, a picture or another format of invoices. Give exactly one of `path`, `url` and
    `resource`. The same document sent twice within a day is one invoice. Waits up to a minute; if the invoice is not
    complete then, read it with get_invoice."""
    if sum(source is not None for source in (path, url, resource)) != 1:
        raise ToolError("Give exactly one of path, url and resource.")
    access = access_of(ctx)
    if url is not None:
        return _answer(await access.client.invoices.create(url=url, wait=True))
    if resource is not None:
        return _answer(await _send(access, _decoded(resource.blob), resource.uri.rpartition("/")[2] or "document"))
    folders = paths_of(str(root.uri) for root in roots.roots)
    data, name = await asyncio.to_thread(read_allowed, path or "", access.options.folders, folders)
    return _answer(await _send(access, data, name))


async def _send(access: Access, data: bytes, name: str) -> Invoice:
    """The document makes the idempotency key: an agent that repeats a call gets the same invoice."""
    key = sha256(name.encode() + b"\0" + data).hexdigest()
    return await access.client.invoices.create(file=data, file_name=name, wait=True, idempotency_key=f"mcp-{key}")


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ToolError("`blob` is not Base64.") from None


def _answer(invoice: Invoice) -> CallToolResult:
    answer = invoice_answer(invoice)
    return result(answer, said=summary(answer))
