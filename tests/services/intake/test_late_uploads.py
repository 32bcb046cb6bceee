"""An upload that timed out here may still complete there: its bytes are found and removed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from urllib.parse import urlsplit

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import ServiceError
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Source
from serve_app.domain.record import DEPLOYMENT
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.accounts.usage import UsageService
from serve_app.services.intake.submit import DocumentIntake, Upload
from serve_app.services.tasks.wake import Wake
from serve_app.services.upkeep.housekeeping import Housekeeping
from serve_app.services.upkeep.ownership import FileOwnership
from serve_app.store.base import Store
from serve_app.store.files.s3 import S3Files, S3Limits
from tests.support import MONTH, PDF_BYTES, Clock, FakeNotifier
from tests.support.buckets import names_in, new_bucket, s3_server
from tests.support.until import until

SHORT_TIMEOUTS = S3Limits(connect_seconds=0.3, read_seconds=0.3, attempts=1)
HOUR_S = 3600.0


@dataclass
class Slow:
    """A way to a server on which uploads get stuck until `go`, although their sender has given up."""

    host: str
    port: int
    go: asyncio.Event = field(default_factory=asyncio.Event)
    address: str = ""
    passing: list[asyncio.Task[None]] = field(default_factory=list)

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Slow"]:
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        async with server:
            self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            yield self
        for task in self.passing:
            task.cancel()
        await asyncio.gather(*self.passing, return_exceptions=True)

    async def _pass_on(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        self.passing.append(asyncio.ensure_future(self._pass_all_on(near, back)))

    async def _pass_all_on(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        far, onward = await asyncio.open_connection(self.host, self.port)
        try:
            await self._pass(near, onward, far, back)
        finally:
            for writer in (onward, back):
                writer.close()
                with suppress(ConnectionError):
                    await writer.wait_closed()

    async def _pass(
        self,
        near: asyncio.StreamReader,
        onward: asyncio.StreamWriter,
        far: asyncio.StreamReader,
        back: asyncio.StreamWriter,
    ) -> None:
        # Until the sender gives up; everything that it sent is on its way then.
        request = await near.readuntil(b"\r\n\r\n")
        if request.startswith(b"PUT"):
            request += await near.read()
            await self.go.wait()
        onward.write(request)
        with suppress(ConnectionError):
            while data := await far.read(65536):
                back.write(data)


async def test_an_upload_that_completes_late_leaves_nothing(store: Store, account: Account, clock: Clock) -> None:
    with s3_server() as address:
        server, place = urlsplit(address), new_bucket(address)
        direct = S3Files(place, SHORT_TIMEOUTS)
        # As the start of the service does.
        await FileOwnership(store.deployment, direct).claim()
        async with Slow(str(server.hostname), server.port or 80).open() as slow:
            files = S3Files(replace(place, endpoint_url=slow.address), SHORT_TIMEOUTS)
            intake = DocumentIntake(
                store.intake,
                MonthlyLimits(UsageService(store.quotas)),
                files,
                Wake(FakeNotifier()),
                max_bytes=100,
                clock=clock,
            )
            with pytest.raises(ServiceError, match="Nothing was changed"):
                await intake.submit(account, Upload(PDF_BYTES, "a.pdf", Source.API), new_id())
            assert await store.quotas.used(account.id, MONTH) == 0
            slow.go.set()
            await until(lambda: len(names_in(place)) >= 2)
            clock.advance(HOUR_S + 1)
            await Housekeeping(store, direct, HOUR_S, clock).run_round()
            await files.close()
            await direct.close()
        assert names_in(place) == [DEPLOYMENT]
    assert await store.intake.stale(clock.now + timedelta(days=1), 10) == []
