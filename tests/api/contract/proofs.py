"""Which tests prove each row of the contract. A test is named by its file below `tests` and its function."""

from tests.api.contract.endpoints import Table

MATRIX = "api/contract/test_matrix::test_every_endpoint_answers_each_error_as_owed"
VALUES = "api/contract/test_matrix::test_a_bad_value_of_any_parameter_is_reported_by_the_parameters_name"
FOUND = "api/test_list_invoices::test_what_is_asked_for_is_found"
BODY = "api/test_create_invoice::test_a_malformed_request_is_400"
LIMITS = "api/contract/test_limits"
CODING = "api/test_coding"
MAILS = "api/test_mails"
HOOKS = "api/test_webhook_endpoints"
EXPORTS = "api/test_exports"
ORDERS = "api/test_purchase_orders"
OWN_FIELDS = "api/test_own_fields"
OPERATOR = "api/test_operator"
POINTING = f"{OWN_FIELDS}::TestPointing"

ENDPOINTS: Table = {
    "POST /v1/invoices": "api/test_create_invoice::test_an_accepted_document_is_queued",
    "GET /v1/invoices": "api/test_list_invoices::test_the_newest_come_first_as_they_are_read_alone",
    "GET /v1/invoices/{id}": "api/test_get_invoice::test_a_read_only_key_reads",
    "PATCH /v1/invoices/{id}": "api/test_amend_invoice::test_both_are_set_and_shown",
    "POST /v1/invoices/{id}/approval": "api/test_approval::test_a_request_is_answered_with_what_was_asked",
    "GET /v1/invoices/{id}/file": "api/test_file::test_a_link_downloads_the_document_without_a_key",
    "POST /v1/invoices/{id}/extract": "api/test_extract_again::test_a_failed_invoice_is_read_again_for_a_unit",
    "GET /v1/vendors": "api/test_vendors_and_events::test_vendors_come_by_spend",
    "GET /v1/events": "api/test_vendors_and_events::test_events_are_the_payloads_newest_first",
    "GET /v1/events/{id}": "api/test_vendors_and_events::test_one_event_is_read_as_its_list_shows_it",
    "DELETE /v1/invoices/{id}": "api/test_delete_invoice::test_it_takes_everything_of_the_invoice_with_it",
    "GET /v1/invoices/{id}/review": "api/test_review::test_a_review_shows_what_was_read_and_what_people_say",
    "PUT /v1/invoices/{id}/review": "api/test_review::test_a_correction_is_what_the_invoice_answers_from_then_on",
    "GET /v1/invoices/{id}/pages/{n}": "api/test_pages::test_a_page_has_its_words_and_the_address_of_its_picture",
    "GET /v1/invoices/{id}/einvoice": "api/test_einvoice::test_an_xml_file_is_given_as_it_is",
    "GET /v1/invoices/{id}/pages/{n}/picture": (
        "api/test_pages::test_a_page_has_its_words_and_the_address_of_its_picture"
    ),
    "GET /v1/chart": f"{CODING}::test_a_chart_is_replaced_and_read",
    "PUT /v1/chart": f"{CODING}::test_a_chart_is_replaced_and_read",
    "PUT /v1/invoices/{id}/coding": f"{CODING}::test_a_coding_is_confirmed_and_answered_with_the_invoice",
    "GET /v1/quality": "api/test_quality::test_levels_are_measured_on_what_people_decided",
    "POST /v1/exports": f"{EXPORTS}::test_an_export_is_made_listed_and_downloaded",
    "GET /v1/exports": f"{EXPORTS}::test_an_export_is_made_listed_and_downloaded",
    "GET /v1/exports/{id}": f"{EXPORTS}::test_an_export_is_made_listed_and_downloaded",
    "GET /v1/exports/{id}/file": f"{EXPORTS}::test_an_export_is_made_listed_and_downloaded",
    "POST /v1/invoices/{id}/unlock": f"{EXPORTS}::test_the_values_of_an_exported_invoice_stay",
    "GET /v1/fields": f"{OWN_FIELDS}::TestFields::test_a_field_is_added_replaced_and_listed",
    "PUT /v1/fields/{name}": f"{OWN_FIELDS}::TestFields::test_a_field_is_added_replaced_and_listed",
    "PUT /v1/invoices/{id}/custom/{name}": f"{POINTING}::test_what_is_printed_in_a_box_becomes_the_value",
    "DELETE /v1/fields/{name}": f"{OWN_FIELDS}::TestFields::test_a_deleted_field_is_gone",
    "GET /v1/purchase-orders": f"{ORDERS}::test_orders_are_filtered_and_paged",
    "POST /v1/purchase-orders": f"{ORDERS}::test_an_order_is_kept_and_answered_with_what_is_open",
    "GET /v1/order-rules": f"{ORDERS}::test_the_rules_are_replaced_as_a_whole",
    "PUT /v1/order-rules": f"{ORDERS}::test_the_rules_are_replaced_as_a_whole",
    "GET /v1/purchase-orders/{id}": f"{ORDERS}::test_an_order_is_kept_and_answered_with_what_is_open",
    "PATCH /v1/purchase-orders/{id}": f"{ORDERS}::test_changes_are_made_together_or_not_at_all",
    "POST /v1/purchase-orders/{id}/receive": f"{ORDERS}::test_what_arrives_is_added_once_per_key",
    "DELETE /v1/purchase-orders/{id}": f"{ORDERS}::test_a_deleted_order_is_gone",
    "GET /v1/webhook_endpoints": f"{HOOKS}::test_an_endpoint_is_registered_with_its_secret_and_read_without",
    "POST /v1/webhook_endpoints": f"{HOOKS}::test_an_endpoint_is_registered_with_its_secret_and_read_without",
    "GET /v1/webhook_endpoints/{id}": f"{HOOKS}::test_an_endpoint_is_registered_with_its_secret_and_read_without",
    "PATCH /v1/webhook_endpoints/{id}": f"{HOOKS}::test_changes_are_made_together_or_not_at_all",
    "DELETE /v1/webhook_endpoints/{id}": f"{HOOKS}::test_a_deleted_endpoint_takes_its_deliveries_with_it",
    "POST /v1/webhook_endpoints/{id}/rotate_secret": (
        f"{HOOKS}::test_a_rotated_secret_is_shown_once_and_the_fourth_is_refused"
    ),
    "GET /v1/mails": f"{MAILS}::test_each_mail_has_its_parts_and_what_each_came_to",
    "GET /v1/mails/{id}": f"{MAILS}::test_each_mail_has_its_parts_and_what_each_came_to",
    "GET /v1/me": "api/test_me::test_it_shows_key_and_quota",
    "GET /v1/files/{token}": "api/test_file::test_a_link_downloads_the_document_without_a_key",
}
"""Each endpoint is also in the matrix, and in the OpenAPI document as the tables describe it."""

