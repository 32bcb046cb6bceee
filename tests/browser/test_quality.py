"""The page Quality in a browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.test_access import violations
from tests.support.thorough import LOOKS

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_target_precisions_stand_side_by_side(visit: Visit, axe: str, width: int, scheme: str) -> None:
    page = visit("/app/quality", "auditor", width=width, scheme=scheme)
    table = page.get_by_role("region", name="Target precisions compared")
    verified = table.get_by_role("row").filter(has_text="Invoices verified automatically")
    expect(verified).to_contain_text(
        re.compile(r"83\.3\s%.*2 of 10 wrong.*41\.7\s%.*1 of 5 wrong.*0\s%.*none", re.DOTALL)
    )
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    page.get_by_role("link", name="Plan and use").last.click()
    expect(page.get_by_label("Target", exact=True)).to_have_value("default")
