"""Takes a mail apart."""

from dataclasses import replace

from serve_app.documents.mail.classify import PartClassifier
from serve_app.documents.mail.opened import OpenedMail, OpenedPart, OpenRules
from serve_app.documents.mail.unpack import Unpacking
from serve_app.documents.options import ReadOptions
from serve_app.domain.inbound_mail import MailPart, Outcome

_UPLOAD = "1"
_EMPTY = MailPart("1", Outcome.IGNORED, "The e-mail is empty.")


def open_mail(raw: bytes, rules: OpenRules, options: ReadOptions | None = None) -> OpenedMail:
    """Its documents, and what became of every other part. The reasons are for its sender, too."""
    unpacking = Unpacking()
    letter = unpacking.mail(raw)
    classifier = PartClassifier(unpacking, rules, options or ReadOptions())
    parts = [*map(OpenedPart, unpacking.notes), *classifier.parts()]
    inner = next((one.heading.sender for one in unpacking.letters[1:] if one.heading.sender), None)
    heading = replace(letter.heading, original_sender=inner)
    return OpenedMail(heading, tuple(sorted(parts or [OpenedPart(_EMPTY)], key=_place)), classifier.text)


def open_upload(
    data: bytes, name: str | None, rules: OpenRules, options: ReadOptions | None = None
) -> tuple[OpenedPart, ...]:
    """The documents in a file that a person uploads, in their order, and why the other files in it are none. `rules`
    says `is_upload`."""
    unpacking = Unpacking()
    unpacking.file(data, name, _UPLOAD)
    parts = [*map(OpenedPart, unpacking.notes), *PartClassifier(unpacking, rules, options or ReadOptions()).parts()]
    return tuple(sorted(parts, key=_place))


def _place(opened: OpenedPart) -> list[int]:
    return [int(number) for number in opened.part.path.split(".")]
