"""Comments on an invoice, in a browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.service import Served
from tests.browser.test_access import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_a_reviewer_comments_and_the_owner_is_notified(
    visit: Visit, service: Served, axe: str, width: int, scheme: str
) -> None:
    page = visit(service.invoice, "reviewer", width=width, scheme=scheme)
    page.get_by_label("Add a comment").fill(f"@owner please look at {width}")
    page.get_by_role("button", name="Add comment").click()
    expect(page.get_by_role("region", name="Comments").get_by_text(f"please look at {width}")).to_be_visible()
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    owner = visit("/app/", "owner", width=width, scheme=scheme)
    mentions = owner.get_by_role("region", name="Comments that mention you")
    assert violations(owner, axe) == []
    mentions.get_by_role("link").first.click()
    expect(owner.get_by_text(f"please look at {width}")).to_be_visible()
    viewer = visit(service.invoice, "viewer", width=width, scheme=scheme)
    expect(viewer.get_by_label("Add a comment")).to_have_count(0)
