"""Signing in at an identity provider, in a real browser: cookies and the policy of the pages let it through."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from pydantic import SecretStr

from serve_app.settings import Settings
from tests.browser.conftest import BlankPages
from tests.browser.service import Served, served
from tests.support.identity import Provider, running_provider
from tests.support.ports import free_port

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def service(service_settings: Settings, provider: Provider, tmp_path: Path) -> Iterator[Served]:
    """A service of its own, which knows the provider."""
    port = free_port()
    client = provider.register(f"http://127.0.0.1:{port}/app/sign-in/oidc/back")
    given = {
        "database_url": f"sqlite:///{tmp_path}/invoices.db",
        "files_url": str(tmp_path / "files"),
        "oidc_issuer": provider.issuer,
        "oidc_client_id": client["client_id"],
        "oidc_client_secret": SecretStr(client["client_secret"]),
    }
    with served(service_settings.model_copy(update=given), BlankPages(), port) as service:
        yield service


def test_the_provider_leads_back_to_the_page_that_was_wanted(
    browser: Browser, service: Served, provider: Provider
) -> None:
    provider.says("ada", email="owner@example.com", email_verified=True)
    context = browser.new_context(base_url=service.url)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.goto("/app/devices")
    page.get_by_role("link", name="Sign in with 127.0.0.1").click()
    page.wait_for_url(f"{provider.issuer}/**")
    page.locator("input[name=sub]").fill("ada")
    page.locator("input[name=sub]").press("Enter")
    page.wait_for_url(f"{service.url}/app/devices")
    expect(page.get_by_text("This browser")).to_be_visible()
    names = {cookie["name"] for cookie in context.cookies()}
    assert "__Host-invoices" in names
    assert "__Host-invoices-oidc" not in names
    context.close()
    # The provider has pages of its own, with errors of their own.
    assert [each for each in wrong if "Content Security Policy" in each] == []
