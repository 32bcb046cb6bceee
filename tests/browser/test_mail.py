"""The screens of mails in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.service import Served
from tests.browser.test_access import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "light"), (1280, "dark")])
def test_no_screen_of_mails_violates_wcag(visit: Visit, service: Served, axe: str, width: int, scheme: str) -> None:
    page = visit("/app/mail", width=width, scheme=scheme)
    mails = [f"/app/mail?state={state}" for state in ("", "held", "discarded")]
    for path in (*mails, service.held_mail, "/app/mail/addresses", service.mail_address):
        page.goto(path)
        for summary in page.locator("main summary").all():
            summary.click()
        assert violations(page, axe) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_a_held_mail_is_found_and_its_sender_listed_without_scripts(visit: Visit) -> None:
    page = visit("/app/", "reviewer", scripts=False)
    page.get_by_role("link", name="Mail", exact=True).first.click()
    page.get_by_role("link", name="Decide").click()
    page.get_by_role("link", name="Rechnung Mai").click()
    page.get_by_label("Always read mails of").select_option("koehler.example")
    page.get_by_role("button", name="Always").click()
    expect(page.get_by_text("so are later mails of koehler.example")).to_be_visible()
    expect(page.get_by_text("offer and invoice.pdf")).to_be_visible()
    expect(page.get_by_text("nobody has said that this sender")).to_have_count(0)
