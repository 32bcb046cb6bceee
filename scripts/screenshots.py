"""Take the pictures of the web application for docs/how-to/use-the-web-application.md: `make pictures`."""

import io
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from pydantic import SecretStr

from serve_app.documents.isolation.cutter import IsolatedCutter
from serve_app.documents.options import ReadOptions
from serve_app.settings import Settings
from serve_app.web.cookies import SESSION
from tests.browser.conftest import CHROMIUM
from tests.browser.service import Served, served

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SCREENS = {
    "start": "/app/",
    "send": "/app/send",
    "invoices": "/app/invoices",
    "mail": "/app/mail",
    "vendors": "/app/vendors",
    "approvals": "/app/approvals",
    "events": "/app/events",
    "quick-start": "/app/quick-start",
    "keys": "/app/keys",
    "webhooks": "/app/webhooks",
    "deliveries": "/app/deliveries",
    "requests": "/app/requests",
    "account": "/app/account",
    "people": "/app/people",
    "audit": "/app/audit",
    "devices": "/app/devices",
}
_QUALITY = 80


def main() -> None:
    with TemporaryDirectory(prefix="pictures-") as folder, sync_playwright() as playwright:
        tools = IsolatedCutter(ReadOptions())
        with served(settings_in(Path(folder)), tools, reads=False) as service:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            take_all(browser, service)
            browser.close()
        tools.close()


def take_all(browser: Browser, service: Served) -> None:
    for name, path in SCREENS.items():
        take(browser, service, name, path)
    take(browser, service, "invoice", service.invoice, hover='.value[data-key="amount"]')
    take(browser, service, "invoice-dark", service.invoice, scheme="dark", hover='.value[data-key="vendor"]')
    take(
        browser,
        service,
        "review",
        service.pile[0],
        person="clerk",
        ready='#review-screen[data-words="all"]',
        width=1440,
    )
    take(browser, service, "review-queue", "/app/review", person="clerk")
    take(browser, service, "cut", service.cuts, person="clerk")
    take(browser, service, "first-steps", "/app/", person="newcomer")
    take(browser, service, "palette", "/app/invoices", keys="acme")
    take(browser, service, "phone", "/app/invoices", width=390)


def take(
    browser: Browser,
    service: Served,
    name: str,
    path: str,
    *,
    person: str = "owner",
    width: int = 1280,
    scheme: str = "light",
    hover: str = "",
    keys: str = "",
    ready: str = "",
) -> None:
    """Write one picture, as the person sees the page."""
    context = browser.new_context(
        base_url=service.url,
        viewport={"width": width, "height": 820},
        color_scheme="dark" if scheme == "dark" else "light",
        locale="en-GB",
        reduced_motion="reduce",
    )
    address = service.url.replace("http:", "https:")
    context.add_cookies([{"name": SESSION, "value": service.cookies[person], "url": address}])
    page = context.new_page()
    page.goto(path, wait_until="load")
    if ready:
        page.locator(ready).wait_for()
    if hover:
        page.locator(hover).hover()
    if keys:
        page.keyboard.press("Control+k")
        page.keyboard.type(keys)
        page.locator("#found [role=option]").first.wait_for()
        page.wait_for_timeout(500)
    write(name, page.screenshot())
    context.close()


def write(name: str, picture: bytes) -> None:
    """As a small WebP."""
    Image.open(io.BytesIO(picture)).save(PICTURES / f"web-{name}.webp", "WEBP", quality=_QUALITY, method=6)
    print(name)


def settings_in(folder: Path) -> Settings:
    """Settings of a service whose data are in a folder."""
    return Settings(
        database_url=f"sqlite:///{folder}/invoices.db",
        files_url=str(folder / "files"),
        mail_folder=str(folder / "mail"),
        signing_key=SecretStr("a secret of pictures, long enough for the purpose"),
        encryption_key=SecretStr("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="),
    )


if __name__ == "__main__":
    main()
