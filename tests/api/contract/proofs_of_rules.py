"""Which tests prove the contract's transitions and rules."""

from tests.api.contract.endpoints import Table
from tests.api.contract.proofs import MATRIX, VALUES

TRANSITIONS: Table = {
    "a new invoice is queued": "api/test_create_invoice::test_an_accepted_document_is_queued",
    "queued to processing by a claim": "store/test_queue::test_a_claim_makes_the_invoice_processing",
    "processing to complete, told once by invoice.completed": (
        "services/processing/test_dispatch::test_every_document_is_run_once_and_reported_once"
    ),
    "processing to failed, told once by invoice.failed": "store/test_events::test_a_failure_is_reported",
    "processing to queued when the lease runs out": (
        "store/test_queue::test_a_lease_that_ran_out_makes_the_invoice_queued_again_and_counts"
    ),
    "three lost claims: failed as extraction_interrupted": (
        "services/processing/test_process::test_three_lost_workers_end_it_without_a_fourth"
    ),
    "failed to queued by extract, for a unit of the quota": (
        "api/test_extract_again::test_a_failed_invoice_is_read_again_for_a_unit"
    ),
    "complete to queued by extract with force, for a unit of the quota": (
        "api/test_extract_again::test_a_complete_invoice_only_by_force"
    ),
    "complete stays complete by extract without force": "api/test_extract_again::test_a_complete_invoice_only_by_force",
    "queued and processing stay as they are by extract, without a unit": (
        "api/test_extract_again::test_what_is_on_its_way_stays_as_it_is"
    ),
    "paid changes on complete invoices only": "api/test_amend_invoice::test_only_a_complete_invoice_can_be_paid",
    "approval is asked for complete invoices only": "api/test_approval::test_an_invoice_that_is_not_complete_is_400",
    "approval: requested to approved or rejected, once": "store/test_changes::test_an_approval_is_answered_once",
}

RULES: Table = {
    "every error has the envelope: an unknown path": ("api/test_access::test_an_unknown_path_is_404_without_a_key"),
    "every error has the envelope: a wrong verb, before the key is looked at": MATRIX,
    "every error has the envelope: broken JSON": MATRIX,
    "every error has the envelope: a broken form": "api/test_create_invoice::test_a_malformed_request_is_400",
    "every error has the envelope: bad parameters": VALUES,
    "every error has the envelope: a fault, its details in the log only": (
        "api/contract/test_answers::test_the_log_has_the_details_of_a_fault_under_the_answers_request_id"
    ),
    "another account's id is unknown": MATRIX,
    "a read key may read everything and write nothing": (
        "api/contract/test_matrix::test_a_key_that_may_only_read_may_read_everything"
    ),
    "a revoked key fails on its next call on all replicas": (
        "api/contract/test_keys::test_a_revoked_key_fails_on_its_very_next_call_on_all_replicas"
    ),
    "wait that ran out: 202 with wait_timed_out": "api/test_create_invoice::test_wait_that_is_outrun_answers_202",
    "wait that saw it fail: 200 with the failed invoice": (
        "api/test_create_invoice::test_wait_answers_a_failed_invoice_with_200_too"
    ),
    "unknown properties are refused, unknown parameters ignored": (
        "api/contract/test_matrix::test_an_unknown_property_of_any_json_body_is_refused"
    ),
    "bytes tell a document's type": "documents/test_sniff::test_types",
    "a document that cannot be read is accepted and then failed": (
        "services/processing/test_process::test_an_unreadable_document_fails_with_its_reason"
    ),
    "file_url reaches public https addresses only": "net/test_hostile::test_hosts_that_are_not_public_are_refused",
    "an error releases the idempotency key": "api/test_idempotency::test_an_error_releases_the_key",
    "a key in use by another account is no matter": "api/test_idempotency::test_keys_belong_to_an_account",
    "a crash between ingest and answer replays that invoice": (
        "api/test_idempotency::test_the_invoice_of_a_dead_request_is_replayed"
    ),
    "the quota counts reading again": "api/test_extract_again::test_at_the_quota_it_is_429",
    "the quota counts every invoice of a batch, also past the limit": (
        "store/test_batches::test_units_of_an_accepted_file_are_granted_past_the_limit"
    ),
    "the quota is for a calendar month, UTC": (
        "store/test_limits::test_no_limit_means_none_and_months_are_counted_apart"
    ),
    "at the quota reads go on": "api/test_create_invoice::test_at_the_quota_creates_are_429_and_reads_go_on",
    "a replay and a refusal cost no unit": "api/test_idempotency::test_a_repetition_gets_the_first_answer_again",
    "mail that cannot be sent changes nothing": (
        "api/test_approval::test_mail_that_cannot_be_sent_is_502_and_changes_nothing"
    ),
    "a batch becomes one invoice for each of its own": (
        "services/processing/test_process::test_a_file_of_three_invoices_becomes_three_records"
    ),
    "a duplicate names the oldest": "store/test_duplicates::test_later_ones_name_the_oldest",
    "lists are newest first, pages without gaps": "store/test_lists::test_pages_follow_each_other_without_gaps",
    "vendors come by spend, duplicates left out": (
        "store/test_vendors::test_a_duplicate_is_counted_but_not_billed_again"
    ),
    "an event is what its webhooks were sent": (
        "store/test_events::test_a_payload_is_kept_byte_for_byte_and_for_its_account_only"
    ),
    "field_confidence is high only where both models agree and the arithmetic checks out": (
        "extraction/test_confidence::test_nothing_is_high_without_agreement_arithmetic_a_legible_text_sense_and_an_invoice"
    ),
    "raw keys are nowhere stored": "store/test_keys::TestOnDisk::test_the_raw_key_is_nowhere",
}

WEBHOOKS: Table = {
    "an event is signed after Standard Webhooks": (
        "services/webhooks/test_signature::test_a_library_of_the_standard_verifies_it"
    ),
    "a webhook's receiver has 10 s to answer with 2xx": "net/test_post::test_an_answer_must_have_come_in_time",
    "network errors, 4xx, 5xx and redirects are failures": (
        "services/delivery/test_schedule::test_failures_of_every_kind_are_retried_by_the_schedule_and_then_abandoned"
    ),
    "attempts: at once, then after 2 s, 5 min, 30 min, 2 h, 8 h, 24 h": (
        "services/delivery/test_schedule::test_failures_of_every_kind_are_retried_by_the_schedule_and_then_abandoned"
    ),
    "each attempt is signed anew with its own timestamp": (
        "services/delivery/test_schedule::"
        "test_every_attempt_is_newly_timestamped_and_signed_and_has_the_same_id_and_body"
    ),
    "a paused endpoint gets no retries": (
        "services/delivery/test_schedule::test_a_pause_ends_the_schedule_and_a_redelivery_after_it_begins_it_again"
    ),
    "a paused endpoint gets no new deliveries": (
        "store/test_endpoints::test_a_paused_endpoint_gets_no_deliveries_of_new_events"
    ),
    "a delivery can be made again by hand": (
        "store/test_redelivery::test_what_is_abandoned_can_be_delivered_again_from_the_start"
    ),
}
"""For the rows of `rules.WEBHOOKS`."""
