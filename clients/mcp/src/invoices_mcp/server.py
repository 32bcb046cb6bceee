"""The server: tools as far as the caller's key allows them, and errors of the service in words."""

from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError, UnexpectedResourceError, UnexpectedToolError
from mcp.shared.exceptions import MCPError
from mcp.types import INTERNAL_ERROR, CallToolResult, InputRequiredResult, Resource, Tool

from invoices_client import InvoicesError
from invoices_mcp.access import Access
from invoices_mcp.errors import explanation

_LISTED = 20


class InvoicesServer(MCPServer[Any]):
    """An MCP server for one service."""

    def __init__(self, access: Access, **options: Any) -> None:
        super().__init__(**options)
        self.access = access

    async def list_tools(self) -> list[Tool]:
        """Those that the caller may use."""
        tools = await super().list_tools()
        return tools if await self.access.may_change() else [tool for tool in tools if _only_reads(tool)]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool that the caller may use."""
        changing = {tool.name for tool in await super().list_tools() if not _only_reads(tool)}
        if name in changing and not await self.access.may_change():
            raise ToolError(f"{name} changes invoices, and this key or token is for reading only.")
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError as error:
            if isinstance(error.__cause__, InvoicesError):
                raise ToolError(explanation(error.__cause__)) from error
            raise

    async def list_resources(self) -> list[Resource]:
        """The newest invoices. Others are read by their address, too."""
        try:
            newest = await anext(self.access.client.invoices.list(limit=_LISTED, exclude="citations").pages())
        except InvoicesError as error:
            raise MCPError(code=INTERNAL_ERROR, message=explanation(error)) from error
        return [
            Resource(uri=f"invoices://{invoice.id}", name=f"Invoice {invoice.id}", mime_type="application/json")
            for invoice in newest
        ]

    async def read_resource(self, uri: Any, context: Context[Any, Any] | None = None) -> Any:
        """Read an invoice or a page."""
        try:
            return await super().read_resource(uri, context)
        except UnexpectedResourceError as error:
            cause = _cause(error)
            if cause is not None:
                raise ResourceError(explanation(cause)) from error
            raise


def _only_reads(tool: Tool) -> bool:
    return tool.annotations is not None and tool.annotations.read_only_hint is True


def _cause(error: BaseException) -> InvoicesError | None:
    """The service's error behind one of the package, which wraps it once or twice."""
    cause = error.__cause__
    return cause if cause is None or isinstance(cause, InvoicesError) else _cause(cause)
