"""A long scan in the whole service: it does not hold up others, and survives the loss of its reader."""

import asyncio
import io
from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from serve_app.settings import Settings
from tests.integration.conftest import Service, replica
from tests.integration.test_service import finished, post

pytestmark = pytest.mark.ray

SCAN = Path(__file__).parents[2] / "samples" / "scan.jpg"


def scan(pages: int) -> bytes:
    """The sample scan, small, on every page."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(300, 420), invariant=True)
    picture = ImageReader(Image.open(SCAN).convert("L").resize((900, 1260)))
    for _ in range(pages):
        canvas.drawImage(picture, 0, 0, 300, 420)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


async def test_a_short_document_overtakes_a_long_one_whose_reader_is_killed(service: Service) -> None:
    long = {"file": ("scan.pdf", scan(12), "application/pdf")}
    async with service.client() as client:
        answer = await client.post("/v1/invoices", files=long)
        await asyncio.sleep(6)
        short = await post(client, service)
        running = (await client.get(f"/v1/invoices/{answer.json()['id']}")).json()
        replica("Reader").kill()
        invoice = await finished(client, answer.json()["id"])
    assert (short["status"], running["status"]) == ("complete", "processing")
    assert (invoice["status"], invoice["pages"]) == ("complete", 12)
    assert not list(_kept(service.settings))


def _kept(settings: Settings) -> list[Path]:
    assert settings.files_folder is not None
    return list(settings.files_folder.rglob("*-pages"))