PARAMETERS: Table = {
    "POST /v1/invoices wait": "api/test_create_invoice::test_wait_answers_the_finished_invoice",
    "POST /v1/invoices file": "api/test_create_invoice::test_the_bytes_are_kept_as_sent",
    "POST /v1/invoices file_url": "api/test_file_url::TestOnAnAllowedNetwork::test_the_file_is_fetched",
    "POST /v1/invoices file_name": (
        "api/test_file_url::TestOnAnAllowedNetwork::test_the_name_given_wins_and_a_type_given_does_not"
    ),
    "POST /v1/invoices mime_type": (
        "api/test_file_url::TestOnAnAllowedNetwork::test_the_name_given_wins_and_a_type_given_does_not"
    ),
    "POST /v1/invoices metadata": "api/test_metadata::test_it_is_answered_as_sent",
    "POST /v1/invoices file_base64": "api/test_create_invoice::test_line_breaks_in_base64_are_allowed",
    "GET /v1/invoices limit": "api/test_list_invoices::test_pages_follow_each_other",
    "GET /v1/invoices starting_after": "api/test_list_invoices::test_pages_follow_each_other",
    **{
        f"GET /v1/invoices {name}": FOUND
        for name in (
            *("status", "source", "created_after", "created_before", "vendor", "paid", "overdue"),
            *("min_amount", "max_amount", "due_after", "invoice_number", "currency", "entity_tag", "approval_status"),
            *("duplicate", "issued_after", "issued_before", "review", "has_alerts"),
        )
    },
    "GET /v1/invoices vendor_id": ("api/test_list_invoices::test_a_vendor_is_found_by_the_id_that_its_invoices_show"),
    "GET /v1/invoices ids": "api/test_list_invoices::test_those_asked_for_by_id_come_in_the_order_of_the_list",
    "GET /v1/invoices batch": "api/test_delete_invoice::test_the_file_of_a_batch_stays_for_the_other_parts",
    "GET /v1/invoices updated_after": "api/test_changes::test_every_change_is_found_whatever_else_changes_meanwhile",
    "GET /v1/invoices sort": "api/test_changes::test_every_change_is_found_whatever_else_changes_meanwhile",
    "GET /v1/invoices exclude": (
        "api/test_list_invoices::test_without_citations_a_list_is_smaller_and_otherwise_the_same"
    ),
    "GET /v1/invoices due_before": "store/test_lists::test_a_query_finds_what_it_says",
    "PATCH /v1/invoices/{id} paid": "api/test_amend_invoice::test_both_are_set_and_shown",
    "PATCH /v1/invoices/{id} entity_tag": "api/test_amend_invoice::test_both_are_set_and_shown",
    "POST /v1/invoices/{id}/approval email": "api/test_approval::test_a_request_is_answered_with_what_was_asked",
    **dict.fromkeys(
        (
            "GET /v1/invoices/{id}/einvoice format",
            "GET /v1/invoices/{id}/einvoice seller_country",
            "GET /v1/invoices/{id}/einvoice buyer_country",
        ),
        "api/test_written_einvoice::test_an_invoice_that_was_read_is_written",
    ),
    "GET /v1/invoices/{id}/einvoice zero_rate": (
        "api/test_written_einvoice::test_a_zero_rate_has_the_callers_category"
    ),
    "GET /v1/invoices/{id}/file original": "api/test_file::test_the_whole_file_of_a_part_is_there_when_asked_for",
    "POST /v1/invoices/{id}/extract force": "api/test_extract_again::test_a_complete_invoice_only_by_force",
    "POST /v1/invoices/{id}/extract password": (
        "api/test_extract_again::test_a_protected_pdf_is_opened_with_its_password"
    ),
    "PUT /v1/invoices/{id}/review revision": "api/test_review::test_an_old_revision_is_409_and_changes_nothing",
    "PUT /v1/invoices/{id}/review fields": (
        "api/test_review::test_a_correction_is_what_the_invoice_answers_from_then_on"
    ),
    "PUT /v1/invoices/{id}/review line_items": "api/test_review::test_a_table_is_replaced_as_a_whole",
    "PUT /v1/invoices/{id}/review tax_lines": "api/test_review::test_the_tax_of_each_rate_is_corrected_as_a_table",
    "PUT /v1/invoices/{id}/review status": "api/test_review::test_an_invoice_is_confirmed_rejected_and_opened_again",
    "PUT /v1/invoices/{id}/review supplier_checks": "api/test_review::test_a_check_is_confirmed_by_its_kind",
    "PUT /v1/invoices/{id}/review reason": "api/test_review::test_an_invoice_is_confirmed_rejected_and_opened_again",
    "PUT /v1/chart revision": f"{CODING}::test_a_chart_of_another_revision_is_409",
    "PUT /v1/chart dimensions": f"{CODING}::test_a_chart_is_replaced_and_read",
    "PUT /v1/chart rules": f"{CODING}::test_a_rule_needs_words_and_codes_of_the_chart",
    "PUT /v1/invoices/{id}/coding postings": f"{CODING}::test_a_coding_is_confirmed_and_answered_with_the_invoice",
    "GET /v1/vendors starting_after": "api/test_vendors_and_events::test_vendors_are_paged_by_the_last_one",
    "GET /v1/vendors include": "api/test_vendors_and_events::test_vendors_have_sums_by_currency_if_asked_for",
    "GET /v1/vendors limit": "api/test_vendors_and_events::test_vendors_come_by_spend",
    **{
        f"GET /v1/events {name}": "api/test_vendors_and_events::test_events_are_filtered_and_paged"
        for name in ("limit", "type", "created_after", "created_before", "starting_after")
    },
    **{
        f"GET /v1/mails {name}": f"{MAILS}::test_mails_are_filtered_and_paged"
        for name in ("limit", "state", "held_for", "outcome", "starting_after")
    },
    **{
        f"GET /v1/exports {name}": f"{EXPORTS}::test_exports_are_paged_the_newest_first"
        for name in ("limit", "starting_after")
    },
    **{
        f"POST /v1/exports {name}": f"{EXPORTS}::test_an_export_is_made_listed_and_downloaded"
        for name in ("format", "settings")
    },
    **{f"POST /v1/exports {name}": f"{EXPORTS}::test_only_of_a_period" for name in ("issued_since", "issued_until")},
    **{f"POST /v1/exports {name}": f"{EXPORTS}::test_each_invoice_is_exported_once" for name in ("ids", "again")},
    **{
        f"PUT /v1/invoices/{{id}}/custom/{{name}} {name}": (
            f"{POINTING}::test_what_is_printed_in_a_box_becomes_the_value"
        )
        for name in ("value", "citation")
    },
    "PUT /v1/invoices/{id}/custom/{name} line": f"{POINTING}::test_a_value_of_a_line_is_pointed_at",
    "GET /v1/invoices custom": f"{OWN_FIELDS}::test_invoices_are_found_by_an_own_field",
    **{
        f"PUT /v1/fields/{{name}} {name}": f"{OWN_FIELDS}::TestFields::test_a_field_is_added_replaced_and_listed"
        for name in ("label", "type", "scope", "choices", "captions", "required")
    },
    **{
        f"GET /v1/purchase-orders {name}": f"{ORDERS}::test_orders_are_filtered_and_paged"
        for name in ("limit", "status", "number", "vendor", "starting_after")
    },
    **{
        f"POST /v1/purchase-orders {name}": f"{ORDERS}::test_an_order_is_kept_and_answered_with_what_is_open"
        for name in ("number", "vendor", "currency", "ordered_on", "status", "lines")
    },
    **{
        f"PATCH /v1/purchase-orders/{{id}} {name}": f"{ORDERS}::test_changes_are_made_together_or_not_at_all"
        for name in ("number", "vendor", "currency", "ordered_on", "status", "lines")
    },
    **{
        f"PUT /v1/order-rules {name}": f"{ORDERS}::test_the_rules_are_replaced_as_a_whole"
        for name in ("price_percent", "amount", "quantity_percent", "skip_review")
    },
    "POST /v1/purchase-orders/{id}/receive lines": f"{ORDERS}::test_what_arrives_is_added_once_per_key",
    **{
        f"GET /v1/invoices {name}": f"{ORDERS}::test_invoices_are_found_by_their_order"
        for name in ("order_match", "order_id")
    },
    **{
        f"POST /v1/webhook_endpoints {name}": (
            f"{HOOKS}::test_an_endpoint_is_registered_with_its_secret_and_read_without"
        )
        for name in ("url", "description", "types")
    },
    **{
        f"PATCH /v1/webhook_endpoints/{{id}} {name}": f"{HOOKS}::test_changes_are_made_together_or_not_at_all"
        for name in ("url", "description", "types")
    },
    "PATCH /v1/webhook_endpoints/{id} active": f"{HOOKS}::test_an_endpoint_is_paused_and_resumed",
}

