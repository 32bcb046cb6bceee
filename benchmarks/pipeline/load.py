"""Documents sent to a running service, and when their events came."""

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime
from random import Random
from typing import Any

import httpx

from benchmarks.pipeline.mix import Document

# Often enough for nothing but the end of the wait: moments are those of the events. Each look takes CPU of the service.
_PAUSE = 1.0


class Sender:
    """One account's key at one service."""

    def __init__(self, url: str, key: str) -> None:
        headers = {"Authorization": f"Bearer {key}"}
        self._http = httpx.AsyncClient(base_url=url, headers=headers, timeout=60)

    async def close(self) -> None:
        """End its connections."""
        await self._http.aclose()

    async def at_once(self, every: Sequence[Document]) -> float:
        """Send all documents; returns the pages a second, from the first call to the last event."""
        started = time.time()
        ids = await asyncio.gather(*(self._send(document) for document in every))
        ended = max(moment for _, moment in await self._finished(ids))
        return len(every) / (ended - started)

    async def at_rate(self, every: Sequence[Document], rate: float, seed: int = 1) -> list[float]:
        """Send the documents at random moments, `rate` a second on average; returns the seconds from accepted to
        event of each."""
        random, sent = Random(seed), []  # noqa: S311 - moments, no secret
        for document in every:
            sent.append(asyncio.create_task(self._send(document)))
            await asyncio.sleep(random.expovariate(rate))
        return [ended - accepted for accepted, ended in await self._finished([await each for each in sent])]

    async def answers(self, count: int) -> list[dict[str, Any]]:
        """The newest invoices, as the API tells them."""
        page = (await self._http.get("/v1/invoices", params={"limit": count})).raise_for_status().json()
        return list(page["data"])

    async def _send(self, document: Document) -> str:
        answer = await self._http.post("/v1/invoices", files={"file": (document.name, document.data)})
        answer.raise_for_status()
        return str(answer.json()["id"])

    async def _finished(self, ids: Sequence[str]) -> list[tuple[float, float]]:
        """When each document was accepted, and when its event came; returns once the log has an event of each."""
        moments: dict[str, tuple[float, float]] = {}
        while len(moments) < len(ids):
            await asyncio.sleep(_PAUSE)
            page = (await self._http.get("/v1/events", params={"limit": 100})).raise_for_status().json()
            for event in page["data"]:
                invoice = event["data"]["invoice"]
                if invoice["id"] in ids:
                    moments[invoice["id"]] = _moment(invoice["created_at"]), _moment(event["created_at"])
        return list(moments.values())


def _moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
