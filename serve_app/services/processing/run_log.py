"""What a run tells about itself: in numbers, in the trace of its document, and in one line when it ends."""

import logging
from datetime import datetime

from serve_app.domain.invoice import Failure
from serve_app.domain.record import InvoiceRecord
from serve_app.telemetry import tracer
from serve_app.telemetry.meter import count, observe
from serve_app.telemetry.series import FINISH_SECONDS, RUNS, START_SECONDS
from serve_app.telemetry.tally import Tally

log = logging.getLogger(__name__)


def log_run_started(claim: InvoiceRecord, now: datetime) -> None:
    """The run begins."""
    asked_at = _asked_at(claim)
    if asked_at is not None:
        observe(START_SECONDS, _between(asked_at, now))
        tracer.note("queue", asked_at, now)
    log.info("run started", extra={"attempt": claim.attempt, "lost_claims": claim.lost_claims})


def log_result(claim: InvoiceRecord, now: datetime, invoices: int, seconds: Tally) -> None:
    """The run has ended with a result. `seconds` is where its time went, by stage."""
    tracer.note("event", now, now, type="invoice.completed")
    _log_end(claim, "completed", now)
    log.info(
        "run finished", extra={"attempt": claim.attempt, "invoices": invoices, "seconds": _times(claim, now, seconds)}
    )


def log_failure(claim: InvoiceRecord, now: datetime, failure: Failure, seconds: Tally, *, is_given_up: bool) -> None:
    """The run has ended for good, because of the document, or because too many runs were lost over it."""
    tracer.note("event", now, now, type="invoice.failed")
    _log_end(claim, "quarantined" if is_given_up else "failed", now)
    why = {"step": seconds.step, "code": failure.code, "reason": failure.message}
    log.warning("run failed", extra={**why, "attempt": claim.attempt, "seconds": _times(claim, now, seconds)})


def log_lease_lost(claim: InvoiceRecord) -> None:
    """The claim is another's: nothing that the run did counts."""
    count(RUNS, end="lease_lost")
    log.warning("lease lost, run dropped", extra={"attempt": claim.attempt})


def _log_end(claim: InvoiceRecord, end: str, now: datetime) -> None:
    count(RUNS, end=end)
    if (asked_at := _asked_at(claim)) is not None:
        observe(FINISH_SECONDS, _between(asked_at, now))


def _times(claim: InvoiceRecord, now: datetime, seconds: Tally) -> dict[str, float]:
    """By stage; `all` is the time since the document was accepted."""
    times = {stage: round(spent, 3) for stage, spent in seconds.items()}
    asked_at = _asked_at(claim)
    return times if asked_at is None else {**times, "all": round(_between(asked_at, now), 3)}


def _asked_at(claim: InvoiceRecord) -> datetime | None:
    """When the run was asked for; None if an earlier version took it in."""
    return claim.queued_at


def _between(began: datetime, ended: datetime) -> float:
    """Seconds; never negative, although the two may be by different clocks."""
    return max(0.0, (ended - began).total_seconds())