ERRORS: Table = {
    "missing_file": BODY,
    "invalid_base64": BODY,
    "invalid_body": MATRIX,
    "invalid_parameter": VALUES,
    "missing_api_key": MATRIX,
    "invalid_api_key": MATRIX,
    "account_suspended": "api/test_account_limits::test_a_suspended_account_is_refused_and_loses_nothing",
    "insufficient_scope": MATRIX,
    "invoice_not_found": MATRIX,
    "request_timeout": "actors/test_paced_protocol::test_half_of_a_second_request_is_ended",
    "chart_changed": f"{CODING}::test_a_chart_of_another_revision_is_409",
    "review_changed": "api/test_review::test_an_old_revision_is_409_and_changes_nothing",
    "invoice_kept": "api/test_delete_invoice::test_what_the_law_keeps_is_not_deleted",
    "invoice_exported": "api/test_exports::test_the_values_of_an_exported_invoice_stay",
    "export_not_found": MATRIX,
    "nothing_to_export": f"{EXPORTS}::test_each_invoice_is_exported_once",
    "webhook_endpoint_not_found": MATRIX,
    "mail_not_found": MATRIX,
    "account_not_found": f"{OPERATOR}::TestAccounts::test_accounts_are_listed_in_pages_without_those_of_test_mode",
    "api_key_not_found": f"{OPERATOR}::TestKeys::test_a_key_of_another_account_is_unknown",
    "purchase_order_not_found": MATRIX,
    "field_not_found": f"{OWN_FIELDS}::TestFields::test_a_deleted_field_is_gone",
    "event_not_found": "api/test_vendors_and_events::test_an_unknown_event_is_404",
    "route_not_found": "api/test_access::test_an_unknown_path_is_404_without_a_key",
    "method_not_allowed": MATRIX,
    "idempotency_in_flight": "api/test_idempotency::test_a_key_in_flight_is_409",
    "idempotency_key_reused": "api/test_repeated_changes::test_another_body_is_422",
    "file_too_large": "api/test_create_invoice::test_a_file_over_the_limit_is_413",
    "unsupported_file_type": "api/test_create_invoice::test_a_type_that_is_not_read_is_415",
    "file_url_unreachable": "api/test_file_url::test_inner_addresses_are_out_of_reach",
    "rate_limited": MATRIX,
    "monthly_quota_reached": "api/test_create_invoice::test_at_the_quota_creates_are_429_and_reads_go_on",
    "account_kept": "api/test_operator::TestDeletion::test_an_account_whose_invoices_the_law_keeps_stays",
    "monthly_budget_reached": "api/test_account_limits::test_a_used_up_budget_refuses_documents_until_the_next_month",
    "internal": MATRIX,
    "email_delivery_failed": "api/test_approval::test_mail_that_cannot_be_sent_is_502_and_changes_nothing",
    "invoice_not_complete": "api/test_amend_invoice::test_only_a_complete_invoice_can_be_paid",
    "already_complete": "api/test_extract_again::test_a_complete_invoice_only_by_force",
    "invalid_file_link": "api/test_file::test_a_changed_link_is_refused",
    "file_link_expired": "api/test_file::test_a_link_expires_after_an_hour",
    "document_removed": "api/test_file::test_a_document_that_was_removed_before_its_values_is_404",
    "range_not_satisfiable": "api/test_file_ranges::test_a_range_after_the_end_is_416",
    "einvoice_incomplete": "api/test_written_einvoice::test_missing_terms_are_named",
    "einvoice_invalid": "api/test_written_einvoice::test_broken_rules_are_named",
    "einvoice_not_found": "api/test_einvoice::test_a_file_without_one_is_404",
    "part_unavailable": "api/test_file::test_a_part_that_cannot_be_cut_is_never_the_whole_file",
    "service_unavailable": MATRIX,
    "query_timeout": MATRIX,
    "queue_too_long": "api/test_queue_estimates::test_a_document_that_would_wait_too_long_is_refused",
}

