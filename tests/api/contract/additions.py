"""What the service gives beyond the contract, or promises more narrowly. Nothing else may be in its description."""

from tests.api.contract import (
    coding_tables,
    event_tables,
    export_tables,
    invoice_tables,
    mail_tables,
    order_tables,
    own_field_tables,
    review_tables,
)
from tests.api.contract.endpoints import NO_KEY, Endpoint, Table
from tests.api.contract.errors import rows

DOWNLOAD = Endpoint(
    "GET /v1/files/{token}",
    answers={200: "", 206: ""},
    headers={"Range": "string", "If-Range": "string"},
    errors={
        403: "invalid_file_link file_link_expired",
        404: "invoice_not_found document_removed part_unavailable",
        416: "range_not_satisfiable",
    },
)
"""Where the links of `GET /v1/invoices/{id}/file` lead: it needs no key."""

ENDPOINTS = (
    *event_tables.ENDPOINTS,
    *mail_tables.ENDPOINTS,
    *export_tables.ENDPOINTS,
    *order_tables.ENDPOINTS,
    *own_field_tables.ENDPOINTS,
    Endpoint(
        "GET /v1/events/{id}",
        answers={200: "Event or DeletedEvent"},
        errors={401: NO_KEY, 404: "event_not_found", 429: "rate_limited"},
    ),
    # The last, because the matrix asks one after the other.
    Endpoint(
        "DELETE /v1/invoices/{id}",
        answers={204: ""},
        errors={
            401: NO_KEY,
            403: "insufficient_scope",
            404: "invoice_not_found",
            409: "invoice_kept",
            429: "rate_limited",
        },
        writes=True,
    ),
)
TAGGED = {
    *("GET /v1/invoices", "GET /v1/invoices/{id}", "GET /v1/vendors", "GET /v1/events", "GET /v1/events/{id}"),
    *("GET /v1/me", "GET /v1/invoices/{id}/review", "GET /v1/invoices/{id}/pages/{n}"),
    *("GET /v1/chart", "GET /v1/quality", "GET /v1/webhook_endpoints", "GET /v1/webhook_endpoints/{id}"),
    "GET /v1/invoices/{id}/pages/{n}/picture",
    *("GET /v1/mails", "GET /v1/mails/{id}", "GET /v1/exports", "GET /v1/exports/{id}"),
    *order_tables.TAGGED,
    *own_field_tables.TAGGED,
}
"""Endpoints whose answers have an ETag: they take `If-None-Match` and may answer 304."""
ATTACHMENTS = {"GET /v1/invoices/{id}/einvoice", "GET /v1/exports/{id}/file"}
"""Endpoints whose answers are files to be saved."""

