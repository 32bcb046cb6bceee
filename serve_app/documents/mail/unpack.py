"""Finds the leaves of a mail, whatever they are wrapped in."""

import re
from collections.abc import Iterable, Iterator
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32

from serve_app.documents.mail import containers
from serve_app.documents.mail.containers import Entry, NotOpened
from serve_app.documents.mail.headers import address_in, file_name, heading_of, value
from serve_app.documents.mail.leaf import Leaf, Letter
from serve_app.documents.mail.limits import DEEPEST_MAIL, DEEPEST_PART, MOST_PARTS
from serve_app.documents.mail.tame import TooManyParts, tamed
from serve_app.domain.inbound_mail import Heading, MailPart, Outcome
from serve_app.domain.plain_text import one_line

# Two headers that mails have, one after the other or nearly so.
_MAIL = re.compile(
    rb"\A(?:From [^\n]*\n)?(?:[!-9;-~]{1,80}:[^\n]*\n(?:[ \t][^\n]*\n)*){0,200}?"
    rb"(?:Received|From|Message-ID|Return-Path|MIME-Version|Subject):",
    re.IGNORECASE,
)
_DEEP = "It lies in more layers of mails and archives than are looked at."


class Unpacking:
    """`leaves` are what contains nothing further, `notes` what became of everything else."""

    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.notes: list[MailPart] = []
        self.letters: list[Letter] = []

    def mail(self, raw: bytes, path: str = "", parent: Letter | None = None) -> Letter:
        """Take a whole mail apart."""
        message: Message = BytesParser(policy=compat32).parsebytes(tamed(raw))
        return self._letter(message, path, parent)

    def _letter(self, message: Message, path: str, parent: Letter | None) -> Letter:
        letter = Letter(path, heading_of(message), parent)
        self.letters.append(letter)
        if message.is_multipart() and message.get_content_maintype() == "multipart":
            self._children(message, path, letter, 1)
        else:
            self._part(message, _below(path, 1), letter, 1)
        return letter

    def _children(self, message: Message, path: str, letter: Letter, depth: int) -> None:
        for number, child in enumerate(_parts(message), 1):
            self._part(child, _below(path, number), letter, depth)

    def _part(self, message: Message, path: str, letter: Letter, depth: int) -> None:
        if self._is_over(path, depth):
            return
        kind = message.get_content_type()
        if kind == "message/rfc822" and message.is_multipart():
            self._nested(message, path, letter)
        elif message.is_multipart() and kind.startswith("multipart/"):
            self._children(message, path, letter, depth + 1)
        else:
            self._open(_leaf(message, path, letter), depth)

    def _is_over(self, path: str, depth: int) -> bool:
        if len(self.leaves) + len(self.notes) >= MOST_PARTS:
            if len(self.leaves) + len(self.notes) == MOST_PARTS:
                reason = f"The mail has over {MOST_PARTS} parts; this one and those after it were not looked at."
                self.notes.append(MailPart(path, Outcome.TOO_MANY, reason))
            return True
        if depth > DEEPEST_PART:
            self.notes.append(MailPart(path, Outcome.TOO_MANY, _DEEP))
            return True
        return False

    def _nested(self, message: Message, path: str, letter: Letter) -> None:
        inner = next(iter(_parts(message)), None)
        if inner is None or _mails_deep(letter) >= DEEPEST_MAIL:
            self.notes.append(MailPart(path, Outcome.TOO_MANY, _DEEP, mime_type="message/rfc822"))
            return
        name = file_name(message) or value(inner, "Subject") or None
        self.notes.append(MailPart(path, Outcome.UNPACKED, "A mail.", name, "message/rfc822"))
        self._letter(inner, path, letter)

    def _open(self, leaf: Leaf, depth: int) -> None:
        """Look into a file that contains others, or else keep it."""
        if leaf.is_body:
            self.leaves.append(leaf)
            return
        try:
            if not self._open_container(leaf, depth):
                self.leaves.append(leaf)
        except NotOpened as problem:
            self.notes.append(leaf.part(problem.outcome, problem.reason))
        except TooManyParts:
            self.notes.append(leaf.part(Outcome.TOO_MANY, f"It is a mail with over {MOST_PARTS} parts."))

    def _open_container(self, leaf: Leaf, depth: int) -> bool:
        """Raises NotOpened, TooManyParts."""
        data = leaf.data
        if containers.is_zip(data) and containers.office_kind(data) is None:
            if leaf.archives:
                raise NotOpened(Outcome.TOO_MANY, "It is an archive in an archive.")
            self._entries(leaf, "A ZIP archive.", containers.unzipped(data), leaf.letter, depth)
        elif containers.is_tnef(data):
            self._entries(leaf, "Outlook's winmail.dat.", containers.tnef_entries(data), leaf.letter, depth)
        elif containers.is_ole(data):
            return self._outlook(leaf, depth)
        elif containers.is_encrypted(data):
            raise NotOpened(Outcome.ENCRYPTED_MAIL, "The mail is encrypted; send the document unencrypted.")
        elif (signed := containers.signed_content(data)) is not None:
            self._signed(leaf, signed, depth)
        elif leaf.declared == "message/rfc822" or _is_mail(leaf):
            if _mails_deep(leaf.letter) >= DEEPEST_MAIL:
                raise NotOpened(Outcome.TOO_MANY, _DEEP)
            content = tamed(data)
            self.notes.append(leaf.part(Outcome.UNPACKED, "A mail."))
            self.mail(content, leaf.path, leaf.letter)
        else:
            return False
        return True

    def _outlook(self, leaf: Leaf, depth: int) -> bool:
        opened = containers.outlook_entries(leaf.data)
        if opened is None:
            return False
        if _mails_deep(leaf.letter) >= DEEPEST_MAIL:
            raise NotOpened(Outcome.TOO_MANY, _DEEP)
        sender, subject, entries = opened
        letter = Letter(leaf.path, Heading(address_in(sender), subject=one_line(subject)[:500]), leaf.letter)
        self.letters.append(letter)
        self._entries(leaf, "An Outlook message.", entries, letter, depth)
        return True

    def _signed(self, leaf: Leaf, content: bytes, depth: int) -> None:
        self.notes.append(leaf.part(Outcome.UNPACKED, "A signed file; its signature was not checked."))
        if containers.is_mime(content):
            inner: Message = BytesParser(policy=compat32).parsebytes(tamed(content))
            self._part(inner, _below(leaf.path, 1), leaf.letter, depth + 1)
            return
        name = (leaf.name or "").removesuffix(".p7m").removesuffix(".P7M") or None
        inside = Leaf(_below(leaf.path, 1), leaf.letter, content, "application/octet-stream", name)
        if not self._is_over(inside.path, depth + 1):
            self._open(inside, depth + 1)

    def _entries(self, leaf: Leaf, reason: str, entries: Iterable[Entry], letter: Letter, depth: int) -> None:
        """The note about the container precedes those about its content, even if that cannot be had."""
        at = len(self.notes)
        for number, entry in enumerate(entries, 1):
            inside = Leaf(_below(leaf.path, number), letter, entry.data, entry.declared, entry.name)
            inside.is_body = entry.is_body
            inside.archives = leaf.archives + containers.is_zip(leaf.data)
            if self._is_over(inside.path, depth + 1):
                break
            if entry.problem is not None:
                self.notes.append(inside.part(entry.problem.outcome, entry.problem.reason, size=0))
            else:
                self._open(inside, depth + 1)
        self.notes.insert(at, leaf.part(Outcome.UNPACKED, reason))


