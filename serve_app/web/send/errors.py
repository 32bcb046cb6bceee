"""Why a document was not accepted, in words for a person, with what to do."""

from serve_app.domain import errors
from serve_app.domain.errors import ServiceError
from serve_app.domain.limits import megabytes
from serve_app.services.intake.submit import unsupported_message


def explain(error: ServiceError, max_bytes: int) -> str:
    """The message for a person who sent a document."""
    match error:
        case errors.FileTooLarge():
            return f"Larger than {megabytes(max_bytes)}. Split it, or scan it at a lower resolution, and send it again."
        case errors.UnsupportedFileType() if error.message != unsupported_message():
            return error.message
        case errors.UnsupportedFileType():
            return "Not a PDF, JPEG, PNG, HEIC, TIFF, WebP, HTML or ZIP file. Print it to a PDF and send that."
        case errors.MissingFile():
            return "The file is empty. Choose it again."
        case errors.QuotaReached():
            return f"{error.message} A larger plan takes more."
        case errors.QueueTooLong():
            wait = _in_words(error.retry_seconds)
            return f"Too many of your documents are waiting, and this one was not accepted. Send it again in {wait}."
        case errors.Unavailable():
            return "The service is busy or restarting, and the document was not accepted. Send it again in a minute."
    return error.message


def _in_words(seconds: int) -> str:
    """Whole minutes, at least as long."""
    minutes = -(-seconds // 60)
    if minutes >= 60:
        return "an hour"
    return "a minute" if minutes == 1 else f"{minutes} minutes"
