"""People see where they are signed in, and end it."""

import pytest

from serve_app.domain.account import Account
from serve_app.services.bundle import Services
from serve_app.web.devices.view import browser_name
from tests.web.conftest import NewBrowser, SignedIn


async def test_a_session_is_ended_in_another_browser(signed_in: SignedIn, services: Services, account: Account) -> None:
    here, there = await signed_in(), await signed_in()
    page = await here.get("/app/devices")
    assert page.text.count("Firefox on Linux") == 2
    assert page.text.count("This browser") == 1
    session = page.text.partition('name="session" value="')[2].partition('"')[0]
    answer = await here.post("/app/devices/end", data={"session": session}, follow_redirects=True)
    assert "The browser was signed out." in answer.text
    assert (await there.get("/app/devices")).status_code == 303
    assert (await here.get("/app/devices")).status_code == 200


async def test_nobody_ends_sessions_of_others(signed_in: SignedIn) -> None:
    ann, bob = await signed_in(), await signed_in(email="bob@example.com")
    await signed_in(email="bob@example.com")
    theirs = (await bob.get("/app/devices")).text.partition('name="session" value="')[2].partition('"')[0]
    assert theirs
    assert theirs not in (await ann.get("/app/devices")).text
    await ann.post("/app/devices/end", data={"session": theirs})
    assert theirs in (await bob.get("/app/devices")).text


async def test_signing_out_everywhere(signed_in: SignedIn) -> None:
    browsers = [await signed_in() for _ in range(3)]
    answer = await browsers[0].post("/app/devices/end-all", follow_redirects=True)
    assert "You are signed out everywhere." in answer.text
    for browser in browsers:
        assert (await browser.get("/app/devices")).headers["location"].startswith("/app/sign-in")


@pytest.mark.parametrize("path", ["/app/devices", "/app/people", "/app/audit", "/app/"])
async def test_other_accounts_see_nothing(new: NewBrowser, path: str) -> None:
    answer = await new().get(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/app/sign-in")


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit Version/19.0 Safari/604.1",
            "Safari on iOS",
        ),
        ("Mozilla/5.0 (Linux; Android 16) Chrome/150.0 Mobile Safari/537.36", "Chrome on Android"),
        ("curl/8.0", "Unknown browser"),
        ("", "Unknown browser"),
    ],
)
def test_browsers_in_words(agent: str, name: str) -> None:
    assert browser_name(agent) == name
