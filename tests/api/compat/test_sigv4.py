"""Signatures of boto3's own signer are accepted, and nothing else."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from serve_app.api.compat.sigv4 import MissingSignature, WrongSignature, check, parse

PATH = "/compat/aws"
BODY = b'{"Document": {"Bytes": "JVBERg=="}}'
KEY = "inv_live_abc-DEF_123"


def signed(key: str = KEY, service: str = "textract") -> dict[str, str]:
    """The headers of a request, as boto3 sends them."""
    headers = {"X-Amz-Target": "Textract.AnalyzeExpense", "Content-Type": "application/x-amz-json-1.1"}
    request = AWSRequest("POST", f"http://service{PATH}", headers, BODY)
    SigV4Auth(Credentials(key, key), service, "eu-west-1").add_auth(request)
    return {"host": "service", **{name.lower(): value for name, value in request.headers.items()}}


def verify(headers: dict[str, str], body: bytes = BODY, path: str = PATH, later: timedelta = timedelta()) -> None:
    sha256 = hashlib.sha256(body).hexdigest()
    check(parse(headers.get("authorization")), path, headers, sha256, datetime.now(UTC) + later)


class TestSignature:
    def test_boto3_is_accepted(self) -> None:
        verify(signed())

    @pytest.mark.parametrize(
        "changed", [{"body": BODY + b" "}, {"path": "/compat/azure"}, {"later": timedelta(minutes=6)}]
    )
    def test_another_body_path_or_time_is_refused(self, changed: dict[str, object]) -> None:
        with pytest.raises(WrongSignature):
            verify(signed(), **changed)  # type: ignore[arg-type]

    def test_another_target_is_refused(self) -> None:
        with pytest.raises(WrongSignature):
            verify(signed() | {"x-amz-target": "Textract.StartExpenseAnalysis"})

    def test_another_secret_is_refused(self) -> None:
        headers = signed()
        other = replace(parse(headers["authorization"]), access_key="inv_live_other")
        with pytest.raises(WrongSignature):
            check(other, PATH, headers, hashlib.sha256(BODY).hexdigest(), datetime.now(UTC))

    def test_another_service_is_refused(self) -> None:
        with pytest.raises(WrongSignature):
            verify(signed(service="s3"))

    @pytest.mark.parametrize("header", [None, "", "Bearer inv_live_abc", "AWS4-HMAC-SHA256 Credential=a/b"])
    def test_no_signature_is_refused(self, header: str | None) -> None:
        with pytest.raises(MissingSignature):
            parse(header)