ERRORS = (
    *rows(400, "invalid_request_error", "invoice_not_complete already_complete"),
    *rows(401, "authentication_error", "account_suspended"),
    *rows(403, "authentication_error", "invalid_file_link file_link_expired"),
    *rows(
        404,
        "not_found",
        "document_removed einvoice_not_found part_unavailable event_not_found webhook_endpoint_not_found "
        "mail_not_found export_not_found purchase_order_not_found field_not_found account_not_found api_key_not_found",
    ),
    *rows(408, "invalid_request_error", "request_timeout"),
    *rows(409, "invalid_request_error", "chart_changed review_changed invoice_exported invoice_kept account_kept"),
    *rows(416, "invalid_request_error", "range_not_satisfiable"),
    *rows(
        422, "invalid_request_error", "einvoice_incomplete einvoice_invalid idempotency_key_reused nothing_to_export"
    ),
    *rows(429, "quota_exceeded", "monthly_budget_reached"),
    *rows(503, "api_error", "service_unavailable query_timeout queue_too_long"),
)
EVERYWHERE = {500: "internal", 503: "service_unavailable"}
WITH_KEY = {401: "account_suspended"}
"""What every endpoint answers that needs a key."""
REPEATABLE = (
    *("PATCH /v1/invoices/{id}", "POST /v1/invoices/{id}/approval", "POST /v1/invoices/{id}/extract"),
    *order_tables.REPEATABLE,
)
"""Changes that take an `Idempotency-Key`."""
KEY_ERRORS = {409: "idempotency_in_flight", 422: "idempotency_key_reused"}
MORE_ERRORS: dict[str, dict[int, str]] = {
    "PATCH /v1/invoices/{id}": {400: "invoice_not_complete invalid_parameter", **KEY_ERRORS},
    "POST /v1/invoices/{id}/approval": {400: "invoice_not_complete invalid_parameter", **KEY_ERRORS},
    "POST /v1/invoices/{id}/extract": {
        400: "already_complete invalid_parameter",
        404: "document_removed",
        **KEY_ERRORS,
        409: "idempotency_in_flight invoice_exported",
        429: "monthly_budget_reached",
    },
    "GET /v1/invoices/{id}/einvoice": {
        400: "invalid_parameter invoice_not_complete",
        404: "part_unavailable",
        422: "einvoice_incomplete einvoice_invalid",
    },
    "GET /v1/invoices/{id}/file": {400: "invalid_parameter", 404: "document_removed"},
    "GET /v1/vendors": {400: "invalid_parameter", 503: "query_timeout"},
    "GET /v1/me": {429: "rate_limited"},
    "POST /v1/invoices": {429: "monthly_budget_reached", 503: "queue_too_long"},
    "GET /v1/invoices": {503: "query_timeout"},
    "GET /v1/events": {503: "query_timeout"},
    "GET /v1/quality": {503: "query_timeout"},
}
QUERY: dict[str, Table] = {
    "GET /v1/invoices": {
        "vendor": "string ..255",
        "vendor_id": "uuid",
        "invoice_number": "string ..255",
        "currency": "ABC",
        "entity_tag": "string ..60",
        "approval_status": "requested | approved | rejected",
        "duplicate": "boolean",
        "batch": "uuid",
        "issued_after": "date",
        "issued_before": "date",
        "review": "open | confirmed | rejected | not_rejected",
        "has_alerts": "boolean",
        "order_match": order_tables.MATCHES,
        "order_id": "uuid",
        "custom": "string ..550",
        "exclude": "'citations'",
        "ids": "list of 1..100 uuid",
        "updated_after": "date-time",
        "sort": "'updated_at'",
    },
    "GET /v1/invoices/{id}/einvoice": {
        "format": "ubl | cii | facturx",
        "seller_country": "AB",
        "buyer_country": "AB",
        "zero_rate": "Z | AE | G",
    },
    "GET /v1/invoices/{id}/file": {"original": "boolean = False"},
    "GET /v1/events": {"type": event_tables.TYPES},
    "GET /v1/vendors": {"starting_after": "uuid", "include": "totals | identifiers"},
}
HEADERS: dict[str, Table] = {
    **{name: {"Idempotency-Key": "string 1..255"} for name in ("POST /v1/invoices", *REPEATABLE)},
    **{name: {"If-None-Match": "string"} for name in TAGGED},
}
BODIES: dict[str, Table] = {
    "POST /v1/invoices": {"file_name": "string or null", "mime_type": "string or null", "file_name!": "string 1.."},
    "POST /v1/invoices/{id}/approval": {"email!": "email ..254"},
}
MORE_OF_BODIES: dict[str, dict[str, Table]] = {
    "POST /v1/invoices": {
        "multipart/form-data": {"metadata": "map of string ..500"},
        "application/json": {"metadata": "map of string ..500 or null"},
    },
    "POST /v1/invoices/{id}/extract": {"application/json": {"password": "string 1..1000 or null"}},
}
"""Properties that a body of each kind may have besides."""

