"""Takes a mail apart."""

from dataclasses import replace

from serve_app.documents.mail.judge import Judging
from serve_app.documents.mail.opened import OpenedMail, OpenedPart, OpenRules
from serve_app.documents.mail.unpack import Unpacking
from serve_app.domain.inbound_mail import MailPart, Outcome

_EMPTY = MailPart("1", Outcome.IGNORED, "The mail is empty.")


def open_mail(raw: bytes, rules: OpenRules) -> OpenedMail:
    """Its documents, and what became of every other part. The reasons are for its sender, too."""
    unpacking = Unpacking()
    letter = unpacking.mail(raw)
    judging = Judging(unpacking, rules)
    parts = [*map(OpenedPart, unpacking.notes), *judging.parts()]
    inner = next((one.heading.sender for one in unpacking.letters[1:] if one.heading.sender), None)
    heading = replace(letter.heading, original_sender=inner)
    return OpenedMail(heading, tuple(sorted(parts or [OpenedPart(_EMPTY)], key=_place)), judging.text)


def _place(opened: OpenedPart) -> list[int]:
    return [int(number) for number in opened.part.path.split(".")]
