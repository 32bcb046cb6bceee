"""The parts of a mail while it is taken apart."""

from dataclasses import dataclass

from serve_app.domain.inbound_mail import Heading, MailPart, Outcome


@dataclass(slots=True)
class Letter:
    """A mail, or a mail within it; `path` is the path of its part, empty for the whole mail."""

    path: str
    heading: Heading
    parent: "Letter | None" = None
    is_bulk: bool = False
    """It went to many: a newsletter, or a list."""


@dataclass(slots=True)
class Leaf:
    """A part that contains no other. `declared` is the type that the mail claims, `is_body` that it is text to be read
    in the mail itself rather than a file."""

    path: str
    letter: Letter
    data: bytes
    declared: str
    name: str | None = None
    content_id: str | None = None
    charset: str | None = None
    archives: int = 0
    """How many archives it is in."""
    is_body: bool = False

    def part(self, outcome: Outcome, reason: str = "", **more: object) -> MailPart:
        """What became of it."""
        values = {"name": self.name, "mime_type": self.declared, "size": len(self.data)} | more
        return MailPart(self.path, outcome, reason, **values)  # type: ignore[arg-type]
