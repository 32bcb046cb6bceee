"""The command `invoices-mcp`."""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx

from invoices_mcp.access import Access
from invoices_mcp.app import build_server
from invoices_mcp.options import Options


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve an agent over standard input and output."""
    chosen = _parser().parse_args(arguments)
    key = os.environ.get("INVOICES_API_KEY")
    if not key:
        print("invoices-mcp: set INVOICES_API_KEY", file=sys.stderr)
        return 2
    options = Options(chosen.folder, asks_always=chosen.ask == "always", approvers=chosen.approver)
    asyncio.run(_serve(chosen.url, key, options))
    return 0


async def _serve(url: str | None, key: str, options: Options) -> None:
    async with httpx.AsyncClient() as http:
        await build_server(Access(lambda: key, http, options, url=url)).run_stdio_async()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("invoices-mcp", description="MCP server of the invoice extraction service.")
    parser.add_argument("--url", help="the service; default: INVOICES_URL, else http://127.0.0.1:8000")
    parser.add_argument(
        "--folder", action="append", type=Path, default=[], metavar="DIR", help="documents may be read from here"
    )
    parser.add_argument(
        "--ask",
        choices=["doubtful", "always"],
        default="doubtful",
        help="ask a person before actions whose values are not certain (doubtful), or before each (always)",
    )
    parser.add_argument(
        "--approver",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="may be asked for approval without a question: boss@example.com, or @example.com",
    )
    parser.epilog = "The API key is read from INVOICES_API_KEY."
    return parser


if __name__ == "__main__":
    sys.exit(main())
