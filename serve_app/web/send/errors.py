"""Why a document was not accepted, in words for a person, with what to do."""

from serve_app.domain import errors
from serve_app.domain.errors import ServiceError
from serve_app.domain.limits import megabytes
from serve_app.services.intake.submit import unsupported_message


def explain(error: ServiceError, max_bytes: int) -> str:
    """The message for a person who sent a document."""
    match error:
        case errors.FileTooLarge():
            return f"The file is larger than {megabytes(max_bytes)}. Split it or scan it at a lower resolution."
        case errors.UnsupportedFileType() if error.message != unsupported_message():
            return error.message
        case errors.UnsupportedFileType():
            kinds = "PDF, JPEG, PNG, HEIC, TIFF, WebP, HTML, XML or ZIP"
            return f"This is not a {kinds} file. Print it to a PDF and send that."
        case errors.MissingFile():
            return "The file is empty. Choose it again."
        case errors.QuotaReached():
            return f"{error.message} A larger plan has a larger quota."
        case errors.BudgetReached():
            return f"{error.message} The operator of the service can raise it."
        case errors.QueueTooLong():
            wait = _in_words(error.retry_seconds)
            return f"Not accepted: too many of your documents are waiting. Send the document again in {wait}."
        case errors.Unavailable():
            return "Not accepted: the service is busy or restarting. Send the document again in a minute."
    return error.message


def _in_words(seconds: int) -> str:
    """Whole minutes, at least as long."""
    minutes = -(-seconds // 60)
    if minutes >= 60:
        return "an hour"
    return "a minute" if minutes == 1 else f"{minutes} minutes"
