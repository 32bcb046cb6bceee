"""Decides which leaves of a mail are documents, and says of every other why it is none."""

import hashlib
import re
from dataclasses import dataclass, replace
from itertools import islice

from serve_app.documents.images.convert import picture_as_pdf
from serve_app.documents.mail import body
from serve_app.documents.mail.evidence import Setting, announces_an_invoice, reads_like_an_invoice, setting_of
from serve_app.documents.mail.kinds import (
    BESIDE_A_PDF_SIDE,
    LOGO_BYTES,
    LOGO_RATIO,
    LOGO_SIDE,
    READABLE_SIDE,
    is_electronic_invoice,
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
from serve_app.documents.mail.pictures import PictureJudge
from serve_app.documents.mail.unpack import Unpacking
from serve_app.documents.options import ReadOptions
from serve_app.documents.sniff import HTML, JPEG, PDF, PNG, is_convertible, sniff
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
_ASK_FOR_PDF = "Send the document as PDF, JPEG, PNG, HEIC, TIFF, WebP or HTML."


@dataclass(slots=True)
class _Judged:
    leaf: Leaf
    kind: str | None
    sha256: str


class Judging:
    """Judges all leaves of one mail."""

    def __init__(self, unpacking: Unpacking, rules: OpenRules, options: ReadOptions) -> None:
        self._rules = rules
        self._options = options
        self._pictures = PictureJudge(options)
        self._notes = unpacking.notes
        self._letters = unpacking.letters
        self._all = [
            _Judged(leaf, sniff(leaf.data) if leaf.data else None, hashlib.sha256(leaf.data).hexdigest())
            for leaf in unpacking.leaves
        ]
        self._cids = {cid for judged in self._all if judged.leaf.is_body for cid in body.cids_in(judged.leaf)}
        self._has_pdf = any(judged.kind == PDF for judged in self._all)
        self._left = DOCUMENT_BYTES
        self._has_failures = any(note.outcome in FAILURES for note in self._notes)
        self._is_stated = False
        """Whether the sender gets one answer that the attachment is missing."""
        self.text = ""
        """The start of what people read in the mail, as far as `parts` has looked at it."""

    def parts(self) -> list[OpenedPart]:
        """One for each leaf."""
        files = [self._file(judged) for judged in self._all if not judged.leaf.is_body]
        self._has_failures |= any(opened.part.outcome in FAILURES for opened in files)
        documents = {opened.part.path for opened in files if opened.data}
        bodies: list[OpenedPart] = []
        # The innermost first: where a mail within it is a document, the mail around it is only its cover.
        for letter in reversed(self._letters):
            mine = [judged for judged in self._all if judged.leaf.is_body and judged.leaf.letter is letter]
            found = self._bodies(letter, mine, documents)
            documents |= {opened.part.path for opened in found if opened.data}
            bodies += found
        return files + bodies

    def _file(self, judged: _Judged) -> OpenedPart:
        leaf = judged.leaf
        problem = self._why_empty(judged) if self._is_wanted(judged) else self._why_ignored(judged)
        if problem is not None:
            return self._is(judged, Outcome.IGNORED, problem)
        if judged.kind is None:
            return self._made_readable(judged)
        if len(leaf.data) > self._rules.max_file_bytes:
            return self._is(judged, Outcome.TOO_LARGE, f"It is larger than {megabytes(self._rules.max_file_bytes)}.")
        opened = self._document(judged, leaf.data)
        is_waiting = judged.kind == PDF and is_locked(leaf.data)
        return replace(opened, part=replace(opened.part, is_locked=is_waiting))

    def _is_wanted(self, judged: _Judged) -> bool:
        return self._rules.is_upload or judged.leaf.path in self._rules.wanted

    def _why_empty(self, judged: _Judged) -> str | None:
        return None if judged.leaf.data else "It is empty."

    def _made_readable(self, judged: _Judged) -> OpenedPart:
        """A file unsupported file type: pictures become PDFs, and texts that a person wants read become pages."""
        is_wanted = judged.leaf.path in self._rules.wanted
        if is_convertible(judged.leaf.data) or (is_wanted and sides_of(judged.leaf.data) is not None):
            return self._converted(judged)
        if is_wanted and is_text(judged.leaf.data):
            return self._document(judged, body.page_of(replace(judged.leaf, declared="text/plain"), {}), HTML)
        return self._no_document(judged)

    def _converted(self, judged: _Judged) -> OpenedPart:
        """A picture that becomes a PDF."""
        try:
            made = picture_as_pdf(judged.leaf.data, self._options.limits, self._rules.max_file_bytes)
        except DocumentError as error:
            is_large = error.code is FailureCode.DOCUMENT_TOO_LARGE
            return self._is(judged, Outcome.TOO_LARGE if is_large else Outcome.UNREADABLE, error.message)
        return self._document(judged, made, PDF)

    def _why_ignored(self, judged: _Judged) -> str | None:
        leaf = judged.leaf
        if (problem := self._why_empty(judged)) is not None:
            return problem
        if leaf.name in _PEC:
            return "It belongs to certified mail (PEC)."
        if (reason := small_talk(leaf)) is not None and judged.kind is None:
            return reason
        if judged.sha256 in self._rules.ignored_pictures:
            return "A person chose to ignore this picture."
        if judged.kind in {JPEG, PNG} or leaf.declared.startswith("image/"):
            return self._why_no_page(judged)
        if judged.kind == HTML and _REST_OF_TEXT.fullmatch(leaf.name or "") and not _reads_like_an_invoice(leaf):
            return "It is another part of the text."
        return None

    def _why_no_page(self, judged: _Judged) -> str | None:
        """For pictures: logos, buttons and tracking pixels are no pages."""
        leaf, sides = judged.leaf, sides_of(judged.leaf.data)
        in_place = leaf.content_id is not None and leaf.content_id in self._cids
        if sides is None:
            # Drawings, of which browsers know more kinds than the service.
            return _DECORATION if in_place and judged.kind is None else None
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

    def _no_document(self, judged: _Judged) -> OpenedPart:
        leaf = judged.leaf
        if is_electronic_invoice(leaf.data):
            if self._has_pdf:
                return self._is(
                    judged, Outcome.IGNORED, "It is the electronic form of an invoice. The PDF is read instead."
                )
            reason = "It is an electronic invoice (XML) without a picture. Send the PDF as well."
            return self._is(judged, Outcome.XML_ONLY, reason)
        if is_xml(leaf.data) and self._has_pdf:
            return self._is(judged, Outcome.IGNORED, "It is data for programs.")
        if leaf.declared == "application/pgp-encrypted" or _PGP in leaf.data[:1000]:
            return self._is(judged, Outcome.ENCRYPTED_MAIL, _LOCKED_MAIL)
        if leaf.declared.startswith("text/"):
            return self._is(judged, Outcome.IGNORED, "It is plain text.")
        if leaf.declared in _ELSEWHERE:
            return self._is(judged, Outcome.UNSUPPORTED, f"{_ELSEWHERE[leaf.declared]} {_ASK_FOR_PDF}")
        return self._is(judged, Outcome.UNSUPPORTED, f"It is {name_of_unsupported(leaf.data)}. {_ASK_FOR_PDF}")

    def _bodies(self, letter: Letter, bodies: list[_Judged], documents: set[str]) -> list[OpenedPart]:
        """One of the texts may be a document; HTML says more than the same in plain text."""
        if not bodies:
            return []
        ranked = sorted(bodies, key=lambda judged: (judged.leaf.declared != "text/html", -len(judged.leaf.data)))
        texts = {judged.leaf.path: body.read(judged.leaf) for judged in bodies}
        if letter.parent is None:
            self.text = "\n".join(text for text, _ in texts.values())[:TEXT_CHARACTERS]
        fit = (one for one in ranked if self._is_document(one, texts[one.leaf.path][0], letter, documents))
        chosen = [one for one in ranked if one.leaf.path in self._rules.wanted] or list(islice(fit, 1))
        has_document = bool(documents or chosen)
        return [
            self._page(judged) if judged in chosen else self._text(judged, texts[judged.leaf.path], has_document)
            for judged in bodies
        ]

    def _is_document(self, judged: _Judged, text: str, letter: Letter, documents: set[str]) -> bool:
        has_others = any(not letter.path or path.startswith(f"{letter.path}.") for path in documents)
        if self._rules.bodies is Bodies.NEVER or (self._rules.bodies is Bodies.ALONE and has_others):
            return False
        return (
            bool(text.strip()) if self._rules.bodies is Bodies.ALWAYS else reads_like_an_invoice(text, _setting(letter))
        )

    def _page(self, judged: _Judged) -> OpenedPart:
        pictures = {one.leaf.content_id: one.leaf.data for one in self._all if one.leaf.content_id}
        page = body.page_of(judged.leaf, pictures)
        if sniff(page) != HTML or len(page) > self._rules.max_file_bytes:
            return self._is(judged, Outcome.UNREADABLE, "The text of the e-mail cannot be displayed as a page.")
        opened = self._document(judged, page, HTML)
        subject = judged.leaf.letter.heading.subject
        return replace(opened, part=replace(opened.part, name=f"{shortened(subject, _SUBJECT_LENGTH) or 'mail'}.html"))

    def _text(self, judged: _Judged, read: tuple[str, tuple[str, ...]], has_document: bool) -> OpenedPart:
        text, links = read
        if _PGP in judged.leaf.data[:5000]:
            return self._is(judged, Outcome.ENCRYPTED_MAIL, _LOCKED_MAIL)
        if not has_document and not self._is_stated and self._misses_a_file(judged, text):
            self._is_stated = True
            opened = self._is(judged, Outcome.ATTACHMENT_MISSING, _MISSING)
            return OpenedPart(replace(opened.part, links=links))
        if links and not has_document:
            reason = "The e-mail contains only links, which are not opened. Download the document and send it."
            opened = self._is(judged, Outcome.LINKS, reason)
            return OpenedPart(replace(opened.part, links=links))
        return self._is(judged, Outcome.IGNORED, "It is the text of the e-mail.")

    def _misses_a_file(self, judged: _Judged, text: str) -> bool:
        letter = judged.leaf.letter
        is_whole = letter.parent is None and not self._has_failures
        return is_whole and announces_an_invoice(text, letter.heading.subject, _setting(letter))

    def _document(self, judged: _Judged, data: bytes, kind: str | None = None) -> OpenedPart:
        if len(data) > self._left:
            return self._is(judged, Outcome.TOO_LARGE, "The documents of the e-mail are too large together.")
        self._left -= len(data)
        part = self._noted(judged, Outcome.WAITING, "")
        return OpenedPart(replace(part, mime_type=kind or judged.kind, sha256=hashlib.sha256(data).hexdigest()), data)

    def _is(self, judged: _Judged, outcome: Outcome, reason: str) -> OpenedPart:
        return OpenedPart(self._noted(judged, outcome, reason))

    def _noted(self, judged: _Judged, outcome: Outcome, reason: str) -> MailPart:
        return judged.leaf.part(outcome, reason, mime_type=judged.kind or judged.leaf.declared, sha256=judged.sha256)


def _setting(letter: Letter) -> Setting:
    return setting_of(letter.heading.subject, letter.is_bulk)


def _reads_like_an_invoice(leaf: Leaf) -> bool:
    return reads_like_an_invoice(body.read(replace(leaf, declared=HTML))[0])
