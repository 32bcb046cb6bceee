"""The same list by the API, as a command."""

from urllib.parse import urlencode

from starlette.requests import Request

from serve_app.settings import Settings
from serve_app.web.links import own_address


def curl_of(request: Request, settings: Settings, path: str, **values: object) -> str:
    """A GET of `path` with these values as its query, without those that are None or empty; the key is a variable."""
    query = urlencode({name: str(value) for name, value in values.items() if value not in (None, "")})
    address = f"{own_address(request, settings)}{path}{'?' + query if query else ''}"
    return f"curl '{address}' \\\n  -H \"Authorization: Bearer $INVOICES_KEY\""
