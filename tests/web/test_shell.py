"""What all pages have in common."""

import re

import httpx
import pytest

from serve_app.domain.person import Role
from tests.web.conftest import Browse


async def test_a_page_may_load_only_from_the_service(browse: Browse) -> None:
    page = await browse().get("/app/")
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["x-frame-options"] == "DENY"
    assert not re.search(r"<[^>]+ (style|on\w+)=", page.text)


async def test_static_files_may_be_kept_for_ever_and_answer_compressed(browse: Browse) -> None:
    browser = browse()
    addresses = re.findall(r'(?:href|src)="(/app/static/[^"#]+)"', (await browser.get("/app/")).text)
    assert len(set(addresses)) >= 4
    for address in set(addresses):
        file = await browser.get(address)
        assert file.status_code == 200, address
        assert "immutable" in file.headers["cache-control"]
    assert file.headers["content-encoding"] == "gzip"


async def test_other_files_are_not_served(browse: Browse) -> None:
    for path in ("shell/layout.html", "../settings.py", "pages.py", ""):
        assert (await browse().get(f"/app/static/x/{path}")).status_code == 404, path


async def test_who_is_not_signed_in_is_sent_to_sign_in_and_back(browse: Browse) -> None:
    answer = await browse(None).get("/app/?a=1")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/app/sign-in?next=%2Fapp%2F%3Fa%3D1"


async def test_an_unknown_address_is_a_page_that_leads_on(browse: Browse) -> None:
    answer = await browse().get("/app/nothing")
    assert answer.status_code == 404
    assert 'href="/app/"' in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {},
    ],
)
async def test_a_forged_request_is_refused(browse: Browse, headers: dict[str, str]) -> None:
    browser = browse()
    browser.headers = httpx.Headers(headers)
    answer = await browser.post("/app/anything")
    assert answer.status_code == 403
    assert "did not come from a page of this service" in answer.text


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, {"Origin": "https://service"}]
)
async def test_a_request_from_a_page_is_not(browse: Browse, headers: dict[str, str]) -> None:
    browser = browse()
    browser.headers = httpx.Headers(headers)
    assert (await browser.post("/app/anything")).status_code == 404


async def test_the_menu_offers_only_what_the_role_allows(browse: Browse) -> None:
    owner, viewer = [(await browse(role).get("/app/")).text for role in (Role.OWNER, Role.VIEWER)]
    assert 'href="/app/keys"' in owner
    assert 'href="/app/keys"' not in viewer
    assert 'href="/app/send"' not in viewer
    assert 'href="/app/operator"' not in owner
    assert 'href="/app/operator"' in (await browse(is_operator=True).get("/app/")).text
