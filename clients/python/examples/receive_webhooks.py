"""Receive webhooks with the standard library: PORT and INVOICES_WEBHOOK_SECRETS, separated by spaces."""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from invoices_client import WebhookVerificationError, webhooks
from invoices_client.models import Event

SECRETS = os.environ.get("INVOICES_WEBHOOK_SECRETS", "").split()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = webhooks.verify(body, dict(self.headers), SECRETS)
        except WebhookVerificationError as error:
            self.send_error(400, str(error))
            return
        if isinstance(event, Event):
            print(event.type, event.data.invoice.vendor_name, event.data.invoice.amount)
        self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    HTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
