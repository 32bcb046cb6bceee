"""Decides which leaves of a mail are documents, and says of every other why it is none."""

import hashlib
import re
from dataclasses import dataclass, replace
from itertools import islice

from serve_app.documents.images.convert import picture_as_pdf
from serve_app.documents.mail import body
from serve_app.documents.mail.einvoices import EInvoiceFiles
from serve_app.documents.mail.evidence import Setting, announces_an_invoice, reads_like_an_invoice, setting_of
from serve_app.documents.mail.kinds import (
    BESIDE_A_PDF_SIDE,
    LOGO_BYTES,
    LOGO_RATIO,
    LOGO_SIDE,
    READABLE_SIDE,
    is_locked,
    is_text,
    is_xml,
    name_of_unsupported,
    sides_of,
    small_talk,
)
from serve_app.documents.mail.leaf import Leaf, Letter
from serve_app.documents.mail.limits import DOCUMENT_BYTES, TEXT_CHARACTERS
from serve_app.documents.mail.opened import OpenedPart, OpenRules
from serve_app.documents.mail.pictures import PictureClassifier
from serve_app.documents.mail.unpack import Unpacking
from serve_app.documents.options import ReadOptions
from serve_app.documents.sniff import HTML, JPEG, PDF, PNG, XML, is_convertible, sniff
from serve_app.domain.errors import DocumentError
from serve_app.domain.inbound_mail import FAILURES, MailPart, Outcome
from serve_app.domain.invoice import FailureCode
from serve_app.domain.limits import megabytes
from serve_app.domain.mail_address import Bodies
from serve_app.domain.plain_text import shortened

_MISSING = "The e-mail mentions an attached invoice, but it has no file. Send the e-mail again with the file."
_PEC = {"daticert.xml", "postacert.eml"}
_SUBJECT_LENGTH = 100
_DECORATION = "It is a logo or decoration in the text, not a document."
# What Exchange makes of the text after a file that Apple Mail shows in place.
_REST_OF_TEXT = re.compile(r"ATT\d{3,6}\.html?", re.IGNORECASE)
_PGP = b"-----BEGIN PGP MESSAGE-----"
_LOCKED_MAIL = "The e-mail is encrypted. Send the document unencrypted."
_ELSEWHERE = {
    "message/external-body": "It is only a link to the file.",
    "message/partial": "It is one part of a split e-mail.",
}
_ASK_FOR_PDF = "Send the document as PDF, JPEG, PNG, HEIC, TIFF, WebP, HTML or an electronic invoice (XML)."


@dataclass(slots=True)
class _SniffedLeaf:
    leaf: Leaf
    kind: str | None
    sha256: str


