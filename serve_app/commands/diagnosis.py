"""Why a document failed: the stage, the cause in one sentence, and what to do. From the lines of logs, or from the
store."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from serve_app.api.error_docs import ADVICE
from serve_app.domain.invoice import FailureCode, Status
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.webhook import Delivery, DeliveryState

Line = dict[str, Any]
_REFUSED = 400
_REPEATED = "nothing: it is tried again by itself"
_DOCTOR = "run `invoices doctor`, and start what is out of reach"
_REPORT = "report the error with the lines of `invoices logs`"
_INTERRUPTED = "remove the cause, then have the document read again: POST /v1/invoices/{id}/extract"
_ENDPOINT = "run `invoices webhook deliveries`: it lists the attempts, and whether one has succeeded since"
_ACTIONS = {
    FailureCode.DOCUMENT_ENCRYPTED: "ask the sender for the document without a password",
    FailureCode.DOCUMENT_UNREADABLE: "ask the sender for another copy, and whether it opens there",
    FailureCode.DOCUMENT_TOO_LARGE: "ask the sender for its parts, or raise the limit that is named",
    FailureCode.NO_TEXT_FOUND: "ask the sender for a page with text: a sharper scan, or not an empty one",
    FailureCode.EXTRACTION_INTERRUPTED: _INTERRUPTED,
}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`stage` is one of intake, read, interpret, save and delivery; `run` if none is known; `queue` while it waits."""

    stage: str
    cause: str
    action: str


def from_lines(lines: Iterable[Line]) -> Diagnosis | None:
    """What the lines about one document, in order of time, say last; None if nothing failed."""
    found: Diagnosis | None = None
    for line in lines:
        # Some messages end with an error, after a colon.
        message, _, error = str(line.get("message", "")).partition(": ")
        if (meaning := _MEANINGS.get(message)) is not None:
            found = meaning(line, error, found)
    return found


def from_store(record: InvoiceRecord, deliveries: Sequence[Delivery], now: datetime) -> Diagnosis | None:
    """What the store knows; None if nothing failed."""
    invoice = record.invoice
    if invoice.failure is not None and invoice.status is Status.FAILED:
        code = invoice.failure.code
        # Both the reader and the reconciler have limits: only the logs say which one was reached.
        stage = "run" if code in (FailureCode.EXTRACTION_INTERRUPTED, FailureCode.DOCUMENT_TOO_LARGE) else "read"
        return Diagnosis(stage, f"{invoice.failure.message} ({code})", _ACTIONS[code])
    if invoice.status in (Status.QUEUED, Status.PROCESSING):
        return _unfinished(record, now)
    undelivered = next(
        (each for each in deliveries if each.state is not DeliveryState.DELIVERED and each.attempts), None
    )
    if undelivered is None:
        return None
    last = undelivered.attempts[-1]
    return Diagnosis("delivery", _answer(last.status, last.error), _ENDPOINT)


def _unfinished(record: InvoiceRecord, now: datetime) -> Diagnosis:
    since = record.queued_at or record.invoice.created_at
    state = "waits" if record.invoice.status is Status.QUEUED else "is being read"
    cause = f"it {state} since {(now - since).total_seconds():.0f} s"
    lost = {"runs were lost": record.lost_claims, "runs stopped because a worker was out of reach": record.releases}
    counted = [f"{count} {what}" for what, count in lost.items() if count]
    action = f"{_DOCTOR}; the logs have the cause (`invoices why ID FILE`)" if counted else "run `invoices queue`"
    return Diagnosis("queue", "; ".join([cause, *counted]), action)


def _answer(status: int | None, error: str | None) -> str:
    return f"the endpoint answered {status}" if error is None else f"the endpoint was not reached: {error}"


def _accepted(_line: Line, _error: str, _found: Diagnosis | None) -> None:
    return None


def _answered(line: Line, _error: str, found: Diagnosis | None) -> Diagnosis | None:
    code, status = line.get("code"), line.get("status", 0)
    if found is not None or status < _REFUSED:
        return found
    return Diagnosis("intake", f"the call was refused: {status} {code}", ADVICE.get(str(code), _REPORT))


def _unavailable(_line: Line, error: str, _found: Diagnosis | None) -> Diagnosis:
    return Diagnosis("intake", error, f"{_DOCTOR}; the sender repeats the call")


def _request_broke(line: Line, _error: str, _found: Diagnosis | None) -> Diagnosis:
    return Diagnosis("intake", _last_line(line), _REPORT)


def _retried(line: Line, error: str, _found: Diagnosis | None) -> Diagnosis:
    return Diagnosis(_stage(line, "run"), f"out of reach: {error}", f"{_DOCTOR}; the document is tried again by itself")


def _gave_up(line: Line, _error: str, found: Diagnosis | None) -> Diagnosis:
    return _retried(line, str(line.get("cause")), found)


def _broke(line: Line, _error: str, _found: Diagnosis | None) -> Diagnosis:
    return Diagnosis(_stage(line, "run"), _last_line(line), f"{_REPORT}; the document is tried again by itself")


def _lost(_line: Line, error: str, _found: Diagnosis | None) -> Diagnosis:
    return Diagnosis("save", f"the result was not stored: {error}", f"{_DOCTOR}; another run follows by itself")


def _lease_lost(_line: Line, _error: str, _found: Diagnosis | None) -> Diagnosis:
    return Diagnosis("run", "another dispatcher took the document over", _REPEATED)


def _failed(line: Line, _error: str, found: Diagnosis | None) -> Diagnosis:
    code = str(line.get("code"))
    action = _ACTIONS.get(code, _REPORT)  # type: ignore[call-overload]
    if code == FailureCode.EXTRACTION_INTERRUPTED:
        if found is not None:
            return replace(found, action=action)
        # A run that logged nothing was killed.
        cause = "the process that read it was killed, mostly for want of memory: Ray's files (raylet.out) say why"
        return Diagnosis("run", cause, action)
    return Diagnosis(_stage(line, "read"), f"{line.get('reason')} ({code})", action)


def _undelivered(line: Line, _error: str, _found: Diagnosis | None) -> Diagnosis:
    return Diagnosis("delivery", _answer(line.get("status"), line.get("error")), _ENDPOINT)


def _stage(line: Line, otherwise: str) -> str:
    return str(line.get("step") or line.get("needs") or otherwise)


def _last_line(line: Line) -> str:
    """The error of a stack trace."""
    return (str(line.get("exception", "")).strip().splitlines() or ["no error given"])[-1]


_MEANINGS: dict[str, Callable[[Line, str, Diagnosis | None], Diagnosis | None]] = {
    "invoice accepted": _accepted,
    "answered": _answered,
    "not available": _unavailable,
    "request failed": _request_broke,
    "out of reach, trying again": _retried,
    "run gave up waiting": _gave_up,
    "run broke": _broke,
    "run lost": _lost,
    "lease lost, run dropped": _lease_lost,
    "run failed": _failed,
    "run finished": _accepted,
    "delivery failed": _undelivered,
}
"""What a line means after what was found so far, by its message."""
