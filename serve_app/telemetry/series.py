"""Every series of numbers that the service tells about itself. Names and units follow Prometheus' conventions; no label
names a document or an address, and only those of accounts that `metrics_accounts` lists name an account."""

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
QUEUE_DOCUMENTS = _gauge("invoices_queue_documents", "Documents in the store whose run has not ended.", "state", "kind")
QUEUE_PAGES = _gauge("invoices_queue_waiting_pages", "Expected pages of waiting documents.", "kind")
QUEUE_OLDEST = _gauge("invoices_queue_oldest_seconds", "Age of the oldest document in this state; 0: none.", "state")
QUEUE_SEEN = _gauge(
    "invoices_queue_seen_timestamp_seconds", "Time of the last queue numbers from the store (Unix time)."
)
START_SECONDS = _seconds(
    "invoices_start_seconds", "Time from the acceptance of a document to the start of its run.", _LONG
)
FINISH_SECONDS = _seconds(
    "invoices_finish_seconds", "Time from the acceptance of a document to its result or failure.", _LONG
)
ACCEPTED = _counter("invoices_accepted_total", "Accepted documents.", "source")

# Runs.
STAGE_SECONDS = _seconds(
    "invoices_stage_seconds", "Processing time of one stage for a document or slice, without waits.", _WORK, "stage"
)
PAGES = _counter("invoices_pages_total", "Pages read.", "kind")
RUNS = _counter("invoices_runs_total", "Runs by end; `quarantined`: failed after too many lost runs.", "end")
LOST_CLAIMS = _counter("invoices_lost_claims_total", "Runs that lost their worker; their documents are queued again.")
RETRIES = _counter("invoices_retries_total", "Retried calls, by the unreachable dependency.", "needs")

LOST_READERS = _counter(
    "invoices_lost_readers_total", "Child processes lost while they read a document, which is tried once more.", "cause"
)

# Waits.
READER_WAIT_SECONDS = _seconds("invoices_reader_wait_seconds", "Waiting time of calls for a reader.", _WORK, "lane")
HELD_SECONDS = _seconds("invoices_held_call_seconds", "Duration of held calls (wait=true).", _WORK)
HELD_CALLS = _gauge("invoices_held_calls", "Calls held now (wait=true).", across=Across.SUM)

# Webhooks and mail.
WEBHOOKS_DUE = _gauge("invoices_webhooks_due", "Deliveries due now.")
WEBHOOKS_OLDEST = _gauge("invoices_webhooks_oldest_due_seconds", "Time since the oldest due delivery became due.")
WEBHOOK_LAG_SECONDS = _seconds(
    "invoices_webhook_lag_seconds", "Time from an event to its first delivery attempt.", _LONG
)
WEBHOOK_ATTEMPTS = _counter("invoices_webhook_attempts_total", "Delivery attempts.", "outcome")
MAILS_DUE = _gauge("invoices_mails_due", "Mails due to be unpacked or answered.")
MAILS = _counter("invoices_mails_total", "Received mails by outcome.", "outcome")
MAILS_SENT = _counter("invoices_mails_sent_total", "Mails handed to the mail server.", "outcome")

# Watched folders.
WATCHED_FILES = _counter(
    "invoices_watched_files_total", "Files of watched folders: `sent`, then moved to `done` or `failed`.", "outcome"
)
WATCHED_WAITING = _gauge(
    "invoices_watched_waiting_files", "Files in watched folders that are not moved yet.", across=Across.SUM
)
WATCHED_PROBLEMS = _gauge("invoices_watched_problem_folders", "Watched folders with a problem now.", across=Across.SUM)

# What is read, beside what it was like when confidence was calibrated.
FIELDS = _counter("invoices_fields_total", "Extracted values.", "field")
FIELDS_HIGH = _counter("invoices_fields_high_total", "Extracted values that are `high`.", "field")
FIELDS_AGREED = _counter("invoices_fields_agreed_total", "Extracted values on which both models agree.", "field")
CALIBRATED = _gauge(
    "invoices_fields_calibrated_ratio", "Shares of `high` and `agreed` values at calibration.", "field", "share"
)

# Models.
MODEL_INFO = _gauge("invoices_model_info", "Replicas with this revision.", "deployment", "revision", across=Across.SUM)
MODEL_REFUSED = _gauge(
    "invoices_model_refused", "1 while the configured model is refused and an older model is used.", "deployment",
    across=Across.MOST,
)  # fmt: skip

# Models that are tried beside the first pair.
SHADOW_DOCUMENTS = _counter("invoices_shadow_documents_total", "Documents for a shadow pair, by outcome.", "outcome")
CANARY_SHARE = _gauge("invoices_canary_share_ratio", "Share of documents answered by a canary; 0: no canary.")
CANARY_ROLLED_BACK = _gauge("invoices_canary_rolled_back", "1 after a rollback until somebody stops the canary.")
CANARY_EVIDENCE = _gauge("invoices_canary_evidence", "Highest evidence that the canary is worse; 120 rolls it back.")

# The store.
STORE_SECONDS = _seconds("invoices_store_seconds", "Duration of store calls.", _QUICK, "operation")
STORE_ERRORS = _counter("invoices_store_errors_total", "Store calls that failed because the store was unreachable.")

# Accounts that `metrics_accounts` lists. A month is a calendar month (UTC), as of the plan.
ACCOUNT_DOCUMENTS = _gauge(
    "invoices_account_month_documents", "Documents of this month, of a listed account.", "account"
)
ACCOUNT_PAGES = _gauge(
    "invoices_account_month_pages", "Pages read this month; `ocr`: those of them that OCR read.", "account", "kind"
)
ACCOUNT_CPU = _gauge("invoices_account_month_cpu_seconds", "Processor time of this month's readings.", "account")
ACCOUNT_QUEUE = _gauge("invoices_account_queue_documents", "Documents whose run has not ended.", "account", "state")
ACCOUNT_REFUSED = _counter("invoices_account_refused_total", "Calls refused by a limit.", "account", "code")

# What an operator takes care of. Times are Unix times.
DISK_FREE = _gauge("invoices_disk_free_bytes", "Free space on the disk of the database or the files.", "folder")
BACKUP_MADE = _gauge("invoices_backup_made_timestamp_seconds", "Time of the last backup; 0: none.")
BACKUP_TESTED = _gauge("invoices_backup_tested_timestamp_seconds", "Time of the last good restore drill; 0: none.")
KEY_CHANGED = _gauge("invoices_key_changed_timestamp_seconds", "Time of the last change of a file with a key.", "key")
CERTIFICATE_EXPIRES = _gauge(
    "invoices_certificate_expires_timestamp_seconds", "Time at which a certificate expires.", "certificate"
)
CLOCK_OFFSET = _gauge("invoices_clock_offset_seconds", "How far the clock is ahead of the database's.")
CLOCK_UNKEPT = _gauge("invoices_clock_unkept", "1 while nothing keeps the machine's clock right (NTP).")
