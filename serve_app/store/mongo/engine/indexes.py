"""The indexes and their purposes. docs/reference/mongodb.md lists them for operators; `index_building` creates them."""

from dataclasses import dataclass, field
from typing import Any

_HAS_SLOT = {"seat": {"$exists": True}}
_PLACED = {"place": {"$exists": True}}
# Any text: MongoDB recognises a query for one text as a subset of this, which it would not with `$type`.
_SOME = {"$gt": ""}
UNSEEN = {"status": "complete", "needs_person": False, "review_status": "open"}
"""Invoices that were verified automatically, and nobody had to look at."""


@dataclass(frozen=True, slots=True)
class Index:
    """`keys` are field names, with a leading `-` for descending order. A changed index needs a new name: an existing
    index with the same name is taken for it."""

    collection: str
    name: str
    keys: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def is_unique(self) -> bool:
        """Whether it does more than speed up queries: its constraint must hold before anything is written."""
        return bool(self.options.get("unique", False))

    @property
    def directions(self) -> list[tuple[str, int]]:
        return [(key.lstrip("-"), -1 if key.startswith("-") else 1) for key in self.keys]


def _only(condition: dict[str, Any]) -> dict[str, Any]:
    """Options of an index that contains only the documents that meet the condition."""
    return {"partialFilterExpression": condition}


# Once this moment has passed, MongoDB removes the document by itself, within a minute or so.
_EXPIRES = {"expireAfterSeconds": 0}