PROMISES: Table = {
    "an account sends 50 approval mails a day to one recipient": (
        "api/test_approval_limits::test_one_recipient_gets_only_so_many_a_day"
    ),
    "an account sends 200 approval mails a day": (
        "api/test_approval_limits::test_an_account_sends_only_so_many_a_day_however_many_ask_at_once"
    ),
    "rate-limit headers also where there is no such path or verb, for a valid key": (
        "api/test_rate_headers::test_also_where_there_is_no_such_path_or_verb"
    ),
    "rate-limit headers of a held call are those of its end": (
        "api/test_rate_headers::test_of_a_held_call_they_are_those_of_its_end"
    ),
    "a body that is too large is refused after the key": (
        "api/test_rate_headers::test_a_body_too_large_is_refused_after_the_key"
    ),
    "no link's host follows the caller": "api/test_file::test_a_links_host_never_follows_the_caller",
    "an unknown verb is a 405 with a request id": (
        "actors/test_http_protocol::test_an_unknown_verb_is_405_with_a_request_id"
    ),
    "a held call is woken by the end of the run": (
        "api/test_waiting::TestWithoutPolling::test_the_end_of_the_run_lets_a_held_call_go"
    ),
    "a file keeps the quotes and the extension of its name": (
        "api/test_create_invoice::test_a_file_keeps_the_quotes_and_the_extension_of_its_name"
    ),
    "an entity tag has no control characters": "api/test_amend_invoice::test_control_characters_are_dropped",
    "an address may have a host beyond ASCII": "api/test_approval::test_an_address_may_have_a_host_beyond_ascii",
    "a fetched answer in gzip is read, up to the limit": "net/test_fetch::test_bodies_are_read_as_http_says",
    "a webhook's answer over 64 kB is a failure": "net/test_post::test_an_answer_that_is_too_long_is_none",
    "a query parameter is given once": "api/test_repeated_parameters::test_a_repeated_parameter_is_400",
    "a list goes on from the place of a deleted invoice": (
        "api/test_deleted::test_a_list_goes_on_from_where_a_deleted_invoice_was"
    ),
    "the log goes on from the place of a deleted event": (
        "api/test_deleted::test_events_go_on_from_where_a_deleted_one_was"
    ),
    "metadata has at most 20 keys of 40 characters, texts of 500 characters": (
        "api/test_metadata::test_what_is_too_much_or_no_text_is_400_and_costs_nothing"
    ),
    "metadata is answered with the invoice as it was given": "api/test_metadata::test_it_is_answered_as_sent",
    "metadata is in the event": "api/test_metadata::test_it_is_in_the_event_of_its_invoice",
    "each invoice of a batch carries the metadata of its file": (
        "store/test_batches::test_each_invoice_of_a_file_carries_what_was_recorded_about_the_file"
    ),
    "If-None-Match with the tag of an answer: 304": (
        "api/test_tags::test_who_names_the_tag_learns_that_nothing_has_changed"
    ),
    "a large answer is compressed for who accepts gzip": (
        "api/test_compression::test_a_large_answer_is_compressed_for_who_accepts_it"
    ),
    "a deleted invoice takes its file, events, deliveries and idempotency record with it": (
        "api/test_delete_invoice::test_it_takes_everything_of_the_invoice_with_it"
    ),
    "a deleted invoice leaves the file to the other invoices that came in it": (
        "api/test_delete_invoice::test_the_file_of_a_batch_stays_for_the_other_parts"
    ),
    "an invoice that is being read can be deleted": (
        "api/test_delete_invoice::test_an_invoice_that_is_being_read_is_gone_whatever_its_run_finds"
    ),
    "a list without citations is otherwise the same": (
        "api/test_list_invoices::test_without_citations_a_list_is_smaller_and_otherwise_the_same"
    ),
    "every filter of a list is answered from an index": (
        "store/test_sqlite_plans::test_a_list_reads_no_row_but_through_an_index"
    ),
    "a change that is repeated with its key is made once": (
        "api/test_repeated_changes::test_a_repetition_gets_the_first_answer_and_changes_nothing"
    ),
    "a change is made once though its process died before answering": (
        "api/test_repeated_changes::TestAfterAKill::test_a_retry_is_in_flight_and_then_finds_that_the_change_was_made"
    ),
    "data of test mode is apart, and marked": "api/test_test_mode::TestData::test_it_is_apart_from_live_data",
    "a file of test mode is answered with the error that its name asks for": (
        "api/test_test_mode::test_a_file_can_ask_for_any_error"
    ),
    "a deleted invoice is not replayed": "api/test_deleted::test_the_answer_of_its_idempotency_key_goes_with_it",
    "a vendor is found in any case, with or without accents": (
        "store/test_lists::test_a_vendor_is_found_whatever_case_and_accents"
    ),
}
"""What is promised in addition to the contract, and which test proves it."""

OPTIONAL = {"VendorList": {"has_more"}}
"""Fields that only some answers have."""
FIELDS: dict[str, Table] = {
    **invoice_tables.FIELDS,
    **event_tables.FIELDS,
    **mail_tables.FIELDS,
    **export_tables.FIELDS,
    **order_tables.FIELDS,
    **review_tables.FIELDS,
    **coding_tables.FIELDS,
    **own_field_tables.FIELDS,
    "Me": {
        "target_precision": "TargetPrecision",
        "usage": "Usage",
        "livemode": "boolean",
        "budget": "BudgetInfo or null",
    },
    "BudgetInfo": {"spent": "number", "amount": "number", "currency": "string"},
    "KeyInfo": {"scope": "full | read"},
    "ErrorDetail": {"param": "string or null", "doc_url": "uri-reference"},
    "Vendor": {"totals": "list of CurrencyTotal or null", "identifiers": "list of VendorIdentifier or null"},
    "VendorIdentifier": {
        "kind": "tax_number | iban | domain",
        "value": "string",
        "invoices": "integer",
        "first_seen_at": "date",
        "last_seen_at": "date",
    },
    "CurrencyTotal": {"currency": "string or null", "amount": "number"},
    "VendorList": {"has_more": "boolean"},
    "Usage": {"pages": "integer", "ocr_pages": "integer", "cpu_ms": "integer", "gpu_ms": "integer or null"},
}
