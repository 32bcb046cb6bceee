"""Asks the account's memory about the vendors of a document."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from serve_app.domain.batch import Section
from serve_app.domain.errors import ServiceError
from serve_app.domain.evidence import pack, unpack
from serve_app.domain.memory import LESSONS, Taught
from serve_app.extraction.memory.recall import recall
from serve_app.extraction.memory.votes import NEEDED
from serve_app.store.base import Memory

log = logging.getLogger(__name__)


class VendorMemory:
    """The third witness, heard after both models."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def heard(self, account_id: UUID, sections: Sequence[Section]) -> list[Section]:
        """The invoices of a document with what the account's earlier ones say about them. Without memory, or while it
        is out of reach, they stay as they are."""
        return [await self._heard(account_id, section) for section in sections]

    async def _heard(self, account_id: UUID, section: Section) -> Section:
        try:
            taught = await self._memory.lessons(account_id, section.keys, LESSONS) if section.keys else []
        except ServiceError as error:
            log.warning("memory of vendors not heard: %r", error)
            return section
        return await asyncio.to_thread(_recalled, section, taught) if len(taught) >= NEEDED else section


def _recalled(section: Section, taught: Sequence[Taught]) -> Section:
    evidence = None if section.packed is None else unpack(section.packed)
    if evidence is None:
        return section
    found = recall(section.extraction, evidence, section.keys, taught)
    return replace(section, extraction=found.extraction, packed=pack(found.evidence))
