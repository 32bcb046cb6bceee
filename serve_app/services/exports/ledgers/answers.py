"""What the answers of accounting APIs mean."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from serve_app.services.exports.bill import Bill
from serve_app.services.exports.ports import DeliveryFailed, Refused

ROUNDED_TAX = Decimal("0.05")
"""Programs that compute tax themselves may have a total that differs by so much."""


def accepted(program: str, status: int, answer: Any, said: Callable[[Any], str]) -> dict[str, Any]:
    """The answer to a call that was carried out. Raises Refused with what the program `said` of the bill, and
    DeliveryFailed if it may be accepted later."""
    if status == 200 and isinstance(answer, dict):
        return answer
    if status == 400:
        raise Refused(f"{program} refused it: {said(answer)}")
    reason = "the connection is not accepted" if status in (401, 403) else f"status {status}"
    raise DeliveryFailed(f"{program}: {reason}")


def same_bill(
    program: str, there: Mapping[str, Any], id: str, total: str, bill: Bill, tolerance: Decimal = Decimal(0)
) -> str:
    """The id of the vendor's bill with this number, which is there already. Raises Refused if its total differs by more
    than the tolerance: then it is another bill."""
    found = Decimal(str(there.get(total) or 0))
    if abs(found - bill.total) > tolerance:
        raise Refused(f"{program} has this number of the vendor already, with the total {found:.2f}")
    return str(there[id])