def _below(path: str, number: int) -> str:
    return f"{path}.{number}" if path else str(number)


def _parts(message: Message) -> Iterator[Message]:
    payload = message.get_payload()
    return (part for part in (payload if isinstance(payload, list) else []) if isinstance(part, Message))


def _mails_deep(letter: Letter) -> int:
    return 0 if letter.parent is None else 1 + _mails_deep(letter.parent)


def _is_mail(leaf: Leaf) -> bool:
    names_mail = (leaf.name or "").lower().endswith((".eml", ".mht", ".mhtml"))
    return names_mail and _MAIL.match(leaf.data[:65_536]) is not None


def _leaf(message: Message, path: str, letter: Letter) -> Leaf:
    try:
        payload = message.get_payload(decode=True)
    except Exception:
        payload = None
    data = payload if isinstance(payload, bytes) else str(message.get_payload() or "").encode("utf-8", "replace")
    kind = message.get_content_type()
    name = file_name(message)
    is_attached = value(message, "Content-Disposition").lower().startswith("attachment") or name is not None
    return Leaf(
        path=path,
        letter=letter,
        data=data,
        declared=kind[:100],
        name=name,
        content_id=value(message, "Content-ID").strip("<> ") or None,
        charset=_charset(message),
        # A multipart without parts is a damaged text.
        is_body=(kind in {"text/plain", "text/html"} or kind.startswith("multipart/")) and not is_attached,
    )


def _charset(message: Message) -> str | None:
    try:
        found = message.get_content_charset()
    except Exception:
        return None
    return str(found)[:50] if found else None