class PartClassifier:
    """Classifies all leaves of one mail."""

    def __init__(self, unpacking: Unpacking, rules: OpenRules, options: ReadOptions) -> None:
        self._rules = rules
        self._options = options
        self._pictures = PictureClassifier(options)
        self._notes = unpacking.notes
        self._letters = unpacking.letters
        self._all = [
            _SniffedLeaf(leaf, sniff(leaf.data) if leaf.data else None, hashlib.sha256(leaf.data).hexdigest())
            for leaf in unpacking.leaves
        ]
        self._cids = {cid for sniffed in self._all if sniffed.leaf.is_body for cid in body.cids_in(sniffed.leaf)}
        self._has_pdf = any(sniffed.kind == PDF for sniffed in self._all)
        self._einvoices = EInvoiceFiles(self._files_of(XML), self._files_of(PDF), options.limits)
        self._left = DOCUMENT_BYTES
        self._has_failures = any(note.outcome in FAILURES for note in self._notes)
        self._is_stated = False
        """Whether the sender gets one answer that the attachment is missing."""
        self.text = ""
        """The start of what people read in the mail, as far as `parts` has looked at it."""

    def _files_of(self, kind: str) -> list[Leaf]:
        return [sniffed.leaf for sniffed in self._all if sniffed.kind == kind and not sniffed.leaf.is_body]

    def parts(self) -> list[OpenedPart]:
        """One for each leaf."""
        files = [self._file(sniffed) for sniffed in self._all if not sniffed.leaf.is_body]
        self._has_failures |= any(opened.part.outcome in FAILURES for opened in files)
        documents = {opened.part.path for opened in files if opened.data}
        bodies: list[OpenedPart] = []
        # The innermost first: where a mail within it is a document, the mail around it is only its cover.
        for letter in reversed(self._letters):
            mine = [sniffed for sniffed in self._all if sniffed.leaf.is_body and sniffed.leaf.letter is letter]
            found = self._bodies(letter, mine, documents)
            documents |= {opened.part.path for opened in found if opened.data}
            bodies += found
        return files + bodies

    def _file(self, sniffed: _SniffedLeaf) -> OpenedPart:
        leaf = sniffed.leaf
        problem = self._why_empty(sniffed) if self._is_wanted(sniffed) else self._why_ignored(sniffed)
        if problem is not None:
            return self._is(sniffed, Outcome.IGNORED, problem)
        if sniffed.kind is None or self._einvoices.problem(leaf):
            return self._made_readable(sniffed)
        if self._einvoices.has_pdf(leaf) and not self._is_requested(sniffed):
            return self._is(sniffed, Outcome.IGNORED, "It is the electronic form of the invoice in the PDF.")
        if len(leaf.data) > self._rules.max_file_bytes:
            return self._is(sniffed, Outcome.TOO_LARGE, f"It is larger than {megabytes(self._rules.max_file_bytes)}.")
        opened = self._document(sniffed, self._einvoices.embedded(leaf, self._rules.max_file_bytes))
        is_waiting = sniffed.kind == PDF and is_locked(leaf.data)
        return replace(opened, part=replace(opened.part, is_locked=is_waiting))

    def _is_wanted(self, sniffed: _SniffedLeaf) -> bool:
        return self._rules.is_upload or self._is_requested(sniffed)

    def _is_requested(self, sniffed: _SniffedLeaf) -> bool:
        return sniffed.leaf.path in self._rules.requested

    def _why_empty(self, sniffed: _SniffedLeaf) -> str | None:
        return None if sniffed.leaf.data else "It is empty."

    def _made_readable(self, sniffed: _SniffedLeaf) -> OpenedPart:
        """A file unsupported file type: pictures become PDFs, and texts that a person wants read become pages."""
        is_wanted = self._is_requested(sniffed)
        if is_convertible(sniffed.leaf.data) or (is_wanted and sides_of(sniffed.leaf.data) is not None):
            return self._converted(sniffed)
        if is_wanted and is_text(sniffed.leaf.data):
            return self._document(sniffed, body.page_of(replace(sniffed.leaf, declared="text/plain"), {}), HTML)
        return self._no_document(sniffed)

    def _converted(self, sniffed: _SniffedLeaf) -> OpenedPart:
        """A picture that becomes a PDF."""
        try:
            made = picture_as_pdf(sniffed.leaf.data, self._options.limits, self._rules.max_file_bytes)
        except DocumentError as error:
            is_large = error.code is FailureCode.DOCUMENT_TOO_LARGE
            return self._is(sniffed, Outcome.TOO_LARGE if is_large else Outcome.UNREADABLE, error.message)
        return self._document(sniffed, made, PDF)

    def _why_ignored(self, sniffed: _SniffedLeaf) -> str | None:
        leaf = sniffed.leaf
        if (problem := self._why_empty(sniffed)) is not None:
            return problem
        if leaf.name in _PEC:
            return "It belongs to certified mail (PEC)."
        if (reason := small_talk(leaf)) is not None and sniffed.kind is None:
            return reason
        if sniffed.sha256 in self._rules.ignored_pictures:
            return "A person chose to ignore this picture."
        if sniffed.kind in {JPEG, PNG} or leaf.declared.startswith("image/"):
            return self._why_no_page(sniffed)
        if sniffed.kind == HTML and _REST_OF_TEXT.fullmatch(leaf.name or "") and not _reads_like_an_invoice(leaf):
            return "It is another part of the text."
        return None

    def _why_no_page(self, sniffed: _SniffedLeaf) -> str | None:
        """For pictures: logos, buttons and tracking pixels are no pages."""
        leaf, sides = sniffed.leaf, sides_of(sniffed.leaf.data)
        in_place = leaf.content_id is not None and leaf.content_id in self._cids
        if sides is None:
            # Drawings, of which browsers know more kinds than the service.
            return _DECORATION if in_place and sniffed.kind is None else None
        if sides.longer <= 2:
            return "It is a tracking pixel."
        if sides.shorter < READABLE_SIDE:
            return "It is too small for a document."
        is_long = sides.longer > LOGO_RATIO * sides.shorter
        is_small = in_place and (sides.shorter < LOGO_SIDE or len(leaf.data) < LOGO_BYTES or is_long)
        is_beside_a_pdf = self._has_pdf and sides.longer < BESIDE_A_PDF_SIDE
        if (not is_small and not is_beside_a_pdf) or self._pictures.shows_a_document(leaf.data):
            return None
        return _DECORATION if is_small else "It is a small picture beside a PDF, not a document."

    def _no_document(self, sniffed: _SniffedLeaf) -> OpenedPart:
        leaf = sniffed.leaf
        if is_xml(leaf.data) and (self._has_pdf or self._einvoices.has_any):
            return self._is(sniffed, Outcome.IGNORED, "It is data for programs.")
        if problem := self._einvoices.problem(leaf):
            return self._is(sniffed, Outcome.UNSUPPORTED, f"{problem.message} {_ASK_FOR_PDF}")
        if leaf.declared == "application/pgp-encrypted" or _PGP in leaf.data[:1000]:
            return self._is(sniffed, Outcome.ENCRYPTED_MAIL, _LOCKED_MAIL)
        if leaf.declared.startswith("text/"):
            return self._is(sniffed, Outcome.IGNORED, "It is plain text.")
        if leaf.declared in _ELSEWHERE:
            return self._is(sniffed, Outcome.UNSUPPORTED, f"{_ELSEWHERE[leaf.declared]} {_ASK_FOR_PDF}")
        return self._is(sniffed, Outcome.UNSUPPORTED, f"It is {name_of_unsupported(leaf.data)}. {_ASK_FOR_PDF}")

    def _bodies(self, letter: Letter, bodies: list[_SniffedLeaf], documents: set[str]) -> list[OpenedPart]:
        """One of the texts may be a document; HTML says more than the same in plain text."""
        if not bodies:
            return []
        ranked = sorted(bodies, key=lambda sniffed: (sniffed.leaf.declared != "text/html", -len(sniffed.leaf.data)))
        texts = {sniffed.leaf.path: body.read(sniffed.leaf) for sniffed in bodies}
        if letter.parent is None:
            self.text = "\n".join(text for text, _ in texts.values())[:TEXT_CHARACTERS]
        fit = (one for one in ranked if self._is_document(one, texts[one.leaf.path][0], letter, documents))
        chosen = [one for one in ranked if one.leaf.path in self._rules.requested] or list(islice(fit, 1))
        has_document = bool(documents or chosen)
        return [
            self._page(sniffed) if sniffed in chosen else self._text(sniffed, texts[sniffed.leaf.path], has_document)
            for sniffed in bodies
        ]

    def _is_document(self, sniffed: _SniffedLeaf, text: str, letter: Letter, documents: set[str]) -> bool:
        has_others = any(not letter.path or path.startswith(f"{letter.path}.") for path in documents)
        if self._rules.bodies is Bodies.NEVER or (self._rules.bodies is Bodies.ALONE and has_others):
            return False
        return (
            bool(text.strip()) if self._rules.bodies is Bodies.ALWAYS else reads_like_an_invoice(text, _setting(letter))
        )

    def _page(self, sniffed: _SniffedLeaf) -> OpenedPart:
        pictures = {one.leaf.content_id: one.leaf.data for one in self._all if one.leaf.content_id}
        page = body.page_of(sniffed.leaf, pictures)
        if sniff(page) != HTML or len(page) > self._rules.max_file_bytes:
            return self._is(sniffed, Outcome.UNREADABLE, "The text of the e-mail cannot be displayed as a page.")
        opened = self._document(sniffed, page, HTML)
        subject = sniffed.leaf.letter.heading.subject
        return replace(opened, part=replace(opened.part, name=f"{shortened(subject, _SUBJECT_LENGTH) or 'mail'}.html"))

    def _text(self, sniffed: _SniffedLeaf, read: tuple[str, tuple[str, ...]], has_document: bool) -> OpenedPart:
        text, links = read
        if _PGP in sniffed.leaf.data[:5000]:
            return self._is(sniffed, Outcome.ENCRYPTED_MAIL, _LOCKED_MAIL)
        if not has_document and not self._is_stated and self._misses_a_file(sniffed, text):
            self._is_stated = True
            opened = self._is(sniffed, Outcome.ATTACHMENT_MISSING, _MISSING)
            return OpenedPart(replace(opened.part, links=links))
        if links and not has_document:
            reason = "The e-mail contains only links, which are not opened. Download the document and send it."
            opened = self._is(sniffed, Outcome.LINKS, reason)
            return OpenedPart(replace(opened.part, links=links))
        return self._is(sniffed, Outcome.IGNORED, "It is the text of the e-mail.")

    def _misses_a_file(self, sniffed: _SniffedLeaf, text: str) -> bool:
        letter = sniffed.leaf.letter
        is_whole = letter.parent is None and not self._has_failures
        return is_whole and announces_an_invoice(text, letter.heading.subject, _setting(letter))

    def _document(self, sniffed: _SniffedLeaf, data: bytes, kind: str | None = None) -> OpenedPart:
        if len(data) > self._left:
            return self._is(sniffed, Outcome.TOO_LARGE, "The documents of the e-mail are too large together.")
        self._left -= len(data)
        part = self._part(sniffed, Outcome.WAITING, "")
        return OpenedPart(replace(part, mime_type=kind or sniffed.kind, sha256=hashlib.sha256(data).hexdigest()), data)

    def _is(self, sniffed: _SniffedLeaf, outcome: Outcome, reason: str) -> OpenedPart:
        return OpenedPart(self._part(sniffed, outcome, reason))

    def _part(self, sniffed: _SniffedLeaf, outcome: Outcome, reason: str) -> MailPart:
        return sniffed.leaf.part(
            outcome, reason, mime_type=sniffed.kind or sniffed.leaf.declared, sha256=sniffed.sha256
        )


def _setting(letter: Letter) -> Setting:
    return setting_of(letter.heading.subject, letter.is_bulk)


def _reads_like_an_invoice(leaf: Leaf) -> bool:
    return reads_like_an_invoice(body.read(replace(leaf, declared=HTML))[0])
