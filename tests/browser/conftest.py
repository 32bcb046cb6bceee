"""Chromium, looking at the real pages. A test fails on any error in the console, any violation of the content security
policy, and any request to another host."""

import io
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright
from pydantic import SecretStr

from serve_app.settings import Settings
from serve_app.web.cookies import SESSION
from tests.browser.service import START_SECONDS, Served, served
from tests.support import FakeCutter

# Without the windows of a desktop, which take most of Chromium's time.
CHROMIUM = "/usr/bin/chromium-headless-shell"
# Chromium's own traffic would look like the page's.
FLAGS = [
    *("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--disable-gpu"),
]
# So many tenths of a second the console has for what it still has to write.
_CONSOLE_CHECKS = 50
Visit = Callable[..., Page]
Receiver = tuple[str, list[tuple[dict[str, str], bytes]]]


class BlankPages(FakeCutter):
    """Draws every page as an empty one."""

    async def show(self, data: bytes, page: int) -> bytes:
        picture = io.BytesIO()
        Image.new("RGB", (848, 1200), "white").save(picture, "JPEG")
        return picture.getvalue()


@pytest.fixture(scope="session")
def service_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return settings_in(tmp_path_factory.mktemp("browser"))


def settings_in(folder: Path) -> Settings:
    """Settings of a service whose data are in a folder."""
    return Settings(
        database_url=f"sqlite:///{folder}/invoices.db",
        files_url=str(folder / "files"),
        mail_folder=str(folder / "mail"),
        signing_key=SecretStr("a secret of tests, long enough for the purpose"),
        encryption_key=SecretStr("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="),
        max_file_bytes=2**20,
        # Tests receive webhooks on this machine.
        webhook_networks="127.0.0.0/8",
        poll_seconds=0.05,
        retry_seconds=0,
        stop_seconds=0.2,
    )


@pytest.fixture(scope="session")
def service(service_settings: Settings) -> Iterator[Served]:
    with served(service_settings, BlankPages()) as service:
        yield service


# For this folder and no longer: its event loop counts as running, and tests of coroutines need one of their own.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=START_SECONDS * 1000)
    yield browser
    browser.close()


@pytest.fixture
def visit(browser: Browser, service: Served) -> Iterator[Visit]:
    """Opens a page as a person, or as nobody, in a browser of its own; `refusals` of its requests are meant to fail,
    None: any number."""
    wrong: list[str] = []
    allowed: list[int | None] = []
    opened: list[BrowserContext] = []

    def open_page(
        path: str = "/app/",
        person: str | None = "owner",
        *,
        width: int = 1280,
        scheme: str = "light",
        scripts: bool = True,
        refusals: int | None = 0,
    ) -> Page:
        allowed.append(refusals)
        context = browser.new_context(
            base_url=service.url,
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=scripts,
            locale="en-GB",
            reduced_motion="reduce",
        )
        opened.append(context)
        # The cookie is for https only; Chromium takes the machine itself for as safe, but not when a cookie is added.
        address = service.url.replace("http:", "https:")
        if person is not None:
            context.add_cookies([{"name": SESSION, "value": service.cookies[person], "url": address}])
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: _note_foreign(request.url, service.url, wrong))
        page.goto(path)
        return page

    yield open_page
    expected = sum(each or 0 for each in allowed)
    # Chromium itself writes requests that were refused to the console, some time after the answer.
    for _ in range(_CONSOLE_CHECKS):
        if len(_refused(wrong)) >= expected or not opened[-1].pages:
            break
        opened[-1].pages[0].wait_for_timeout(100)
    for context in opened:
        context.close()
    refused = _refused(wrong)
    assert [each for each in wrong if each not in refused] == []
    assert None in allowed or len(refused) == expected


def _refused(wrong: Sequence[str]) -> list[str]:
    return [each for each in wrong if each.startswith("Failed to load resource")]


def _note_foreign(url: str, own: str, wrong: list[str]) -> None:
    if not url.startswith((own, "blob:", "data:")):
        wrong.append(f"request to {url}")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """The address of a server on this machine, and the headers and bodies of what it was sent."""
    received: list[tuple[dict[str, str], bytes]] = []

    class Receive(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"thank you")

        def log_message(self, *_: Any) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Receive)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook", received
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which looks for violations of WCAG."""
    return (Path(__file__).parent / "vendored" / "axe.min.js").read_text(encoding="utf-8")
