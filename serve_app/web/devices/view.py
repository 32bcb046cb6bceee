"""What the page of devices shows."""

import re
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from serve_app.domain.session import WebSession

# The first that a browser's description contains: most claim to be others as well.
_BROWSERS = (
    (re.compile(r"Edg(e|A|iOS)?/"), "Edge"),
    (re.compile(r"OPR/|Opera"), "Opera"),
    (re.compile(r"SamsungBrowser/"), "Samsung Internet"),
    (re.compile(r"Firefox/|FxiOS/"), "Firefox"),
    (re.compile(r"Chrome/|CriOS/|Chromium/"), "Chrome"),
    (re.compile(r"Safari/"), "Safari"),
)
_SYSTEMS = (
    (re.compile(r"iPhone|iPad"), "iOS"),
    (re.compile(r"Android"), "Android"),
    (re.compile(r"Windows"), "Windows"),
    (re.compile(r"Macintosh|Mac OS X"), "macOS"),
    (re.compile(r"CrOS"), "ChromeOS"),
    (re.compile(r"Linux"), "Linux"),
)


@dataclass(frozen=True, slots=True)
class Device:
    """One signed-in browser."""

    id: UUID
    name: str
    is_this: bool
    signed_in_at: datetime
    seen_at: datetime
    ends_at: datetime


def device_of(session: WebSession, this: WebSession) -> Device:
    """The browser of the session; `this` is the visitor's own session."""
    return Device(
        id=session.id,
        name=browser_name(session.user_agent),
        is_this=session.id == this.id,
        signed_in_at=session.created_at,
        seen_at=session.seen_at,
        ends_at=session.expires_at,
    )


def browser_name(user_agent: str) -> str:
    """A browser in words, as "Firefox on Linux"."""
    browser = next((name for pattern, name in _BROWSERS if pattern.search(user_agent)), "Unknown browser")
    system = next((name for pattern, name in _SYSTEMS if pattern.search(user_agent)), None)
    return browser if system is None else f"{browser} on {system}"
