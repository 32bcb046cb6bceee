"""Calls about invoices."""

import uuid
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from time import monotonic
from typing import IO

from typing_extensions import Unpack

from invoices_client import calls
from invoices_client._sync.concurrency import run_blocking, sleep
from invoices_client._sync.many import ManyDocuments
from invoices_client._sync.pages import Pages
from invoices_client._sync.transport import Transport
from invoices_client.documents import PathText, check_one_source, read_document, upload_body
from invoices_client.errors import WaitTimeoutError
from invoices_client.models import (
    AcceptedInvoice,
    ApprovalRequested,
    EInvoiceFormat,
    FileLink,
    Invoice,
    PageAnswer,
    ReviewAnswer,
    ZeroRate,
)
from invoices_client.models.parameters import AmendBody, ListInvoicesQuery, PostingBody, ReviewBody
from invoices_client.results import CreateResult, is_finished

_LONGEST_POLL = 10.0
# About a minute, in which a service can be restarted.
_RETRIES_OF_MANY = 12


class Invoices:
    """`client.invoices`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        path: PathText | None = None,
        file: bytes | IO[bytes] | None = None,
        url: str | None = None,
        base64: str | None = None,
        file_name: str | None = None,
        metadata: Mapping[str, str] | None = None,
        wait: bool = False,
        idempotency_key: str | None = None,
    ) -> AcceptedInvoice:
        """Send a document: a file by its `path`, an open `file` or bytes, a public https `url`, or `base64`.

        With `wait`, the service holds the call until the invoice is finished, for up to 60 s. All retries of a call
        have one idempotency key, so that they create one invoice. Give your own if your program may repeat the call.
        """
        check_one_source(path=path, file=file, url=url, base64=base64)
        data, found = run_blocking(read_document, file, path)
        others = {"file_url": url, "file_base64": base64, "file_name": file_name or (found if base64 else None)}
        body = upload_body(
            data, file_name or found, {name: text for name, text in others.items() if text is not None}, metadata
        )
        headers = _key_header(idempotency_key)
        params = {"wait": True} if wait else None
        return self._transport.call(calls.CREATE_INVOICE, params=params, headers=headers, **body)

    def create_and_wait(
        self,
        *,
        path: PathText | None = None,
        file: bytes | IO[bytes] | None = None,
        url: str | None = None,
        base64: str | None = None,
        file_name: str | None = None,
        metadata: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        timeout: float = 600.0,
        poll_seconds: float = 1.0,
    ) -> Invoice:
        """Send a document, and return its finished invoice: `complete` or `failed`. Raises WaitTimeoutError after
        `timeout` seconds."""
        deadline = monotonic() + timeout
        invoice = self.create(
            path=path,
            file=file,
            url=url,
            base64=base64,
            file_name=file_name,
            metadata=metadata,
            wait=True,
            idempotency_key=idempotency_key,
        )
        return self._finish(invoice, deadline, poll_seconds)

    def create_many(
        self,
        paths: Iterable[PathText],
        *,
        concurrency: int = 8,
        wait: bool = True,
        journal: PathText | None = None,
        progress: Callable[[CreateResult], None] | None = None,
        timeout: float = 600.0,
    ) -> Generator[CreateResult, None, None]:
        """Send many files, `concurrency` at a time and within the rate limit, and yield each invoice or error.

        With a `journal`, a file that the program keeps of what was sent, the same call continues after a crash: each
        document becomes one invoice. It is safe for 24 hours, as idempotency keys are. `progress` is called before
        each result.
        """
        patient = self._transport.with_options(
            is_paced=True, max_retries=max(self._transport.options.max_retries, _RETRIES_OF_MANY)
        )
        many = ManyDocuments(Invoices(patient), wait=wait, timeout=timeout)
        return many.send(paths, concurrency=concurrency, journal=journal, progress=progress)

    def wait(self, id: str, *, timeout: float = 600.0, poll_seconds: float = 1.0) -> Invoice:
        """The invoice once it is finished. Raises WaitTimeoutError after `timeout` seconds."""
        deadline = monotonic() + timeout
        return self._finish(self.retrieve(id), deadline, poll_seconds)

    def _finish(self, invoice: Invoice, deadline: float, pause: float) -> Invoice:
        while not is_finished(invoice):
            left = deadline - monotonic()
            if left <= 0:
                raise WaitTimeoutError(invoice)
            sleep(min(pause, left))
            pause = min(pause * 1.5, _LONGEST_POLL)
            invoice = self.retrieve(invoice.id)
        return invoice

    def retrieve(self, id: str) -> Invoice:
        """One invoice."""
        return self._transport.call(calls.GET_INVOICE, id)

    def list(self, **filters: Unpack[ListInvoicesQuery]) -> Pages[Invoice]:
        """Invoices, newest first. Iterate over all of them; `limit` is the size of a page."""
        return Pages(self._transport, calls.LIST_INVOICES, filters)

    def update(self, id: str, *, idempotency_key: str | None = None, **changes: Unpack[AmendBody]) -> Invoice:
        """Set `paid` or `entity_tag`; None clears the tag. All retries have one idempotency key, as those of
        `create`."""
        headers = _key_header(idempotency_key)
        return self._transport.call(calls.AMEND_INVOICE, id, headers=headers, json=changes)

    def delete(self, id: str) -> None:
        """Delete an invoice and its document permanently."""
        self._transport.call(calls.DELETE_INVOICE, id)

    def extract(
        self, id: str, *, force: bool = False, password: str | None = None, idempotency_key: str | None = None
    ) -> Invoice:
        """Read the document again, for one unit of the quota. A complete invoice needs `force`. All retries have one
        idempotency key, so that they cost one unit."""
        body = {"force": force, **({"password": password} if password is not None else {})}
        headers = _key_header(idempotency_key)
        return self._transport.call(calls.EXTRACT_AGAIN, id, headers=headers, json=body)

    def file(self, id: str, *, to: PathText | None = None, original: bool = False) -> FileLink:
        """A link to the document, valid for an hour and without a key. With `to`, also download it into that file."""
        link = self._transport.call(calls.GET_FILE_LINK, id, params={"original": original})
        if to is not None:
            response = self._transport.request("GET", link.url, has_key=False)
            run_blocking(_write, to, response.content)
        return link

    def einvoice(
        self,
        id: str,
        *,
        format: EInvoiceFormat | str | None = None,
        seller_country: str | None = None,
        buyer_country: str | None = None,
        zero_rate: ZeroRate | str | None = None,
    ) -> bytes:
        """The electronic invoice of the document, as XML. Raises NotFoundError if there is none. With `format`, a valid
        one is written of the invoice, as XML or within its PDF; raises InvalidRequestError if terms are missing."""
        params = {
            "format": format,
            "seller_country": seller_country,
            "buyer_country": buyer_country,
            "zero_rate": zero_rate,
        }
        return self._transport.call(calls.GET_EINVOICE, id, params=params)

    def unlock(self, id: str) -> Invoice:
        """Let the values of an exported invoice be changed. The next export contains it again."""
        return self._transport.call(calls.UNLOCK_INVOICE, id)

    def request_approval(self, id: str, *, email: str, idempotency_key: str | None = None) -> ApprovalRequested:
        """Ask a person by e-mail to approve or reject a complete invoice. All retries have one idempotency key, so that
        they send one mail."""
        headers = _key_header(idempotency_key)
        return self._transport.call(calls.REQUEST_APPROVAL, id, headers=headers, json={"email": email})

    def review(self, id: str) -> ReviewAnswer:
        """What a person needs to check the values, with the `revision` for `update_review`."""
        return self._transport.call(calls.GET_REVIEW, id)

    def update_review(self, id: str, **decisions: Unpack[ReviewBody]) -> ReviewAnswer:
        """Correct, confirm or reject an invoice. `revision` is the one that was seen."""
        return self._transport.call(calls.CHANGE_REVIEW, id, json=decisions)

    def update_coding(self, id: str, postings: Sequence[PostingBody] | None) -> Invoice:
        """Confirm or correct what an invoice is booked on, as a whole; None takes the decision back."""
        return self._transport.call(calls.CHANGE_CODING, id, json={"postings": postings})

    def page(self, id: str, number: int) -> PageAnswer:
        """A page, from 1, with its words and their places."""
        return self._transport.call(calls.GET_PAGE, id, number)

    def picture(self, id: str, number: int) -> bytes:
        """A page, from 1, as a JPEG."""
        return self._transport.call(calls.GET_PICTURE, id, number)


def _key_header(key: str | None) -> dict[str, str]:
    """One key for all tries of a call."""
    return {"Idempotency-Key": key or str(uuid.uuid4())}


def _write(path: PathText, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
