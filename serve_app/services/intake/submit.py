"""Accepts a document: the only entry point for API, web application and e-mail."""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from uuid import UUID

from serve_app.documents.load import expected_load
from serve_app.documents.sniff import NAMES, XML, sniff
from serve_app.domain.account import Account
from serve_app.domain.clock import Clock, month_start, utc_now
from serve_app.domain.errors import FileTooLarge, MissingFile, OutcomeUnknown, StoreUnreachable, UnsupportedFileType
from serve_app.domain.invoice import FileInfo, Invoice, Source
from serve_app.domain.record import InvoiceRecord, new_record
from serve_app.domain.reservation import Reservation
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.tasks.background import Background
from serve_app.services.tasks.wake import Wake
from serve_app.services.upkeep.housekeeping import end_reservation
from serve_app.store.base import Files, Intake
from serve_app.system.thread_pools import HASHING, decoding_pool
from serve_app.telemetry.meter import count
from serve_app.telemetry.series import ACCEPTED
from serve_app.telemetry.tracer import traceparent

_NAME_LENGTH = 255
_LONGEST_PATH = 4096
_SUFFIX_LENGTH = 10
_NO_NAMES = {"", ".", ".."}
"""The empty name, and names that stand for folders."""
# A busy store answers again within minutes. Until then the unit of the quota counts as used.
_PAUSES = (5.0, 30.0, 120.0)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Upload:
    """A document as received; `name` is the sender's name for it, `metadata` the sender's notes,
    `entity_tag` the tag that its invoice gets."""

    data: bytes
    name: str | None
    source: Source
    metadata: dict[str, str] = field(default_factory=dict)
    entity_tag: str | None = None


class DocumentIntake:
    """Checks a document, stores its bytes, then queues its invoice: once a call has returned, nothing can be lost.

    A crash in between leaves a reservation, which `Housekeeping` ends: no unit of the quota and no file stay behind.
    """

    def __init__(
        self,
        intake: Intake,
        limits: MonthlyLimits,
        files: Files,
        wake: Wake,
        max_bytes: int,
        clock: Clock = utc_now,
        *,
        accepts_xml: bool = False,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`accepts_xml`: through the API, too. `sleep` waits for so many seconds."""
        self._intake = intake
        self._limits = limits
        self._files = files
        self._wake = wake
        self._max_bytes = max_bytes
        self._clock = clock
        self._accepts_xml = accepts_xml
        self._sleep = sleep
        self._background = Background()

    async def submit(self, account: Account, upload: Upload, invoice_id: UUID) -> Invoice:
        """The queued invoice, which has this id. Raises InvalidRequest for the document, MonthlyLimitReached,
        Unavailable: then nothing was queued, unless it is OutcomeUnknown."""
        invoice = self._describe(account, upload, invoice_id)
        load = await decoding_pool(len(upload.data)).run(expected_load, upload.data, invoice.file.mime_type)
        sha256 = await HASHING.run(_sha256_of, upload.data)
        record = new_record(invoice, account.id, load, sha256, traceparent())
        # A sender that disconnects must not leave bytes without a row.
        await self._background.finish(self._keep(record, upload.data, account))
        self._wake.request()
        count(ACCEPTED, source=record.invoice.source)
        log.info("invoice accepted", extra={"invoice_id": str(record.invoice.id), "account_id": str(account.id)})
        return record.invoice

    def _describe(self, account: Account, upload: Upload, invoice_id: UUID) -> Invoice:
        now = self._clock()
        mime_type = self._check(account, upload)
        file = FileInfo(name=clean_name(upload.name), mime_type=mime_type, size_bytes=len(upload.data))
        return Invoice(
            id=invoice_id,
            livemode=account.is_live,
            source=upload.source,
            created_at=now,
            updated_at=now,
            file=file,
            metadata=upload.metadata,
            entity_tag=upload.entity_tag,
        )

    def _check(self, account: Account, upload: Upload) -> str:
        if not upload.data:
            raise MissingFile("The file is empty.")
        max_bytes = min(self._max_bytes, account.allowed.max_bytes)
        if len(upload.data) > max_bytes:
            raise FileTooLarge(max_bytes)
        mime_type = sniff(upload.data)
        is_refused = mime_type == XML and upload.source is Source.API and not self._accepts_xml
        if mime_type is None or is_refused:
            raise UnsupportedFileType(unsupported_message())
        return mime_type

    async def _keep(self, record: InvoiceRecord, data: bytes, account: Account) -> None:
        try:
            await self._take_in(record, data, account)
        except Exception:
            with suppress(Exception):
                # The row may exist although its write was reported as failed, or because another request for the same
                # invoice was faster.
                if await self._intake.has_invoice(record.file_key):
                    return
            raise

    async def _take_in(self, record: InvoiceRecord, data: bytes, account: Account) -> None:
        with _without_effect():
            limit = await self._limits.documents(account)
            reservation = await self._intake.reserve(record, month_start(record.invoice.created_at), limit)
            try:
                await self._files.write(record.file_key, data)
            except Exception:
                await self._give_up(reservation)
                raise
        try:
            await self._intake.add(record)
        except Exception as error:
            if not await self._is_ended(reservation):
                raise OutcomeUnknown from error
            with _without_effect():
                raise

    async def _give_up(self, reservation: Reservation) -> None:
        """Give the unit back, but keep the reservation: an upload that failed here may still complete there, and
        housekeeping then deletes its bytes."""
        await self._now_or_later(reservation, lambda: self._intake.give_up(reservation))

    async def _is_ended(self, reservation: Reservation) -> bool:
        """Whether the reservation could be ended, so that its invoice can no longer be queued."""
        return await self._now_or_later(reservation, lambda: end_reservation(reservation, self._intake, self._files))

    async def _now_or_later(self, reservation: Reservation, step: Callable[[], Awaitable[bool]]) -> bool:
        """Whether the step is done. If not, it is tried again in the background, and at last left for housekeeping."""
        try:
            await step()
        except Exception as error:
            log.warning("reservation left: %r", error, extra={"invoice_id": str(reservation.invoice_id)})
            self._background.start(self._try_again(step))
            return False
        return True

    async def _try_again(self, step: Callable[[], Awaitable[bool]]) -> None:
        for pause in _PAUSES:
            await self._sleep(pause)
            with suppress(Exception):
                await step()
                return


def _sha256_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@contextmanager
def _without_effect() -> Iterator[None]:
    """For steps that leave the caller nothing, even if they were done: an uncertain error becomes a certain one."""
    try:
        yield
    except OutcomeUnknown as error:
        raise StoreUnreachable from error


def clean_name(name: str | None) -> str | None:
    """The last part of a path of any operating system, without unprintable characters; None if no name is left. A name
    that is too long keeps its extension."""
    # The rest of a very long one is dropped first, because callers may send megabytes.
    plain = (name or "")[-_LONGEST_PATH:].replace("\\", "/")
    printable = "".join(c for c in PurePosixPath(plain).name if c.isprintable()).strip()
    return None if printable in _NO_NAMES else _shortened(printable)


def _shortened(name: str) -> str:
    suffix = PurePosixPath(name).suffix
    if len(name) <= _NAME_LENGTH or len(suffix) > _SUFFIX_LENGTH:
        return name[:_NAME_LENGTH]
    return name[: _NAME_LENGTH - len(suffix)] + suffix


def unsupported_message() -> str:
    """The message that lists the supported types."""
    return f"Unsupported file type. Supported types: {', '.join(NAMES.values())}."
