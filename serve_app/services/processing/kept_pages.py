"""Keeps the words of pages that have been read until the run over their document has ended."""

import asyncio
import logging
import time
import zlib
from contextlib import suppress

import msgspec

from serve_app.domain.packed import PackedPages, PagesRead
from serve_app.domain.record import InvoiceRecord, pages_key_of
from serve_app.domain.usage import NOTHING_SPENT, ComputeTime
from serve_app.store.base import Files
from serve_app.system.thread_pools import COMPUTING

# The shortest interval between writes. What was read since the last one is lost if the dispatcher dies.
KEEP_SECONDS = 5.0

log = logging.getLogger(__name__)


class _Stored(msgspec.Struct, array_like=True):
    """`run` counts the requested runs: a re-extraction reads again. The packets' data is compressed."""

    run: int
    count: int
    seconds: float
    packets: list[PackedPages]
    spent: ComputeTime = NOTHING_SPENT


class KeptPages:
    """The pages of one run, in one file next to the document's. Only the pages of documents that take several reader
    calls are kept; if the file store is out of reach, only that is lost."""

    def __init__(self, files: Files, claim: InvoiceRecord, keep_seconds: float = KEEP_SECONDS) -> None:
        self._files = files
        self._claim = claim
        self._key = pages_key_of(claim.account_id, claim.invoice.id)
        self._keep_seconds = keep_seconds
        self._stored = _Stored(claim.runs, 0, 0.0, [])
        self._new: list[PackedPages] = []
        self._written_at = time.monotonic()
        self._may_exist = claim.attempt > 1
        self._writing: asyncio.Task[None] | None = None

    async def load(self) -> PagesRead | None:
        """What an earlier run over the document kept, if there was one."""
        if not self._may_exist:
            return None
        try:
            stored = msgspec.msgpack.decode(await self._files.read(self._key), type=_Stored)
        except FileNotFoundError:
            return None
        except Exception as error:
            log.warning("cannot use kept pages: %r", error)
            return None
        if stored.run != self._claim.runs or not stored.packets:
            return None
        packets = tuple(_with_data(packet, zlib.decompress(packet.data)) for packet in stored.packets)
        log.info("using pages of an earlier run", extra={"pages": sum(len(packet.numbers) for packet in packets)})
        return PagesRead(stored.count, packets, stored.seconds, spent=stored.spent)

    def add(self, pages: PagesRead) -> None:
        """Keep these, too; they are written within a few seconds."""
        self._stored.count = pages.count
        self._stored.seconds += pages.seconds
        self._stored.spent += pages.spent
        self._new += pages.packets
        due = time.monotonic() - self._written_at >= self._keep_seconds
        if due and (self._writing is None or self._writing.done()):
            self._writing = asyncio.create_task(self._write())

    async def flush(self) -> None:
        """Write what has not been written yet: this run ends, and another will follow."""
        await self._settle()
        if self._new:
            await self._write()

    async def discard(self) -> None:
        """Remove them: the document will not be read again for this run."""
        await self._settle()
        if self._may_exist:
            with suppress(Exception):
                await self._files.delete(self._key)

    async def _settle(self) -> None:
        if self._writing is not None:
            await asyncio.gather(self._writing, return_exceptions=True)

    async def _write(self) -> None:
        self._written_at = time.monotonic()
        self._may_exist = True
        new, self._new = self._new, []
        try:
            data = await COMPUTING.run(self._pack, new)
            await self._files.write(self._key, data)
        except Exception as error:
            log.warning("pages not kept: %r", error)

    def _pack(self, new: list[PackedPages]) -> bytes:
        self._stored.packets += [_with_data(packet, zlib.compress(packet.data, 1)) for packet in new]
        return msgspec.msgpack.encode(self._stored)


def _with_data(packet: PackedPages, data: bytes) -> PackedPages:
    return PackedPages(packet.numbers, packet.words, data)
