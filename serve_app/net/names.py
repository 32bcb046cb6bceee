"""The name that a server gives to the file it sends."""

from email.message import Message

from yarl import URL


def file_name(url: URL, disposition: str | None) -> str | None:
    """The name in a Content-Disposition header, else the last segment of the URL's path; None if neither has one."""
    return _disposed(disposition or "") or url.name or None


def _disposed(header: str) -> str | None:
    message = Message()
    # Bytes that are not valid UTF-8 arrive as surrogates, which must not stay in text.
    message["Content-Disposition"] = header.encode("utf-8", "ignore").decode()
    try:
        return message.get_filename()
    except Exception:
        # The library fails in many ways on malformed parameters, and a bad name is no reason to reject a file.
        return None
