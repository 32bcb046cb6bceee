"""What the answers of accounting APIs mean."""

from collections.abc import Callable
from typing import Any

from serve_app.services.exports.ports import DeliveryFailed, Refused


def accepted(program: str, status: int, answer: Any, said: Callable[[Any], str]) -> dict[str, Any]:
    """The answer to a call that was carried out. Raises Refused with what the program `said` of the bill, and
    DeliveryFailed if it may be accepted later."""
    if status == 200 and isinstance(answer, dict):
        return answer
    if status == 400:
        raise Refused(f"{program} refused it: {said(answer)}")
    reason = "the connection is not accepted" if status in (401, 403) else f"status {status}"
    raise DeliveryFailed(f"{program}: {reason}")
