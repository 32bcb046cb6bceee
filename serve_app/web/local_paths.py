"""Which addresses the pages may lead to."""

from urllib.parse import urlsplit

from starlette.requests import Request

START = "/app/"
DEPLOYMENT = "/app/operator"
"""Where an operator starts who belongs to no account."""
_SIGN_IN = ("/app/sign-in", "/app/signed-in", "/app/sign-out", "/app/enter")


def own_path(next_path: str | None) -> str:
    """`next_path` if it is the path of a page of this application, else the first page: nobody can make a link to the
    sign-in page that leads elsewhere."""
    return next_path if next_path is not None and _is_own(next_path) else START


def page_behind(request: Request) -> str | None:
    """The page to come back to: the one that is asked for, or, for a form or a part of a page, the one that it is on;
    None if that is not known."""
    if request.method == "GET" and "hx-request" not in request.headers:
        return request.url.path + (f"?{request.url.query}" if request.url.query else "")
    parts = urlsplit(request.headers.get("referer", ""))
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    return path if parts.netloc == request.headers.get("host") and _is_own(path) else None


def _is_own(next_path: str) -> bool:
    # Browsers take a backslash for a slash, and drop tabs and line breaks.
    if not next_path.isascii() or not next_path.isprintable() or "\\" in next_path or len(next_path) > 2000:
        return False
    try:
        parts = urlsplit(next_path)
    except ValueError:
        return False
    segments = parts.path.lower().replace("%2e", ".").split("/")
    is_below = next_path == "/app" or next_path.startswith("/app/")
    return (
        is_below
        and not parts.netloc
        and not parts.scheme
        and ".." not in segments
        and "." not in segments
        and (not parts.path.startswith(_SIGN_IN))
    )
