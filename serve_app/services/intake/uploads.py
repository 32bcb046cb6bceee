"""Files that people upload: archives, signed files and XML of several invoices are unpacked, and pictures that the API
does not take become PDFs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from serve_app.documents.mail.opened import OpenRules
from serve_app.documents.sniff import XML, is_convertible, is_signed, is_zip, sniff
from serve_app.domain.errors import DocumentError, UnsupportedFileType
from serve_app.domain.inbound_mail import MailPart, Outcome
from serve_app.services.intake.submit import Upload
from serve_app.services.ports import FileOpener
from serve_app.system.thread_pools import WAITING


@dataclass(frozen=True, slots=True)
class OpenedUpload:
    """The documents of an upload, and why its other files are none, a sentence or two for each."""

    documents: Sequence[Upload]
    problems: Sequence[str] = ()


class UploadOpening:
    """What people upload becomes documents of the types that the API takes."""

    def __init__(self, opener: FileOpener, max_file_bytes: int, *, accepts_xml: bool = False) -> None:
        """`accepts_xml`: through the API, too."""
        self._opener = opener
        self._accepts_xml = accepts_xml
        self._rules = OpenRules(max_file_bytes=max_file_bytes, is_upload=True)

    async def close(self) -> None:
        """For the end of the process."""
        await WAITING.run(self._opener.close)

    async def open(self, upload: Upload) -> OpenedUpload:
        """A document as it is, or what an archive, a signed file, XML or a picture contains. Raises UnsupportedFileType
        if it cannot be opened, Unavailable."""
        if any(is_kind(upload.data) for is_kind in (is_zip, is_convertible, is_signed, _is_xml)):
            return await self._opened(upload)
        return OpenedUpload([upload])

    async def without_signature(self, upload: Upload) -> Upload:
        """What a signed file holds, if the API takes electronic invoices; else the document as it is. Raises
        UnsupportedFileType if that is not one document, Unavailable."""
        if not self._accepts_xml or not is_signed(upload.data):
            return upload
        opened = await self._opened(upload)
        if len(opened.documents) > 1:
            raise UnsupportedFileType(f"The file contains {len(opened.documents)} documents. Send each one by itself.")
        if not opened.documents:
            raise UnsupportedFileType(" ".join(opened.problems))
        return opened.documents[0]

    async def _opened(self, upload: Upload) -> OpenedUpload:
        try:
            parts = await self._opener.open_file(upload.data, upload.name, self._rules)
        except DocumentError as error:
            raise UnsupportedFileType(error.message) from None
        documents = [replace(upload, data=each.data, name=each.part.name) for each in parts if each.data]
        problems = [
            _problem(each.part) for each in parts if not each.data and each.part.outcome is not Outcome.UNPACKED
        ]
        return OpenedUpload(documents, problems or _nothing_in(upload, documents))


def _is_xml(data: bytes) -> bool:
    return sniff(data) == XML


def _problem(part: MailPart) -> str:
    return f"{part.name}: {part.reason}" if part.name else part.reason


def _nothing_in(upload: Upload, documents: Sequence[Upload]) -> list[str]:
    return [] if documents else [f"{upload.name}: It contains no files."]
