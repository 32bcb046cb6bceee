"""Every series of numbers that the service tells about itself. Names and units follow Prometheus' conventions; no label
names an account, a document or an address."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """How a number behaves: counters only grow, gauges are as they were last set, histograms count what was seen."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Across(StrEnum):
    """How the values of a gauge that several processes of a machine have set become one. The values of processes that
    have ended never count."""

    LATEST = "livemostrecent"
    """All say the same; the one set last counts."""
    MOST = "livemax"
    SUM = "livesum"


@dataclass(frozen=True, slots=True)
class Series:
    """A name with what it means. `labels` name what its values are told apart by; `buckets` are a histogram's upper
    bounds, `across` is for gauges."""

    kind: Kind
    name: str
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()
    across: Across = Across.LATEST


def _counter(name: str, help: str, *labels: str) -> Series:
    return Series(Kind.COUNTER, name, help, labels)


def _gauge(name: str, help: str, *labels: str, across: Across = Across.LATEST) -> Series:
    return Series(Kind.GAUGE, name, help, labels, across=across)


def _seconds(name: str, help: str, buckets: tuple[float, ...], *labels: str) -> Series:
    return Series(Kind.HISTOGRAM, name, help, labels, buckets)


_LONG = (1.0, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0)
_WORK = (0.05, 0.2, 1.0, 5.0, 20.0, 60.0)
_QUICK = (0.01, 0.1, 1.0)

# The queue.
QUEUE_DOCUMENTS = _gauge(
    "invoices_queue_documents", "Documents whose run has not ended, in the store.", "state", "kind"
)
QUEUE_PAGES = _gauge("invoices_queue_waiting_pages", "Pages that waiting documents are expected to have.", "kind")
QUEUE_OLDEST = _gauge(
    "invoices_queue_oldest_seconds", "Age of the document that has been in this state the longest; 0: none.", "state"
)
QUEUE_SEEN = _gauge("invoices_queue_seen_timestamp_seconds", "When the store last said what waits (unix time).")
START_SECONDS = _seconds("invoices_start_seconds", "From accepting a document to the start of its run.", _LONG)
FINISH_SECONDS = _seconds("invoices_finish_seconds", "From accepting a document to its result or failure.", _LONG)
ACCEPTED = _counter("invoices_accepted_total", "Documents accepted.", "source")

# Runs.
STAGE_SECONDS = _seconds(
    "invoices_stage_seconds", "Work of one stage on a document or slice, without waits.", _WORK, "stage"
)
PAGES = _counter("invoices_pages_total", "Pages read.", "kind")
RUNS = _counter("invoices_runs_total", "Runs by how they ended; `quarantined`: given up after too many.", "end")
LOST_CLAIMS = _counter("invoices_lost_claims_total", "Runs whose worker was lost; their documents wait again.")
RETRIES = _counter("invoices_retries_total", "Calls tried again because what they need was out of reach.", "needs")

# Waits.
READER_WAIT_SECONDS = _seconds(
    "invoices_reader_wait_seconds", "Waits of calls for their turn in a reader.", _WORK, "lane"
)
HELD_SECONDS = _seconds("invoices_held_call_seconds", "How long calls with wait=true were held.", _WORK)
HELD_CALLS = _gauge("invoices_held_calls", "Calls with wait=true that are held now.", across=Across.SUM)

# Webhooks and mail.
WEBHOOKS_DUE = _gauge("invoices_webhooks_due", "Deliveries that are due now.")
WEBHOOKS_OLDEST = _gauge("invoices_webhooks_oldest_due_seconds", "How long the longest due delivery has been due.")
WEBHOOK_LAG_SECONDS = _seconds("invoices_webhook_lag_seconds", "From an event to its first delivery attempt.", _LONG)
WEBHOOK_ATTEMPTS = _counter("invoices_webhook_attempts_total", "Delivery attempts.", "outcome")
MAILS_DUE = _gauge("invoices_mails_due", "Mails that are due to be taken apart or answered.")
MAILS = _counter("invoices_mails_total", "Mails that came in, by what became of them.", "outcome")
MAILS_SENT = _counter("invoices_mails_sent_total", "Mails handed to the mail server.", "outcome")

# What is read, beside what it was like when confidence was calibrated.
FIELDS = _counter("invoices_fields_total", "Values that were read.", "field")
FIELDS_HIGH = _counter("invoices_fields_high_total", "Those of them that are `high`.", "field")
FIELDS_AGREED = _counter("invoices_fields_agreed_total", "Those of them on which both models agree.", "field")
CALIBRATED = _gauge(
    "invoices_fields_calibrated_ratio", "The same shares (`high`, `agreed`) at calibration.", "field", "share"
)

# Models.
MODEL_INFO = _gauge(
    "invoices_model_info", "Replicas that run this revision.", "deployment", "revision", across=Across.SUM
)
MODEL_REFUSED = _gauge(
    "invoices_model_refused", "1 while the configured model is refused and an older one is in use.", "deployment",
    across=Across.MOST,
)  # fmt: skip

# Models that are tried beside the first pair.
SHADOW_DOCUMENTS = _counter(
    "invoices_shadow_documents_total", "Documents that another pair of models was to read, too.", "outcome"
)
CANARY_SHARE = _gauge("invoices_canary_share_ratio", "Share of the documents that a canary answers; 0: none runs.")
CANARY_ROLLED_BACK = _gauge(
    "invoices_canary_rolled_back", "1 from a canary's rollback until somebody takes note of it."
)
CANARY_EVIDENCE = _gauge("invoices_canary_evidence", "Highest evidence that the canary is worse; 120 rolls it back.")

# The store.
STORE_SECONDS = _seconds("invoices_store_seconds", "Calls of the store.", _QUICK, "operation")
STORE_ERRORS = _counter("invoices_store_errors_total", "Calls of the store that failed because it was out of reach.")
