"""What many tests of the API check."""

import httpx


def assert_error(answer: httpx.Response, status: int, type: str, code: str) -> str:
    """The answer is this error in the envelope; returns its message."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"type", "code", "message", "param", "doc_url"}
    assert body["error"]["doc_url"] == f"/docs/errors#{code}"
    assert (body["error"]["type"], body["error"]["code"]) == (type, code)
    message = body["error"]["message"]
    assert isinstance(message, str)
    assert message
    return message