HEADERS: Table = {
    "Authorization": "api/test_access::test_without_a_key_it_is_401",
    "Idempotency-Key": "api/test_idempotency::test_a_repetition_gets_the_first_answer_again",
    "Idempotency-Replayed": "api/test_idempotency::test_a_repetition_gets_the_first_answer_again",
    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset": (
        "api/test_access::test_every_authenticated_answer_shows_the_rate_limit"
    ),
    "Retry-After on 409, 429 and 503": MATRIX,
    "X-Request-Id": "api/test_access::test_a_safe_request_id_is_kept",
    "Location on 202": "api/contract/test_answers::test_every_202_shows_where_the_invoice_is",
    "Allow on 405": "api/contract/test_matrix::test_a_wrong_verb_gets_the_right_ones",
}

LIMIT_PROOFS: Table = {
    "60 requests in a minute for each key": (
        "api/test_access::test_the_request_after_the_limit_is_429_until_the_next_minute"
    ),
    "requests without a valid key are not counted": (
        "api/contract/test_keys::test_requests_without_a_valid_key_count_for_nobody"
    ),
    "a file has at most 15 MB": f"{LIMITS}::test_a_setting_is_what_the_contract_says",
    "a fetched file has at most 15 MB": (
        "api/test_file_url::TestOnAnAllowedNetwork::test_what_cannot_be_taken_is_refused_and_costs_nothing"
    ),
    "fetching a file_url takes at most 20 s": "net/test_time::test_the_time_is_limited_in_all",
    "wait=true holds a call for at most 60 s": "api/test_create_invoice::test_wait_that_is_outrun_answers_202",
    "an idempotency key has at most 255 characters": "api/test_idempotency::test_255_characters_are_allowed",
    "an answer is replayed for 24 h": "api/test_idempotency::test_after_a_day_a_key_is_new",
    "a key in flight is free after 120 s": f"{LIMITS}::test_what_is_no_setting_is_what_the_contract_says",
    "a page has 1 to 100 items, 25 where nothing is said": VALUES,
    "an entity tag has at most 60 characters": "api/test_amend_invoice::test_sixty_characters_are_allowed",
    "a file link is good for 3600 s": "api/test_file::test_a_link_expires_after_an_hour",
    "10, 200, 1000 extractions in a month by plan": "api/test_me::test_each_plan_has_its_limit",
}
