"""Messages that Outlook has saved as files (.msg)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from oxmsg import Message
from oxmsg.attachment import Attachment
from oxmsg.domain import constants as pid
from oxmsg.properties import Properties
from oxmsg.storage import Storage

from serve_app.documents.mail.containers import Entry, NotOpened, bodies_of
from serve_app.domain.inbound_mail import Outcome

T = TypeVar("T")

_EMBEDDED = "__substg1.0_3701000D"
_EMBEDDED_HEADER = 24


@dataclass(frozen=True, slots=True)
class OutlookMail:
    """An Outlook message. Its `entries` are the texts, the files, and the messages that are attached to it."""

    name: str
    sender: str
    subject: str
    entries: "list[Entry | OutlookMail]"


def outlook_mail(data: bytes, most_deep: int) -> OutlookMail | None:
    """The message with those attached to it, of which only `most_deep` levels are looked at; None if it is another file
    of Office."""
    try:
        message = Message.load(data)
        if not message.message_class.startswith("IPM"):
            return None
    except Exception:
        return None
    return _mail(message, "", most_deep)


class _Attached(Message):
    """A message within another: its properties begin earlier ([MS-OXMSG], 2.4.1.2)."""

    @cached_property
    def _own(self) -> Properties:
        return Properties(self._storage, properties_header_offset=_EMBEDDED_HEADER)

    @property
    def properties(self) -> Properties:
        return self._own


def _mail(message: Message, name: str, most_deep: int) -> OutlookMail:
    bodies = bodies_of(_read(lambda: message.body), _read(lambda: message.html_body))
    files = [_file(each, most_deep) for each in _read(lambda: message.attachments) or ()]
    sender, subject = _read(lambda: message.sender) or "", _read(lambda: message.subject) or ""
    return OutlookMail(name, sender, subject, [*bodies, *files])


def _file(attachment: Attachment, most_deep: int) -> Entry | OutlookMail:
    name = _text(attachment, pid.PID_ATTACH_LONG_FILENAME) or _text(attachment, pid.PID_ATTACH_FILENAME)
    inside: Iterable[Storage] = getattr(attachment._storage, "storages", ())
    storage = next((each for each in inside if each.name == _EMBEDDED), None)
    if storage is not None and any(each.name == "__properties_version1.0" for each in storage.streams):
        title = name or _text(attachment, pid.PID_DISPLAY_NAME)
        return _mail(_Attached(storage), title, most_deep - 1) if most_deep > 0 else OutlookMail(title, "", "", [])
    problem = (
        None if storage is None else NotOpened(Outcome.UNSUPPORTED, "It is an embedded object of another program.")
    )
    data = _read(lambda: attachment.file_bytes) or b""
    declared = _text(attachment, pid.PID_ATTACH_MIME_TAG) or "application/octet-stream"
    content_id = _text(attachment, pid.PID_ATTACH_CONTENT_ID).strip("<> ") or None
    return Entry(name or None, data, declared, problem, content_id=content_id)


def _text(attachment: Attachment, number: int) -> str:
    return _read(lambda: attachment.properties.str_prop_value(number)) or ""


def _read(read: Callable[[], T]) -> T | None:
    """What cannot be read is not there: one damaged property is no reason to leave out the others."""
    try:
        return read()
    except Exception:
        return None
