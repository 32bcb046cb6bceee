"""A typed client, generated from the OpenAPI document as a user would, lives through all that an invoice can."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from serve_app.api.app import create_api
from serve_app.domain.batch import Section
from serve_app.settings import Settings
from tests.api.live import Live, live_service
from tests.support import PDF_BYTES
from tests.support.mails import READ

PACKAGE = "generated_invoice_client"
BOSS = "boss@example.com"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The generator's output; the client can be imported."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(create_api().openapi()))
    # The generator knows bytes by this name alone.
    (folder / "config.yaml").write_text("content_type_overrides:\n  image/jpeg: application/octet-stream\n")
    tools = str(Path(sys.executable).parent)
    done = subprocess.run(
        [
            *(f"{tools}/openapi-python-client", "generate", "--fail-on-warning", "--meta", "none"),
            *("--config", str(folder / "config.yaml")),
            *("--path", str(folder / "openapi.json"), "--output-path", str(folder / PACKAGE)),
        ],
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield done.stdout + done.stderr
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


class Api:
    """Calls of the generated client; `client` sends the key."""

    def __init__(self, live: Live, key: str) -> None:
        self.root = import_module(PACKAGE)
        self.models = import_module(f"{PACKAGE}.models")
        self.types = import_module(f"{PACKAGE}.types")
        self.client = self.root.AuthenticatedClient(base_url=live.url, token=key, raise_on_unexpected_status=True)

    def __call__(self, name: str, *path: object, **arguments: Any) -> Any:
        """What the endpoint answered, as its model."""
        answer = import_module(f"{PACKAGE}.api.{name}").sync(*path, client=self.client, **arguments)
        assert answer is not None
        return answer

    def form(self, data: bytes = PDF_BYTES) -> Any:
        return self.models.CreateInvoiceFilesBody(file=self.types.File(BytesIO(data), "bill.pdf", "application/pdf"))


@contextmanager
def calling(live: Live, key: str) -> Iterator[Api]:
    """With its connections closed at the end."""
    api = Api(live, key)
    with api.client:
        yield api


@pytest.fixture
def live(settings: Settings, tmp_path: Path) -> Iterator[Live]:
    changes = {"rate_limit": 1000, "wait_seconds": 20, "mail_folder": str(tmp_path / "mail")}
    with live_service(settings.model_copy(update=changes), lambda *_: [Section(1, 1, READ)]) as live:
        yield live


@pytest.fixture
def api(generated: str, live: Live) -> Iterator[Api]:
    with calling(live, live.full_key) as api:
        yield api


@pytest.fixture
def invoice(api: Api) -> Any:
    """A new complete invoice, after a call that was held for it."""
    made = api("invoices.create_invoice", body=api.form(), wait=True, idempotency_key="order-7")
    assert isinstance(made, api.models.Invoice)
    return made


def test_no_part_of_the_document_is_skipped(generated: str) -> None:
    assert "warning" not in generated.lower()
    assert "unsupported" not in generated.lower()


def test_the_whole_life_of_an_invoice(api: Api, invoice: Any) -> None:
    models = api.models
    assert (invoice.status, invoice.source) == (models.Status.COMPLETE, models.Source.API)
    assert (invoice.vendor_name, invoice.amount, invoice.issued_at) == ("ACME GmbH", 1190.5, READ.issued_at)
    assert invoice.field_confidence["amount"] is models.Confidence.HIGH
    assert api("invoices.get_invoice", invoice.id) == invoice

    tagged = api("invoices.amend_invoice", invoice.id, body=models.AmendInvoiceAmendBody(entity_tag="north"))
    assert (tagged.entity_tag, tagged.paid) == ("north", False)
    paid = api("invoices.amend_invoice", invoice.id, body=models.AmendInvoiceAmendBody(paid=True))
    assert (paid.entity_tag, paid.paid, paid.paid_at is None) == ("north", True, False)

    asked = api("invoices.request_approval", invoice.id, body=models.RequestApprovalApprovalBody(email=BOSS))
    assert (asked.id, asked.approval_status, asked.approval_email) == (invoice.id, "requested", BOSS)

    refused = api("invoices.extract_again", invoice.id)
    assert refused.error.code == "already_complete"
    again = api("invoices.extract_again", invoice.id, body=models.ExtractAgainExtractBody(force=True))
    assert again.id == invoice.id
    assert again.status is not models.Status.COMPLETE


def test_lists_are_filtered_and_paged(api: Api, invoice: Any) -> None:
    models = api.models
    page = api("invoices.list_invoices", vendor="acme", status=models.Status.COMPLETE, min_amount=1190.5, limit=2)
    assert (page.data[0].id, len(page.data), page.has_more) == (invoice.id, 2, True)
    rest = api("invoices.list_invoices", vendor="acme", starting_after=page.data[-1].id, overdue=True)
    assert all(older.created_at < invoice.created_at for older in rest.data)
    assert api("invoices.list_invoices", created_after=invoice.created_at).data == []
    assert api("invoices.list_invoices", due_before=invoice.due_at, source=models.Source.API).data == []

    (vendor,) = api("vendors.list_vendors", limit=1).data
    assert (vendor.id, vendor.name) == (invoice.vendor_id, "ACME GmbH")
    events = api("events.list_events", type_=models.EventType.INVOICE_COMPLETED)
    assert events.data[0].data.invoice == invoice
    assert api("events.list_events", starting_after=events.data[-1].id).has_more is False


def test_the_document_comes_back_as_it_was_sent(api: Api, invoice: Any) -> None:
    link = api("files.get_file_link", invoice.id)
    assert (link.id, link.expires_in, link.file_name) == (invoice.id, 3600, "bill.pdf")
    token = urlsplit(link.url).path.rpartition("/")[2]
    assert api("files.download_file", token).payload.read() == PDF_BYTES


def test_a_document_can_be_named_or_sent_as_text(api: Api) -> None:
    models = api.models
    text = models.CreateInvoiceJsonBase64Upload(file_base64="JVBERi0xLjcK", file_name="a.pdf")
    assert api("invoices.create_invoice", body=text).file.size_bytes == 9
    address = models.CreateInvoiceJsonUrlUpload(file_url="https://files.example/b.pdf")
    accepted = api("invoices.create_invoice", body=address)
    assert isinstance(accepted, models.AcceptedInvoice)


def test_the_quota_and_the_key_are_reported(api: Api, invoice: Any) -> None:
    me = api("account.describe_me")
    assert (me.key.name, me.quota.limit, me.quota.used > 0) == ("till", None, True)


def test_errors_are_models_too(api: Api, live: Live) -> None:
    types = api.models.ErrorType
    wrong = api("invoices.create_invoice", body=api.form(b"plain text"))
    assert (wrong.error.type_, wrong.error.code) == (types.INVALID_REQUEST_ERROR, "unsupported_file_type")
    with calling(live, live.read_key) as reader:
        denied = reader("invoices.create_invoice", body=reader.form())
    assert (denied.error.type_, denied.error.code) == (types.AUTHENTICATION_ERROR, "insufficient_scope")
    with calling(live, "inv_live_nothing") as outsider:
        unknown = outsider("account.describe_me")
    assert unknown.error.code == "invalid_api_key"
