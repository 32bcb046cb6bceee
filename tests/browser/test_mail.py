"""The screens of mails in a real browser."""

import re

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
    page.get_by_label("Always read e-mails from").select_option("koehler.example")
    page.get_by_role("button", name="Always").click()
    expect(page.get_by_text("so are later e-mails from koehler.example")).to_be_visible()
    expect(page.get_by_text("offer and invoice.pdf")).to_be_visible()
    expect(page.get_by_text("you have not allowed this sender")).to_have_count(0)


def test_an_owner_makes_an_address_and_says_who_may_write(visit: Visit) -> None:
    page = visit("/app/mail")
    page.get_by_role("link", name="Addresses").click()
    page.get_by_label("Name").fill("Paris office")
    page.get_by_role("button", name="Create address").click()
    expect(page.get_by_text("The address was created.")).to_be_visible()
    expect(page.locator("code.secret").first).to_have_text(re.compile(r"paris-office-[a-z2-7]{16}@"))
    page.get_by_text("Gmail and Google Workspace").click()
    expect(page.get_by_text("Add a forwarding address")).to_be_visible()
    page.get_by_label("Only the allowed senders").check()
    page.get_by_label("Allowed senders", exact=True).fill("nordlicht.example\nanna@company.example")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The rules apply to new e-mails.")).to_be_visible()
    page.get_by_role("link", name="disable it").click()
    page.get_by_role("button", name="Disable").click()
    expect(page.get_by_role("row", name=re.compile("Paris office")).get_by_text("Disabled")).to_be_visible()


def test_a_mail_shows_its_parts_and_a_picture_is_never_read_again(visit: Visit) -> None:
    page = visit("/app/mail", "reviewer")
    page.get_by_role("link", name="Ihre Rechnung 2026-0412").click()
    page.get_by_text("Checks", exact=True).click()
    expect(page.get_by_text("DKIM: pass for koehler.example")).to_be_visible()
    expect(page.get_by_role("link", name="Rechnung 2026-0412.pdf")).to_be_visible()
    page.get_by_role("button", name="Always ignore this picture").click()
    expect(page.get_by_text("This picture is ignored in new e-mails.")).to_be_visible()


def test_a_viewer_sees_links_and_problems_and_decides_nothing(visit: Visit) -> None:
    page = visit("/app/mail", "viewer")
    problems = page.get_by_role("region", name="E-mails with problems")
    problems.get_by_role("link", name="Your bill is ready").click()
    expect(page.get_by_text("https://portal.telefon.example/bill")).to_be_visible()
    expect(page.get_by_text("Needs a password")).to_be_visible()
    for name in ("Fetch the document", "Read again", "Read it anyway", "Always ignore this picture"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
