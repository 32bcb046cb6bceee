"""boto3, unchanged but for its endpoint and keys, works with the service."""

import base64
import json
from typing import Any

import boto3
import httpx
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.settings import Settings
from tests.api.compat.conftest import Shelf
from tests.api.compat.readings import NAMES, SAMPLES, sections_of
from tests.api.conftest import MakeKey
from tests.api.live import Live
from tests.support import PDF_BYTES, FakeReader


def client_of(live: Live, key: str, secret: str | None = None) -> Any:
    return boto3.client(
        "textract",
        region_name="eu-west-1",
        endpoint_url=f"{live.url}/compat/aws",
        aws_access_key_id=key,
        aws_secret_access_key=secret or key,
        config=Config(retries={"total_max_attempts": 1}),
    )


@pytest.fixture
def textract(live: Live) -> Any:
    return client_of(live, live.full_key)


@pytest.fixture
async def raw_key(make_key: MakeKey) -> str:
    return (await make_key())["Authorization"].removeprefix("Bearer ")


async def send(
    client: httpx.AsyncClient, key: str, data: bytes = PDF_BYTES, target: str = "Textract.AnalyzeExpense"
) -> httpx.Response:
    """What boto3 sends, always with the same id of the call."""
    body = json.dumps({"Document": {"Bytes": base64.b64encode(data).decode()}}).encode()
    headers = {"X-Amz-Target": target, "amz-sdk-invocation-id": "7"}
    request = AWSRequest("POST", "http://service/compat/aws", headers, body)
    SigV4Auth(Credentials(key, key), "textract", "eu-west-1").add_auth(request)
    sent = {name: value for name, value in request.headers.items() if value}
    return await client.post("/compat/aws", content=body, headers=sent)


def values_of(fields: list[dict[str, Any]]) -> dict[str, str]:
    return {field["Type"]["Text"]: field["ValueDetection"]["Text"] for field in fields}


class TestClient:
    def test_it_reads_the_samples(self, textract: Any, shelf: Shelf) -> None:
        for name in NAMES:
            shelf.sections = sections_of(name)
            answer = textract.analyze_expense(Document={"Bytes": (SAMPLES / name).read_bytes()})
            assert answer["DocumentMetadata"]["Pages"] == shelf.sections[-1].last_page
            for document, section in zip(answer["ExpenseDocuments"], shelf.sections, strict=True):
                read, values = section.extraction, values_of(document["SummaryFields"])
                assert values["TOTAL"] == read.citations["amount"].text  # type: ignore[index,union-attr]
                assert ("INVOICE_RECEIPT_DATE" in values) == (read.issued_at is not None)
                assert {"VENDOR_NAME", "INVOICE_RECEIPT_ID"} <= values.keys()
                rows = [row for group in document["LineItemGroups"] for row in group["LineItems"]]
                assert [values_of(row["LineItemExpenseFields"]).get("ITEM") for row in rows] == [
                    item.description for item in read.line_items
                ]

    def test_levels_places_and_currencies_are_ours(self, textract: Any, shelf: Shelf) -> None:
        answer = textract.analyze_expense(Document={"Bytes": PDF_BYTES})
        fields = {field["Type"]["Text"]: field for field in answer["ExpenseDocuments"][0]["SummaryFields"]}
        total, place = fields["TOTAL"], shelf.sections[0].extraction.citations["amount"]  # type: ignore[index]
        assert total["ValueDetection"]["Confidence"] == pytest.approx(99)
        box = total["ValueDetection"]["Geometry"]["BoundingBox"]
        left, top, right, bottom = place.box  # type: ignore[union-attr]
        assert (box["Left"], box["Top"]) == (left, top)
        assert (box["Width"], box["Height"]) == pytest.approx((right - left, bottom - top))
        assert (total["PageNumber"], total["Currency"]["Code"]) == (1, "USD")

    def test_a_wrong_key_raises_its_error(self, live: Live) -> None:
        for key, secret, code in [
            ("inv_live_wrong", None, "UnrecognizedClientException"),
            (live.full_key, "another", "InvalidSignatureException"),
            (live.read_key, None, "AccessDeniedException"),
        ]:
            with pytest.raises(ClientError) as caught:
                client_of(live, key, secret).analyze_expense(Document={"Bytes": PDF_BYTES})
            assert caught.value.response["Error"]["Code"] == code

    def test_a_wrong_file_raises_its_error(self, textract: Any) -> None:
        errors = textract.exceptions
        with pytest.raises(errors.UnsupportedDocumentException):
            textract.analyze_expense(Document={"Bytes": b"no document"})
        with pytest.raises(errors.DocumentTooLargeException):
            textract.analyze_expense(Document={"Bytes": b"%PDF".ljust(2**20 + 1)})
        with pytest.raises(errors.DocumentTooLargeException):
            textract.analyze_expense(Document={"Bytes": b"%PDF".ljust(2**22)})
        with pytest.raises(errors.InvalidParameterException):
            textract.analyze_expense(Document={"S3Object": {"Bucket": "invoices", "Name": "a.pdf"}})

    def test_other_operations_raise_their_error(self, textract: Any) -> None:
        with pytest.raises(ClientError, match="UnknownOperationException"):
            textract.detect_document_text(Document={"Bytes": PDF_BYTES})


class TestCalls:
    async def test_a_repeated_call_waits_for_the_same_invoice(
        self, anyone: httpx.AsyncClient, raw_key: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("serve_app.api.compat.aws._HELD_SECONDS", 0)
        for _ in range(2):
            answer = await send(anyone, raw_key)
            assert (answer.status_code, answer.json()["__type"]) == (500, "InternalServerError")
        assert answer.headers["x-amzn-errortype"] == "InternalServerError"
        await send(anyone, raw_key, PDF_BYTES + b"another")
        listed = await anyone.get("/v1/invoices", headers={"Authorization": f"Bearer {raw_key}"})
        assert len(listed.json()["data"]) == 2

    @pytest.mark.parametrize(
        ("code", "type"),
        [
            (FailureCode.DOCUMENT_ENCRYPTED, "UnsupportedDocumentException"),
            (FailureCode.NO_TEXT_FOUND, "BadDocumentException"),
        ],
    )
    async def test_an_unread_document_is_an_error(
        self, anyone: httpx.AsyncClient, raw_key: str, running: None, reader: FakeReader, code: FailureCode, type: str
    ) -> None:
        async def fail() -> None:
            raise DocumentError(code, "It cannot be read.")

        reader.before = fail
        answer = await send(anyone, raw_key)
        assert (answer.status_code, answer.json()) == (400, {"__type": type, "message": "It cannot be read."})

    async def test_a_target_that_is_signed_but_not_sent(self, anyone: httpx.AsyncClient, raw_key: str) -> None:
        answer = await send(anyone, raw_key, target="")
        assert (answer.status_code, answer.json()["__type"]) == (400, "UnknownOperationException")

    async def test_no_signature(self, anyone: httpx.AsyncClient) -> None:
        answer = await anyone.post("/compat/aws", json={})
        assert (answer.status_code, answer.json()["__type"]) == (400, "MissingAuthenticationTokenException")


class TestLimits:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"rate_limit": 1})

    async def test_too_many_requests_are_throttled(
        self, anyone: httpx.AsyncClient, raw_key: str, running: None
    ) -> None:
        assert (await send(anyone, raw_key)).status_code == 200
        answer = await send(anyone, raw_key)
        assert (answer.status_code, answer.json()["__type"]) == (400, "ThrottlingException")
