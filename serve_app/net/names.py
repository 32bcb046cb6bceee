"""What a server calls the file that it sends."""

from email.message import Message

from yarl import URL


def file_name(url: URL, disposition: str | None) -> str | None:
    """The name in a Content-Disposition header, else the last part of the URL's path; None where both are silent."""
    return _disposed(disposition or "") or url.name or None


def _disposed(header: str) -> str | None:
    message = Message()
    # Bytes that are no UTF-8 come as surrogates, which no text may keep.
    message["Content-Disposition"] = header.encode("utf-8", "ignore").decode()
    try:
        return message.get_filename()
    except Exception:
        # The library fails over malformed parameters in many ways, and no file is worth less for its name.
        return None
