"""What the service gives beyond the contract about mails that came in."""

from tests.api.contract.endpoints import LIMIT, NO_KEY, Endpoint, Table

STATES = "queued | held | reading | done | discarded"
HELD_FOR = "sender | quota"
OUTCOMES = (
    "invoice | same_file | waiting | ignored | unpacked | links | attachment_missing | xml_only | needs_password"
    " | encrypted_mail | unsupported | too_large | too_many | unreadable | erased"
)
ENDPOINTS = (
    Endpoint(
        "GET /v1/mails",
        answers={200: "MailList"},
        errors={400: "invalid_parameter", 401: NO_KEY, 429: "rate_limited", 503: "query_timeout"},
        query={"limit": LIMIT, "state": STATES, "held_for": HELD_FOR, "outcome": OUTCOMES, "starting_after": "uuid"},
    ),
    Endpoint(
        "GET /v1/mails/{id}",
        answers={200: "Mail"},
        errors={401: NO_KEY, 404: "mail_not_found", 429: "rate_limited"},
    ),
)
FIELDS: dict[str, Table] = {
    "Mail": {
        "id": "uuid",
        "object": "'mail'",
        "state": STATES,
        "held_for": f"{HELD_FOR} or null",
        "received_at": "date-time",
        "way": "smtp | lmtp | http | imap",
        "recipient": "string",
        "sender": "MailSender",
        "subject": "string",
        "message_id": "string or null",
        "size_bytes": "integer",
        "entity_tag": "string or null",
        "answered_at": "date-time or null",
        "parts": "list of MailPart",
    },
    "MailSender": {"address": "string or null", "name": "string"},
    "MailPart": {
        "path": "string",
        "outcome": OUTCOMES,
        "reason": "string",
        "problem": "boolean",
        "file_name": "string or null",
        "mime_type": "string or null",
        "size_bytes": "integer",
        "invoice_id": "uuid or null",
    },
    "MailList": {"object": "'list'", "data": "list of Mail", "has_more": "boolean"},
}
