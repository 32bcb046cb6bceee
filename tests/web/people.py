"""Browsers of people who have really signed in."""

import re
from email import message_from_bytes, policy
from pathlib import Path

import httpx
from fastapi import FastAPI

from serve_app.web.cookies import SESSION


def new_browser(app: FastAPI, base: str = "https://service", peer: str = "192.0.2.7") -> httpx.AsyncClient:
    """A browser without any cookies, which says that its requests come from pages of the service."""
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False, client=(peer, 4711))
    headers = {"Sec-Fetch-Site": "same-origin", "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0"}
    return httpx.AsyncClient(transport=transport, base_url=base, headers=headers)


async def enter(browser: httpx.AsyncClient, link: str) -> httpx.Response:
    """Open a link and press its button; returns the answer to that."""
    assert (await browser.get("/app/enter")).status_code == 200
    return await browser.post("/app/enter", data={"token": link.partition("#")[2]})


def give(browser: httpx.AsyncClient, name: str, value: str) -> None:
    """Put a cookie into the browser, in place of its own."""
    browser.cookies.clear()
    browser.headers["Cookie"] = f"{name}={value}"


def session_of(browser: httpx.AsyncClient) -> str | None:
    """The value of the session's cookie."""
    return browser.cookies.get(SESSION)


def newest_mail(folder: Path) -> tuple[str, str, str]:
    """The recipient, the link and the code of the newest sign-in mail in a folder."""
    message = message_from_bytes(max(folder.glob("*.eml")).read_bytes(), policy=policy.default)
    part = message.get_body(("plain",))
    assert part is not None
    text = part.get_content().replace("\r\n", "\n")
    link, code = re.search(r"^https?://\S+$", text, re.MULTILINE), re.search(r"^ +(\d{6,10})$", text, re.MULTILINE)
    assert link is not None
    assert code is not None
    return str(message["To"]), link[0], code[1]
