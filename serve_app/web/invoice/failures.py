"""What a person can do about a document that could not be read."""

from collections.abc import Mapping

from serve_app.domain.invoice import FailureCode

FAILURE_HELP: Mapping[FailureCode, str] = {
    FailureCode.DOCUMENT_ENCRYPTED: "Enter its password below, or print it to a PDF without a password and send that.",
    FailureCode.DOCUMENT_UNREADABLE: "Ask the sender for a new copy, or print it to a PDF and send that.",
    FailureCode.DOCUMENT_TOO_LARGE: "Split it into smaller documents and send each of them.",
    FailureCode.NO_TEXT_FOUND: "Take a sharper photo or scan it at 300 dpi, and send that.",
    FailureCode.EXTRACTION_INTERRUPTED: "Read it again. If it fails again, contact the operator of the service.",
}
