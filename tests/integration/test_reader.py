"""Documents that attack their reader, and readers that are lost, in the whole service."""

import asyncio
import zlib

import pytest

from tests.integration.conftest import Service, replica
from tests.integration.test_service import finished, post

pytestmark = pytest.mark.ray


def exploding_pdf() -> bytes:
    """A page of three gigabytes, compressed three times to some hundred bytes."""
    content = b"q " * (512 * 1024)
    packer = zlib.compressobj(9, wbits=-15)
    content = packer.compress(content) + packer.flush(zlib.Z_FULL_FLUSH)
    content = zlib.compress(zlib.compress(b"\x78\xda" + content * 3000, 9), 9)
    stream = b"<</Length %d/Filter[/FlateDecode/FlateDecode/FlateDecode]>>stream\n%b\nendstream" % (
        len(content),
        content,
    )
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>",
        stream,
    )
    body = b"".join(b"%d 0 obj\n%b\nendobj\n" % (number, text) for number, text in enumerate(objects, 1))
    return b"%PDF-1.7\n" + body + b"trailer<</Root 1 0 R>>"


async def test_a_document_that_needs_too_much_fails_alone(service: Service) -> None:
    reader = replica("Reader").pid
    hostile = {"file": ("bomb.pdf", exploding_pdf(), "application/pdf")}
    async with service.client() as client:
        answer, *neighbours = await asyncio.gather(
            client.post("/v1/invoices", files=hostile),
            *(post(client, service, number, wait=False) for number in range(4)),
        )
        bomb = await finished(client, answer.json()["id"])
        rest = await asyncio.gather(*(finished(client, invoice["id"]) for invoice in neighbours))
    assert bomb["failure"] == {
        "code": "document_unreadable",
        "message": "Reading the document took too much memory.",
    }
    assert [invoice["status"] for invoice in rest] == ["complete"] * 4
    assert replica("Reader").pid == reader


async def test_a_reader_process_that_is_lost_costs_no_document(service: Service) -> None:
    reader = replica("Reader")
    async with service.client() as client:
        accepted = await asyncio.gather(*(post(client, service, number, wait=False) for number in range(6)))
        workers = [child for child in reader.children() if "isolation.worker" in " ".join(child.cmdline())]
        assert workers, "one at least; another if a long document was read"
        for worker in workers:
            worker.kill()
        invoices = await asyncio.gather(*(finished(client, invoice["id"]) for invoice in accepted))
    assert [invoice["status"] for invoice in invoices] == ["complete"] * 6
    assert replica("Reader").pid == reader.pid
