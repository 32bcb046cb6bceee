"""Finds the leaves of a mail, whatever they are wrapped in."""

import re
from collections.abc import Iterable, Iterator
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32

from serve_app.documents.mail import containers
from serve_app.documents.mail.bounded_source import bounded
from serve_app.documents.mail.containers import Entry, NotOpened, Room
from serve_app.documents.mail.headers import address_in, file_name, heading_of, is_bulk, value
from serve_app.documents.mail.kinds import is_file
from serve_app.documents.mail.leaf import Leaf, Letter
from serve_app.documents.mail.limits import DEEPEST_MAIL, DEEPEST_PART, MOST_PARTS
from serve_app.documents.mail.outlook import OutlookMail, outlook_mail
from serve_app.documents.mail.transfer import content_of, encoding_of, uuencoded
from serve_app.documents.sniff import is_zip
from serve_app.domain.inbound_mail import Heading, MailPart, Outcome
from serve_app.domain.plain_text import one_line

# Two headers that mails have, one after the other or nearly so.
# A boundary with the first headers after it, whatever the mail says its boundary is.
_PART = re.compile(
    r"^--(\S[^\r\n]{0,200})\r?\n(?:[!-9;-~]{1,80}:[^\n]*\n(?:[ \t][^\n]*\n)*){0,5}?content-type[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)
_MAIL = re.compile(
    rb"\A(?:From [^\n]*\n)?(?:[!-9;-~]{1,80}:[^\n]*\n(?:[ \t][^\n]*\n)*){0,200}?"
    rb"(?:Received|From|Message-ID|Return-Path|MIME-Version|Subject):",
    re.IGNORECASE,
)
_HEADER_NAMES = re.compile(rb"^(from|date|received|message-id|mime-version):", re.IGNORECASE | re.MULTILINE)
_WHOLE_MAILS = {"message/rfc822", "message/global", "message/news"}
_ENCODED = {"base64", "quoted-printable"}
_MANY = f"The e-mail has over {MOST_PARTS} parts. Further parts were not processed."
_DEEP = "It is nested too deeply in e-mails and archives."


class Unpacking:
    """`leaves` are what contains nothing further, `notes` what became of everything else."""

    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.notes: list[MailPart] = []
        self.letters: list[Letter] = []
        self._room = Room()

    def mail(self, raw: bytes, path: str = "", parent: Letter | None = None) -> Letter:
        """Take a whole mail apart."""
        content, is_cut = bounded(raw)
        message, is_whole = _parsed(content)
        letter = self._letter(message, path, parent)
        if (is_cut or not is_whole) and all(note.reason != _MANY for note in self.notes):
            # After all others, of which there are fewer.
            self.notes.append(MailPart(_below(path, MOST_PARTS + 1), Outcome.TOO_MANY, _MANY))
        return letter

    def file(self, data: bytes, name: str | None, path: str) -> None:
        """Take a file apart that came without a mail."""
        letter = Letter("", Heading())
        self.letters.append(letter)
        self._open(Leaf(path, letter, data, "application/octet-stream", name), 1)

    def _letter(self, message: Message, path: str, parent: Letter | None) -> Letter:
        letter = Letter(path, heading_of(message), parent, is_bulk=is_bulk(message))
        self.letters.append(letter)
        message = self._with_parts(message, path)
        if message.is_multipart() and message.get_content_maintype() == "multipart":
            self._children(message, path, letter, 1)
        else:
            self._part(message, _below(path, 1), letter, 1, is_text=True)
        return letter

    def _children(self, message: Message, path: str, letter: Letter, depth: int) -> None:
        is_text = message.get_content_subtype() == "alternative"
        for number, child in enumerate(_parts(message), 1):
            self._part(child, _below(path, number), letter, depth, is_text=is_text)

    def _part(self, message: Message, path: str, letter: Letter, depth: int, *, is_text: bool = False) -> None:
        """`is_text`: it is in the place of the mail's text, whether or not it has a name."""
        if self._is_over(path, depth):
            return
        message = self._with_parts(message, path)
        kind = message.get_content_type()
        is_plain = encoding_of(message) not in _ENCODED
        if kind in _WHOLE_MAILS and message.is_multipart() and is_plain:
            self._nested(message, path, letter)
        elif message.is_multipart() and kind.startswith("multipart/"):
            self._children(message, path, letter, depth + 1)
        else:
            self._open(_leaf(message, path, letter, is_text), depth)

    def _with_parts(self, message: Message, path: str) -> Message:
        """The message itself; or one of the parts in it, if another boundary separates them than the header says."""
        boundary = _undeclared_boundary(message)
        if boundary is None:
            return message
        head = f'Content-Type: multipart/mixed; boundary="{boundary}"\n\n'
        content, is_cut = bounded((head + str(message.get_payload())).encode("utf-8", "surrogateescape"))
        parts, _ = _parsed(content)
        if is_cut:
            self.notes.append(MailPart(_below(path, MOST_PARTS + 1), Outcome.TOO_MANY, _MANY))
        if not parts.is_multipart():
            return message
        message.set_payload(parts.get_payload())
        message.set_type("multipart/mixed")
        return message

    def _is_over(self, path: str, depth: int) -> bool:
        if len(self.leaves) + len(self.notes) >= MOST_PARTS:
            if len(self.leaves) + len(self.notes) == MOST_PARTS:
                self.notes.append(MailPart(path, Outcome.TOO_MANY, _MANY))
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
            self._text(leaf, depth)
            return
        try:
            if not self._open_container(leaf, depth):
                self.leaves.append(leaf)
        except NotOpened as problem:
            self.notes.append(leaf.part(problem.outcome, problem.reason))

    def _text(self, leaf: Leaf, depth: int) -> None:
        """The text of a mail, and the files that are written into it."""
        self.leaves.append(leaf)
        for number, (name, data) in enumerate(uuencoded(leaf.data), 1):
            inside = Leaf(_below(leaf.path, number), leaf.letter, data, "application/octet-stream", name)
            if self._is_over(inside.path, depth + 1):
                return
            self._open(inside, depth + 1)

    def _open_container(self, leaf: Leaf, depth: int) -> bool:
        """Raises NotOpened."""
        data = leaf.data
        if (contained := self._contained(leaf)) is not None:
            self._entries(leaf, *contained, leaf.letter, depth)
        elif containers.is_ole(data):
            return self._outlook(leaf, depth)
        elif containers.is_encrypted(data):
            raise NotOpened(Outcome.ENCRYPTED_MAIL, "The e-mail is encrypted. Send the document unencrypted.")
        elif (signed := containers.signed_content(data)) is not None:
            self._signed(leaf, signed, depth)
        elif leaf.declared.startswith("multipart/") and containers.is_mime(data):
            # So Outlook keeps signed mails.
            self._mime(leaf, data, depth)
        elif _is_mail(leaf) or (leaf.declared in _WHOLE_MAILS and not is_file(data)):
            if _mails_deep(leaf.letter) >= DEEPEST_MAIL:
                raise NotOpened(Outcome.TOO_MANY, _DEEP)
            self.notes.append(leaf.part(Outcome.UNPACKED, "A mail."))
            self.mail(data, leaf.path, leaf.letter)
        else:
            return False
        return True

    def _contained(self, leaf: Leaf) -> tuple[str, Iterable[Entry]] | None:
        """What to call a file of several, and those. Raises NotOpened."""
        data = leaf.data
        if is_zip(data) and containers.office_kind(data) is None:
            if leaf.archives:
                raise NotOpened(Outcome.TOO_MANY, "It is an archive in an archive.")
            return "A ZIP archive.", containers.unzipped(data, self._room)
        if containers.is_tnef(data):
            return "Outlook's winmail.dat.", containers.tnef_entries(data)
        invoices = containers.invoices_in(data, leaf.name, self._room)
        return None if invoices is None else ("An XML of several invoices.", invoices)

    def _outlook(self, leaf: Leaf, depth: int) -> bool:
        opened = outlook_mail(leaf.data, DEEPEST_MAIL - _mails_deep(leaf.letter))
        if opened is not None:
            self._outlook_mail(leaf, opened, depth)
        return opened is not None

    def _outlook_mail(self, leaf: Leaf, opened: OutlookMail, depth: int) -> None:
        if _mails_deep(leaf.letter) >= DEEPEST_MAIL:
            self.notes.append(leaf.part(Outcome.TOO_MANY, _DEEP))
            return
        heading = Heading(address_in(opened.sender), subject=one_line(opened.subject)[:500])
        letter = Letter(leaf.path, heading, leaf.letter)
        self.letters.append(letter)
        self._entries(leaf, "An Outlook message.", opened.entries, letter, depth)

    def _signed(self, leaf: Leaf, content: bytes, depth: int) -> None:
        self.notes.append(leaf.part(Outcome.UNPACKED, "A signed file; its signature was not checked."))
        if containers.is_mime(content):
            self._mime(leaf, content, depth)
            return
        name = (leaf.name or "").removesuffix(".p7m").removesuffix(".P7M") or None
        inside = Leaf(_below(leaf.path, 1), leaf.letter, content, "application/octet-stream", name)
        if not self._is_over(inside.path, depth + 1):
            self._open(inside, depth + 1)

    def _mime(self, leaf: Leaf, content: bytes, depth: int) -> None:
        self._part(_parsed(bounded(content)[0])[0], _below(leaf.path, 1), leaf.letter, depth + 1, is_text=True)

    def _entries(
        self, leaf: Leaf, reason: str, entries: Iterable[Entry | OutlookMail], letter: Letter, depth: int
    ) -> None:
        """The note about the container precedes those about its content, even if that cannot be had."""
        at = len(self.notes)
        for number, entry in enumerate(entries, 1):
            path = _below(leaf.path, number)
            if self._is_over(path, depth + 1):
                break
            if isinstance(entry, OutlookMail):
                inside = Leaf(path, letter, b"", "application/vnd.ms-outlook", entry.name or None)
                self._outlook_mail(inside, entry, depth + 1)
            else:
                self._entry(leaf, path, entry, letter, depth + 1)
        self.notes.insert(at, leaf.part(Outcome.UNPACKED, reason))

    def _entry(self, leaf: Leaf, path: str, entry: Entry, letter: Letter, depth: int) -> None:
        inside = Leaf(path, letter, entry.data, entry.declared, entry.name, entry.content_id)
        inside.is_body = entry.is_body
        inside.archives = leaf.archives + is_zip(leaf.data)
        if entry.problem is not None:
            self.notes.append(inside.part(entry.problem.outcome, entry.problem.reason, size=0))
        else:
            self._open(inside, depth)


def _parsed(content: bytes) -> tuple[Message, bool]:
    """The mail, and whether its parts could be told apart: mails in parts in mails can be too deep for the parser."""
    try:
        return BytesParser(policy=compat32).parsebytes(content), True
    except RecursionError:
        return BytesHeaderParser(policy=compat32).parsebytes(content), False


def _undeclared_boundary(message: Message) -> str | None:
    """What separates the parts of a message that the parser found to have none, although one of its headers, or its
    first line, says that it has."""
    written = message.get_payload()
    if not isinstance(written, str) or encoding_of(message) in _ENCODED:
        return None
    found = _PART.search(written)
    if found is None:
        return None
    kinds = [str(kind).strip().lower() for kind in message.get_all("Content-Type", [])]
    is_announced = any(kind.startswith("multipart/") for kind in kinds) or not written[: found.start()].strip()
    boundary = found[1].rstrip()
    return boundary if is_announced and '"' not in boundary and "\\" not in boundary else None


def _below(path: str, number: int) -> str:
    return f"{path}.{number}" if path else str(number)


def _parts(message: Message) -> Iterator[Message]:
    payload = message.get_payload()
    return (part for part in (payload if isinstance(payload, list) else []) if isinstance(part, Message))


def _mails_deep(letter: Letter) -> int:
    return 0 if letter.parent is None else 1 + _mails_deep(letter.parent)


def _is_mail(leaf: Leaf) -> bool:
    """By its name and its first lines, or by more of its lines if it has no such name."""
    start = leaf.data[:65_536]
    if _MAIL.match(start) is None:
        return False
    if (leaf.name or "").lower().endswith((".eml", ".mht", ".mhtml")):
        return True
    head = start.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    names = {name.lower() for name in _HEADER_NAMES.findall(head)}
    return not leaf.declared.startswith("text/") and b"from" in names and len(names) > 1


def _leaf(message: Message, path: str, letter: Letter, is_text: bool) -> Leaf:
    data = content_of(message)
    kind = message.get_content_type()
    name = file_name(message)
    is_attached = value(message, "Content-Disposition").lower().startswith("attachment")
    # A multipart without parts is a damaged text.
    is_readable = kind in {"text/plain", "text/html"} or kind.startswith("multipart/")
    return Leaf(
        path=path,
        letter=letter,
        data=data,
        declared=kind[:100],
        name=name,
        content_id=value(message, "Content-ID").strip("<> ") or None,
        charset=_charset(message),
        is_body=is_readable and not is_attached and (is_text or name is None) and not is_file(data),
    )


def _charset(message: Message) -> str | None:
    try:
        found = message.get_content_charset()
    except Exception:
        return None
    return str(found)[:50] if found else None
