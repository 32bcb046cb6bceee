"""The installed package over stdio, with the reference client of the protocol: `python -m unittest discover`."""

import asyncio
import json
import os
import sys
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, ElicitResult

INVOICE = {
    "id": "1",
    "object": "invoice",
    "status": "complete",
    "source": "api",
    "auto_verified": False,
    "paid": False,
    "livemode": True,
    "created_at": "2026-05-17T12:00:00Z",
    "updated_at": "2026-05-17T12:00:01Z",
    "vendor_name": "ACME GmbH",
    "amount": 1190.50,
    "field_confidence": {"vendor": "high", "amount": "mid"},
    "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 4},
    "review": {"status": "open", "by": None, "at": None, "reason": None, "fields": [], "corrections": {}},
}
REFUSED = {"error": {"type": "not_found", "code": "invoice_not_found", "message": "no", "param": None}}


class Service(BaseHTTPRequestHandler):
    """Has invoice 1, whose amount is not certain."""

    changes: ClassVar[list[Any]] = []

    def do_GET(self) -> None:
        is_known = self.path.split("?")[0] == "/v1/invoices/1"
        self._answer(200 if is_known else 404, INVOICE if is_known else REFUSED)

    def do_PATCH(self) -> None:
        self.changes.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self._answer(200, {**INVOICE, "paid": True})

    def _answer(self, status: int, content: object) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


class PackageTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        Service.changes.clear()

    async def session(self, mode: Any) -> CallToolResult:
        async def decline(context: object, params: object) -> ElicitResult:
            return ElicitResult(action="decline")

        environment = {
            **os.environ,
            "INVOICES_URL": f"http://127.0.0.1:{self.server.server_port}",
            "INVOICES_API_KEY": "inv_live_x",
        }
        server = StdioServerParameters(command=sys.executable, args=["-m", "invoices_mcp.cli"], env=environment)
        async with Client(server, mode=mode, elicitation_callback=decline) as client:
            self.assertEqual(len((await client.list_tools()).tools), 9)
            read = await client.call_tool("get_invoice", {"invoice_id": "1"})
            self.assertEqual(read.structured_content["untrusted"]["fields"]["amount"]["level"], "mid")
            missing = await client.call_tool("get_invoice", {"invoice_id": "2"})
            self.assertTrue(missing.is_error)
            return await client.call_tool("mark_paid", {"invoice_id": "1"})

    def test_sessions_of_both_revisions(self) -> None:
        for mode in ("2026-07-28", "legacy"):
            with self.subTest(mode):
                marked = asyncio.run(self.session(mode))
                self.assertFalse(marked.structured_content["done"])
                self.assertTrue(marked.structured_content["asked"])
        self.assertEqual(Service.changes, [])


if __name__ == "__main__":
    unittest.main()
