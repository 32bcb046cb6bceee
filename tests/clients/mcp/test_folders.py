"""Which documents an agent can send."""

import base64
import os
from pathlib import Path

import pytest

from invoices_mcp import Options
from tests.clients.mcp.conftest import Connect, both_revisions, texts
from tests.support import PDF_BYTES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Has a document, and so has the folder beside it."""
    for name in ("allowed", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bill.pdf").write_bytes(PDF_BYTES)
    return tmp_path / "allowed"


async def test_a_document_is_one_invoice_however_often_it_is_sent(connect: Connect, folder: Path) -> None:
    async with connect(roots=[folder.as_uri()]) as agent:
        first = await agent.call_tool("extract_invoice", {"path": str(folder / "bill.pdf")})
        again = await agent.call_tool("extract_invoice", {"path": (folder / "bill.pdf").as_uri()})
        short = await agent.call_tool("extract_invoice", {"path": "bill.pdf"})
    assert first.structured_content["status"] == "complete", texts(first)
    assert {each.structured_content["id"] for each in (first, again, short)} == {first.structured_content["id"]}


@pytest.mark.parametrize(
    "path", ["../other/bill.pdf", "link.pdf", ".hidden.pdf", "pipe", "/etc/passwd", "~/.ssh/id_rsa", "no.pdf", "\0"]
)
async def test_no_other_file_is_read(connect: Connect, folder: Path, path: str) -> None:
    (folder / "link.pdf").symlink_to(folder.parent / "other" / "bill.pdf")
    (folder / ".hidden.pdf").write_bytes(PDF_BYTES)
    os.mkfifo(folder / "pipe")
    async with connect(options=Options([folder])) as agent:
        result = await agent.call_tool("extract_invoice", {"path": path})
    assert result.is_error
    expected = "This is not a file." if path == "pipe" else "No such file in an allowed folder."
    assert texts(result) == [f"Error executing tool extract_invoice: {expected}"]


@both_revisions
async def test_client_and_operator_must_both_allow_a_folder(connect: Connect, folder: Path) -> None:
    call = ("extract_invoice", {"path": str(folder / "bill.pdf")})
    other = (folder.parent / "other").as_uri()
    async with connect(options=Options([folder]), roots=[other]) as agent:
        assert (await agent.call_tool(*call)).is_error
    async with connect(options=Options([folder]), roots=[folder.parent.as_uri()]) as agent:
        assert not (await agent.call_tool(*call)).is_error
    async with connect() as agent:
        assert "No folder is allowed" in texts(await agent.call_tool(*call))[0]


async def test_folders_of_a_client_elsewhere_are_not_those_of_this_machine(connect: Connect, folder: Path) -> None:
    async with connect(options=Options(is_remote=True), roots=[folder.as_uri()]) as agent:
        result = await agent.call_tool("extract_invoice", {"path": str(folder / "bill.pdf")})
    assert "No folder is allowed" in texts(result)[0]


async def test_documents_come_as_resources_and_addresses_too(connect: Connect) -> None:
    blob = base64.b64encode(PDF_BYTES).decode()
    async with connect() as agent:
        sent = await agent.call_tool("extract_invoice", {"resource": {"uri": "mail://1/a.pdf", "blob": blob}})
        broken = await agent.call_tool("extract_invoice", {"resource": {"uri": "mail://1/a.pdf", "blob": "!"}})
        local = await agent.call_tool("extract_invoice", {"url": "http://127.0.0.1/a.pdf"})
        both = await agent.call_tool("extract_invoice", {"url": "https://example.com/a.pdf", "path": "a.pdf"})
    assert sent.structured_content["untrusted"]["file_name"] == "a.pdf"
    assert "not Base64" in texts(broken)[0]
    assert "400" in texts(local)[0]
    assert "exactly one" in texts(both)[0]
