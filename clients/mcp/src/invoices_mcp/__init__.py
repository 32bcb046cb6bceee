"""MCP server of the invoice extraction service: tools and resources for agents."""

from invoices_mcp.access import Access
from invoices_mcp.app import build_server
from invoices_mcp.options import Options

__all__ = ["Access", "Options", "build_server"]
