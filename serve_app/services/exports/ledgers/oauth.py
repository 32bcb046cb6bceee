"""Access by OAuth 2.0 with refresh tokens."""

import base64
from urllib.parse import quote, urlencode

from serve_app.services.exports.ports import Call, DeliveryFailed


async def new_tokens(call: Call, url: str, client_id: str, client_secret: str, refresh_token: str) -> tuple[str, str]:
    """An access token, and the refresh token that replaces this one. Raises DeliveryFailed."""
    credentials = base64.b64encode(f"{quote(client_id)}:{quote(client_secret)}".encode()).decode()
    headers = {
        "Authorization": f"Basic {credentials}",
        "Accept": "application/json",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    body = urlencode({"grant_type": "refresh_token", "refresh_token": refresh_token}).encode()
    status, answer = await call("POST", url, headers, body)
    if status == 429 or status >= 500:
        raise DeliveryFailed(f"No access token: status {status}")
    if status != 200 or not isinstance(answer, dict) or "access_token" not in answer:
        raise DeliveryFailed("The refresh token is not accepted; connect the account again")
    return str(answer["access_token"]), str(answer.get("refresh_token") or refresh_token)
