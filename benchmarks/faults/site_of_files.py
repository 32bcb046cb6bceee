"""A web site of documents on this machine, for calls that name a `file_url`."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import trustme
from aiohttp import web

from benchmarks.faults.documents import Document


@dataclass(frozen=True, slots=True)
class FileSite:
    """Where documents are served, and the certificate that its clients must trust."""

    url: str
    certificate: Path
    documents: dict[str, bytes]

    def offer(self, document: Document) -> str:
        """The URL of a document from now on."""
        path = f"/document-{document.number}.pdf"
        self.documents[path] = document.data
        return self.url + path


@asynccontextmanager
async def file_site(folder: Path) -> AsyncIterator[FileSite]:
    """An https site with a certificate of its own, until the end of the block."""
    authority, documents = trustme.CA(), dict[str, bytes]()

    async def handle(request: web.BaseRequest) -> web.Response:
        data = documents.get(request.path)
        await asyncio.sleep(0.05)
        return web.Response(status=404) if data is None else web.Response(body=data, content_type="application/pdf")

    runner = web.ServerRunner(web.Server(handle, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=_tls(authority)).start()
    certificate = folder / "authority.pem"
    authority.cert_pem.write_to_path(str(certificate))
    try:
        yield FileSite(f"https://localhost:{runner.addresses[0][1]}", certificate, documents)
    finally:
        await runner.cleanup()


def _tls(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    return context
