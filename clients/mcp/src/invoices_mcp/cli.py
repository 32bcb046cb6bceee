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
from invoices_mcp.remote import Remote, build_remote, serve_remote


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve agents over standard input and output, or over HTTP."""
    try:
        return _serve(arguments)
    except KeyboardInterrupt:
        return 130


def _serve(arguments: Sequence[str] | None) -> int:
    chosen = _parser().parse_args(arguments)
    key = os.environ.get("INVOICES_API_KEY", "")
    if not key and (chosen.http is None or chosen.issuer is not None):
        return _fail("set INVOICES_API_KEY")
    options = Options(chosen.folder, asks_always=chosen.ask == "always", approvers=chosen.approver)
    if chosen.http is None:
        asyncio.run(_serve_one(chosen.url, key, options))
        return 0
    host, _, port = chosen.http.rpartition(":")
    try:
        remote = Remote(host.strip("[]") or "127.0.0.1", int(port), chosen.public_url, chosen.issuer)
        remote.check()
    except ValueError as error:
        return _fail(str(error))
    asyncio.run(_serve_many(remote, chosen.url, key, options))
    return 0


def _fail(message: str) -> int:
    print(f"invoices-mcp: {message}", file=sys.stderr)
    return 2


async def _serve_one(url: str | None, key: str, options: Options) -> None:
    async with httpx.AsyncClient() as http:
        await build_server(Access(lambda: key, http, options, url=url)).run_stdio_async()


async def _serve_many(remote: Remote, url: str | None, key: str, options: Options) -> None:
    async with httpx.AsyncClient() as http:
        await serve_remote(build_remote(remote, http, options, url=url, key=key), remote)


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
    parser.add_argument("--http", metavar="HOST:PORT", help="serve Streamable HTTP at /mcp instead of stdio")
    parser.add_argument("--public-url", metavar="URL", help="the address of /mcp that clients use")
    parser.add_argument(
        "--issuer",
        metavar="URL",
        help="accept OAuth tokens of this issuer for --public-url; without it, callers send keys of the service",
    )
    parser.epilog = "The API key is read from INVOICES_API_KEY."
    return parser


if __name__ == "__main__":
    sys.exit(main())
