"""Logs say why a document was refused before it had an id."""

import httpx
import pytest

from serve_app.domain.errors import StoreUnreachable
from serve_app.store.files import FolderFiles
from tests.support import PDF_BYTES
from tests.support.json_logs import collected_logs, diagnosed

PATH = "/v1/invoices"


async def test_a_refused_document_is_found_from_its_request_id(client: httpx.AsyncClient) -> None:
    with collected_logs() as logs:
        answer = await client.post(PATH, files={"file": ("a.txt", b"plain text")})
    diagnosis = diagnosed(answer.headers["X-Request-Id"], logs)
    assert diagnosis is not None
    assert (diagnosis.stage, diagnosis.cause) == ("intake", "the call was refused: 415 unsupported_file_type")
    assert diagnosis.action.startswith("Send a PDF")


async def test_the_cause_of_a_503_is_found(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object) -> None:
        raise StoreUnreachable from OSError(28, "No space left on device")

    monkeypatch.setattr(FolderFiles, "write", refuse)
    with collected_logs() as logs:
        answer = await client.post(PATH, files={"file": ("a.pdf", PDF_BYTES)})
    assert answer.status_code == 503
    diagnosis = diagnosed(answer.headers["X-Request-Id"], logs)
    assert diagnosis is not None
    assert diagnosis.stage == "intake"
    assert "No space left on device" in diagnosis.cause
