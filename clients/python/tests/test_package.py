"""The installed package, without a service: `python -m unittest discover clients/python/tests`."""

import asyncio
import importlib.metadata
import subprocess
import sys
import unittest
from decimal import Decimal
from pathlib import Path

import httpx

import invoices_client
from invoices_client import AsyncClient, Client, NotFoundError, webhooks

INVOICE = b"""{
 "id": "1", "object": "invoice", "status": "complete", "source": "api", "auto_verified": true, "paid": false,
 "livemode": true, "created_at": "2026-05-17T12:00:00Z", "updated_at": "2026-05-17T12:00:01Z", "amount": 1190.50,
 "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 4},
 "review": {"status": "open", "by": null, "at": null, "reason": null, "fields": [], "corrections": {}}
}"""
REFUSED = {"error": {"type": "not_found", "code": "invoice_not_found", "message": "no", "param": None}}


class PackageTest(unittest.TestCase):
    def setUp(self) -> None:
        self.keys: list[str] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Faults come first; only invoice 1 exists."""
        self.keys.append(request.headers.get("Idempotency-Key", ""))
        if len(self.keys) == 1:
            return httpx.Response(503)
        if request.method == "POST" or request.url.path.endswith("/1"):
            return httpx.Response(200, content=INVOICE)
        return httpx.Response(404, json=REFUSED)

    def test_the_blocking_client(self) -> None:
        with httpx.Client(transport=httpx.MockTransport(self.answer)) as http:
            client = Client(api_key="inv_live_x", backoff=0, http_client=http)
            invoice = client.invoices.create_and_wait(file=b"%PDF")
            with self.assertRaises(NotFoundError):
                client.invoices.retrieve("2")
        self.assertEqual((invoice.amount, str(invoice.amount)), (Decimal("1190.50"), "1190.50"))
        self.assertEqual(self.keys[0], self.keys[1])

    def test_the_asynchronous_client(self) -> None:
        async def read() -> Decimal | None:
            async with httpx.AsyncClient(transport=httpx.MockTransport(self.answer)) as http:
                client = AsyncClient(api_key="inv_live_x", backoff=0, http_client=http)
                return (await client.invoices.retrieve("1")).amount

        self.assertEqual(asyncio.run(read()), Decimal("1190.50"))

    def test_the_vector_of_standard_webhooks(self) -> None:
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        webhooks.verify_signature(b'{"test": 2432232314}', headers, secret, now=1614265330)

    def test_it_is_typed_and_has_a_command(self) -> None:
        self.assertTrue((Path(invoices_client.__file__).parent / "py.typed").exists())
        (command,) = importlib.metadata.entry_points(group="console_scripts", name="invoices-client")
        self.assertTrue(callable(command.load()))
        done = subprocess.run([sys.executable, "-m", "invoices_client.cli", "send", "--help"], capture_output=True)
        self.assertIn(b"--out", done.stdout)


if __name__ == "__main__":
    unittest.main()
