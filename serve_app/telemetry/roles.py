"""Which process tells what. A process has all its series from its start, at zero: an alarm about a counter must see its
first step, and a panel must not be empty until something happens."""

from itertools import product

from serve_app.domain.evidence import HEADER
from serve_app.telemetry import series
from serve_app.telemetry.series import Kind, Series

Child = tuple[Series, dict[str, str]]
"""A series with a value for each of its labels."""

KINDS = ("text", "scan", "photo")
STATES = ("waiting", "running")
SAVING, OTHER = "save", "other"
_FIELDS = tuple(str(field) for field in HEADER)


def each(one: Series, **values: tuple[str, ...]) -> list[Child]:
    """The series with each combination of these values of its labels."""
    return [(one, dict(zip(values, chosen, strict=True))) for chosen in product(*values.values())]


def _store(*operations: str) -> list[Child]:
    return [*each(series.STORE_SECONDS, operation=operations), *each(series.STORE_ERRORS)]


def _model(deployment: str) -> list[Child]:
    stage = {"Extractor": "extract", "Verifier": "verify"}[deployment]
    return [
        *each(series.STAGE_SECONDS, stage=(stage,)),
        *each(series.MODEL_REFUSED, deployment=(deployment,)),
    ]


_LOST_READERS = each(series.LOST_READERS, cause=("time", "memory", "crash", "nonsense"))

CHILDREN: dict[str, list[Child]] = {
    "Ingress": [
        *each(series.ACCEPTED, source=("api", "app", "email")),
        *each(series.HELD_SECONDS),
        *each(series.HELD_CALLS),
        *_LOST_READERS,
        *each(series.MAILS_SENT, outcome=("sent", "failed")),
        *_store("accept", "look", "list", OTHER),
    ],
    "Dispatcher": [
        *each(series.QUEUE_DOCUMENTS, state=STATES, kind=KINDS),
        *each(series.QUEUE_PAGES, kind=KINDS),
        *each(series.QUEUE_OLDEST, state=STATES),
        *each(series.QUEUE_SEEN),
        *each(series.START_SECONDS),
        *each(series.FINISH_SECONDS),
        *each(series.STAGE_SECONDS, stage=("save",)),
        *each(
            series.RUNS,
            end=("completed", "failed", "quarantined", "handed_back", "out_of_reach", "crashed", "lease_lost"),
        ),
        *each(series.LOST_CLAIMS),
        *each(series.SHADOW_DOCUMENTS, outcome=("same", "changed", "skipped", "failed")),
        *each(series.CANARY_SHARE),
        *each(series.CANARY_ROLLED_BACK),
        *each(series.CANARY_EVIDENCE),
        *each(series.CLOCK_OFFSET),
        *each(series.CLOCK_UNKEPT),
        *each(series.RETRIES, needs=("reader", "model", "reconciler", "store", "files")),
        *_store("claim", "renew", SAVING, OTHER),
    ],
    "Reader": [
        *_LOST_READERS,
        *each(series.STAGE_SECONDS, stage=("fetch", "read", "ocr")),
        *each(series.READER_WAIT_SECONDS, lane=("new", "later")),
        *each(series.PAGES, kind=KINDS),
    ],
    "Reconciler": [
        *each(series.STAGE_SECONDS, stage=("reconcile",)),
        *(
            child
            for one in (series.FIELDS, series.FIELDS_HIGH, series.FIELDS_AGREED)
            for child in each(one, field=_FIELDS)
        ),
        *each(series.CALIBRATED, field=_FIELDS, share=("high", "agreed")),
    ],
    "Extractor": _model("Extractor"),
    "Verifier": _model("Verifier"),
    "Delivery": [
        *each(series.WEBHOOKS_DUE),
        *each(series.WEBHOOKS_OLDEST),
        *each(series.WEBHOOK_LAG_SECONDS),
        *each(series.WEBHOOK_ATTEMPTS, outcome=("delivered", "refused", "failed", "unanswered")),
        *each(series.MAILS_SENT, outcome=("sent", "failed")),
        *_store("claim", SAVING, OTHER),
    ],
    "Mailroom": [
        *each(series.MAILS_DUE),
        *_LOST_READERS,
        *each(series.MAILS, outcome=("admit", "hold", "discard", "give_up")),
        *each(series.MAILS_SENT, outcome=("sent", "failed")),
        *each(series.ACCEPTED, source=("email",)),
        *_store("claim", "accept", SAVING, OTHER),
    ],
    "Watcher": [
        *each(series.WATCHED_FILES, outcome=("sent", "done", "failed")),
        *each(series.WATCHED_WAITING),
        *each(series.WATCHED_PROBLEMS),
        *each(series.ACCEPTED, source=("app",)),
    ],
}
"""By the name of the deployment."""


def observed_operations(deployment: str) -> frozenset[str]:
    """The calls of the store that it tells apart."""
    return frozenset(labels["operation"] for one, labels in CHILDREN[deployment] if one is series.STORE_SECONDS)


MOST_SERIES = 90
"""That one process may have."""


def size_of(one: Series) -> int:
    """How many time series Prometheus stores for one combination of labels."""
    return len(one.buckets) + 3 if one.kind is Kind.HISTOGRAM else 1