INDEXES = (
    Index("api_keys", "hash", ("hash",), {"unique": True}),
    Index("api_keys", "of_account", ("account_id", "_id")),
    Index("operator_keys", "hash", ("hash",), {"unique": True}),
    Index("accounts", "of_person", ("members.person_id",)),
    Index("accounts", "of_plan", ("plan",)),
    Index("people", "address", ("email_key",), {"unique": True}),
    # One person for each identity at a provider.
    Index("people", "identity", ("identity",), {"unique": True, "sparse": True}),
    Index("people", "operators", ("is_operator", "_id"), _only({"is_operator": 1})),
    Index("sessions", "of_account", ("account_id",)),
    Index("sessions", "of_person", ("person_id", "-seen_at")),
    Index("sessions", "end", ("expires_at",)),
    Index("sessions", "expiry", ("purge_at",), _EXPIRES),
    *(
        Index(name, *index)
        for name in ("sign_in_links", "mail_sign_ins")
        for index in (
            ("of_person", ("person_id",)),
            ("end", ("expires_at",)),
            ("expiry", ("purge_at",), _EXPIRES),
        )
    ),
    Index("audit", "listed", ("account_id", "-_id")),
    Index("audit", "of_target", ("account_id", "target", "-_id")),
    Index("thresholds", "of_account", ("account_id",)),
    Index("own_fields", "of_account", ("account_id", "_id")),
    Index("receipts", "of_account", ("account_id", "-_id")),
    Index("paces", "age", ("at",)),
    *(
        Index(name, *index)
        for name in ("comparisons", "canary_runs")
        for index in (
            ("of_account", ("account_id",)),
            ("of_canary", ("canary_id", "at"), _only({"canary_id": _SOME})),
            ("age", ("at",)),
            ("expiry", ("purge_at",), _EXPIRES),
        )
    ),
    Index("comparisons", "of_candidate", ("candidate", "-at")),
    Index("canaries", "newest", ("-id",)),
    Index("deletions", "of_account", ("account_id", "-_id")),
    Index("deletions", "due", ("due_at",)),
    Index("quotas", "of_account", ("account_id",)),
    Index("usage_months", "of_account", ("account_id",)),
    Index("quotas", "open_invoices", ("open.invoice_id",)),
    Index("quotas", "open_age", ("open.made_at",)),
    Index("doomed_files", "age", ("made_at",)),
    Index("rate_windows", "age", ("window",)),
    Index("rate_windows", "expiry", ("purge_at",), _EXPIRES),
    Index("idempotency", "of_account", ("account_id",)),
    Index("idempotency", "age", ("created_at",)),
    Index("idempotency", "expiry", ("purge_at",), _EXPIRES),
    Index("idempotency", "of_invoice", ("invoice_id",)),
    Index("approval_mails", "of_account", ("account_id",)),
    Index("approval_mails", "age", ("day",)),
    Index("approval_mails", "expiry", ("purge_at",), _EXPIRES),
    Index("mail_addresses", "local", ("local",), {"unique": True}),
    Index("mail_addresses", "of_account", ("account_id", "-_id")),
    # One row per mail, even if it arrives twice at the same time.
    Index("mails", "once", ("account_id", "address_id", "fingerprint"), {"unique": True}),
    Index("mails", "of_day", ("address_id", "received_at", "size")),
    Index("mails", "due", ("due_at", "_id"), _only({"due_at": {"$gt": 0}})),
    Index("mails", "turns", ("account_id", "due_at", "_id"), _only({"due_at": {"$gt": 0}})),
    Index("mails", "with_problems", ("account_id", "-_id"), _only({"problems": {"$gt": 0}})),
    Index("mails", "care", ("care_at", "_id"), _only({"care_at": {"$gt": 0}})),
    Index("mails", "listed", ("account_id", "-_id", "state", "held_for", "address_id")),
    Index("mails", "held", ("held_for", "account_id"), _only({"held_for": _SOME})),
    Index("mails", "of_invoice", ("invoices",)),
    Index("mail_documents", "of_invoice", ("account_id", "invoice_id")),
    Index("mail_documents", "of_mail", ("mail_id",)),
    Index("mail_documents", "age", ("received_at",)),
    Index("mail_pictures", "of_account", ("account_id",)),
    Index("mail_pictures", "age", ("newest",)),
    Index("mail_pictures", "expiry", ("purge_at",), _EXPIRES),
    Index("automatic_mails", "of_account", ("account_id",)),
    Index("automatic_mails", "age", ("newest",)),
    Index("automatic_mails", "expiry", ("purge_at",), _EXPIRES),
    Index("erased_ids", "of_account", ("account_id",)),
    Index("erased_ids", "age", ("erased_at",)),
    Index("erased_ids", "expiry", ("purge_at",), _EXPIRES),
    Index("calls", "listed", ("account_id", "-id", "status", "key_id", "request_id")),
    Index("calls", "age", ("at",)),
    Index("calls", "expiry", ("purge_at",), _EXPIRES),
    # One invoice per slot, even if processes assign slots concurrently: this is what makes the cap exact.
    Index("invoices", "seats", ("account_id", "seat"), {"unique": True, **_only(_HAS_SLOT)}),
    Index("invoices", "turn", ("turn", "_id", "next_run_at"), _only({"status": "queued", **_HAS_SLOT})),
    Index("invoices", "due", ("status", "next_run_at"), _only(_HAS_SLOT)),
    Index("invoices", "waiting", ("account_id", "_id"), _only({"waiting": True})),
    # Contain all that is counted of what waits, and of what runs.
    *(
        Index("invoices", name, ("status", "account_id", "kind", "expected_pages", since), _only({"status": status}))
        for name, status, since in (
            ("backlog_queued", "queued", "queued_at"),
            ("backlog_running", "processing", "updated_at"),
        )
    ),
    Index("invoices", "outbox", ("outbox_at", "_id"), _only({"outbox_at": {"$exists": True}})),
    # Contains every field that a list can be filtered by: documents that do not match are skipped without being read.
    Index(
        "invoices",
        "listed_by_review",
        (
            *("account_id", "-_id", "status", "source", "created_at", "vendor_folded", "amount", "due_at", "paid"),
            *("document.currency", "document.issued_at", "duplicate_of", "level", "review_status"),
        ),
    ),
    # Every trigram of a vendor's name and of the number, each in the order of the list.
    Index("invoices", "by_trigram", ("account_id", "trigrams", "-_id")),
    Index("invoices", "by_source", ("account_id", "source", "-_id")),
    Index("invoices", "by_status", ("account_id", "status", "-_id")),
    *(
        # The invoices that have a value there, for each value in the order of the list.
        Index("invoices", name, ("account_id", key, "-_id"), _only({key: _SOME}))
        for name, key in (
            ("by_vendor", "vendor_id"),
            ("by_number", "document.invoice_number"),
            ("by_currency", "document.currency"),
            ("by_tag", "entity_tag"),
            ("by_approval", "approval_status"),
            ("by_issue_date", "document.issued_at"),
            ("by_iban", "document.details.iban"),
            ("by_tax_number", "document.details.vendor_tax_id"),
            ("by_level", "level"),
            ("by_models", "models"),
            ("by_review", "review_status"),
            ("by_order_match", "order_match"),
        )
    ),
    *(
        # Those without a value, too: they come last.
        Index("invoices", f"in_order_of_{name}", ("account_id", key, "_id"))
        for name, key in (
            ("amount", "amount"),
            ("due_date", "due_at"),
            ("issue_date", "document.issued_at"),
            ("vendor", "vendor_folded"),
            ("change", "updated_at"),
        )
    ),
    # Also those that are in none: what the next export may contain.
    Index("invoices", "of_export", ("account_id", "export_id", "-_id")),
    Index("invoices", "repeated", ("account_id", "-_id"), _only({"duplicate_of": _SOME})),
    Index("invoices", "lessons", ("account_id", "lesson_keys"), _only({"lesson_keys": _SOME})),
    Index("invoices", "reviewed", ("account_id", "reviewed_at"), _only({"reviewed_at": {"$gt": 0}})),
    Index("invoices", "coded", ("account_id", "-coded_at", "-_id"), _only({"coded_at": {"$gt": 0}})),
    Index(
        "invoices",
        "with_own_fields",
        ("account_id", "-own_fields_at", "-_id"),
        _only({"own_fields_at": {"$gt": 0}}),
    ),
    Index("invoices", "needing_person", ("account_id", "-_id"), _only({"needs_person": True})),
    Index("invoices", "with_alerts", ("account_id", "-_id"), _only({"has_alerts": True})),
    Index("invoices", "unseen", ("account_id", "_id"), _only(UNSEEN)),
    Index("invoices", "of_order", ("account_id", "order_ids", "-_id"), _only({"order_ids": _SOME})),
    Index("invoices", "of_custom", ("account_id", "custom_terms", "-_id"), _only({"custom_terms": _SOME})),
    Index("invoices", "of_file", ("file_key",)),
    Index("invoices", "of_bytes", ("account_id", "sha256", "created_at"), _only({"sha256": _SOME})),
    Index("invoices", "twins", ("account_id", "duplicate_key", "_id"), _only({"duplicate_key": _SOME})),
    # Contains everything that a vendor's sums are computed from.
    Index(
        "invoices",
        "shares_of_vendor",
        ("account_id", "vendor_key", "seen_on", "billed", "duplicate_of", "stands_in"),
        _only({"vendor_key": _SOME}),
    ),
    Index("vendors", "key", ("account_id", "key"), {"unique": True}),
    # One order of a number, even if processes add orders concurrently.
    Index("purchase_orders", "numbers", ("account_id", "number_key"), {"unique": True}),
    Index("purchase_orders", "listed", ("account_id", "-_id", "status", "vendor_key")),
    Index("purchase_orders", "of_vendor", ("account_id", "vendor_key", "-_id")),
    Index("purchase_orders", "to_check", ("check_at", "_id"), _only({"check_at": {"$gt": 0}})),
    Index("saved_views", "of_person", ("account_id", "person_id", "_id")),
    Index("comments", "of_invoice", ("invoice_id", "_id")),
    Index("comments", "mentions", ("account_id", "mentions", "-_id")),
    Index("vendors", "merged", ("account_id", "merged_into"), _only({"merged_into": _SOME})),
    # Contains the name that is searched for.
    Index(
        "vendors",
        "spend_and_name",
        ("account_id", "-spend", "_id", "name_folded"),
        _only({"invoice_count": {"$gt": 0}}),
    ),
    Index("exports", "listed", ("account_id", "is_done", "-_id")),
    Index("exports", "of_invoice", ("account_id", "invoices")),
    Index("exports", "due", ("due_at",), _only({"due_at": {"$gt": 0}})),
    Index("ledger_connections", "of_account", ("account_id",)),
    Index("export_schedules", "of_account", ("account_id", "_id")),
    Index("export_schedules", "due", ("due_at",), _only({"due_at": {"$gt": 0}})),
    Index("watched_folders", "of_account", ("account_id",)),
    Index("watched_files", "of_folder", ("account_id", "folder_id")),
    Index("watched_files", "of_invoice", ("account_id", "invoice_id")),
    Index("events", "listed", ("account_id", "-_id", "type", "created_at")),
    Index("events", "of_invoice", ("invoice_id",)),
    Index("events", "deletions", ("type", "created_at"), _only({"type": "invoice.deleted"})),
    Index("events", "tests", ("test_of",), _only({"test_of": _SOME})),
    Index("endpoint_hours", "of_endpoint", ("endpoint_id", "hour")),
    Index("endpoint_hours", "age", ("hour",)),
    Index("endpoint_hours", "expiry", ("purge_at",), _EXPIRES),
    Index("endpoints", "of_account", ("account_id", "_id")),
    # One endpoint per URL and per place, even if processes add endpoints concurrently; there are as many places as an
    # account may have endpoints.
    # Endpoints of an earlier version have no place, and may share a URL.
    Index("endpoints", "urls", ("account_id", "url"), {"unique": True, **_only(_PLACED)}),
    Index("endpoints", "places_of_account", ("account_id", "place"), {"unique": True, **_only(_PLACED)}),
    Index("endpoints", "turn", ("paused_reason", "is_slow", "due_at", "_id"), _only({"due_at": {"$exists": True}})),
    Index("endpoints", "untold", ("is_owner_untold", "_id"), _only({"is_owner_untold": True})),
    Index("endpoints", "unsettled", ("unsettled.at",), _only({"unsettled.at": {"$exists": True}})),
    # One delivery of an event per endpoint, however often the event is spread.
    Index("deliveries", "once", ("account_id", "event_id", "endpoint_id"), {"unique": True}),
    Index("deliveries", "next", ("endpoint_id", "next_attempt_at", "_id"), _only({"state": "pending"})),
    Index("deliveries", "log", ("account_id", "-_id", "endpoint_id", "event_id", "state", "created_at")),
    Index("deliveries", "of_endpoint", ("endpoint_id", "state")),
)
# The driver creates the indexes of the files themselves.
FILE_INDEXES = (Index("fs.unfinished", "age", ("made_at",)),)
# Replaced indexes of earlier versions, by collection. No other index may reuse their names.
OBSOLETE = {
    "deliveries": ("due", "listed", "event_endpoint"),
    "endpoints": ("places",),
    "invoices": ("listed", "listed_by_level", "to_check", "list", "seat", "backlog_processing", "of_vendor"),
    "mails": ("fingerprint",),
    "vendors": ("spend",),
}
