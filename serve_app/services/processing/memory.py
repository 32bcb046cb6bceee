"""Asks the account's memory about the vendors of a document."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from serve_app.domain.batch import Section
from serve_app.domain.errors import ServiceError
from serve_app.domain.evidence import pack, unpack
from serve_app.domain.memory import LAYOUT, MOST_EXAMPLES, NAME, Keys, StoredExample
from serve_app.extraction.memory.votes import NEEDED, of_this_layout, of_this_vendor
from serve_app.store.base import Memory, Vendors
from serve_app.system.thread_pools import COMPUTING

log = logging.getLogger(__name__)


class VendorMemory:
    """The third witness, heard after both models."""

    def __init__(self, memory: Memory, vendors: Vendors) -> None:
        self._memory = memory
        self._vendors = vendors

    async def apply_vendor_history(self, account_id: UUID, sections: Sequence[Section]) -> list[Section]:
        """The invoices of a document with what the account's earlier ones say about them. Without memory, or while it
        is out of reach, they stay as they are."""
        return [await self._with_history(account_id, section) for section in sections]

    async def _with_history(self, account_id: UUID, section: Section) -> Section:
        try:
            merged = await merged_names(self._vendors, account_id, section.keys)
            keys = with_names(section.keys, merged)
            stored = await examples_of(self._memory, account_id, keys, MOST_EXAMPLES)
        except ServiceError as error:
            log.warning("memory of vendors not heard: %r", error)
            return section
        return await COMPUTING.run(_recalled, section, keys, stored, merged) if len(stored) >= NEEDED else section


async def merged_names(vendors: Vendors, account_id: UUID, keys: Keys) -> set[str]:
    """The names of vendors that people have merged with one that is among the keys, itself included."""
    names = [key.removeprefix(NAME) for key in keys if key.startswith(NAME)]
    return await vendors.keys_alike(account_id, names) if names else set()


def with_names(keys: Keys, names: Collection[str]) -> Keys:
    """The keys, with these names of the vendor besides."""
    return tuple(dict.fromkeys([*keys, *(f"{NAME}{name}" for name in sorted(names))]))


async def examples_of(memory: Memory, account_id: UUID, keys: Keys, limit: int) -> list[StoredExample]:
    """What the newest invoices of the vendor teach; if they are too few, those of the same layout. They are asked for
    apart, so that many of a layout never crowd out the vendor's own."""
    of_layout = tuple(key for key in keys if key.startswith(LAYOUT))
    of_vendor = tuple(key for key in keys if not key.startswith(LAYOUT))
    stored = of_this_vendor(await memory.examples(account_id, of_vendor, limit), keys) if of_vendor else []
    if len(stored) >= NEEDED or not of_layout:
        return stored
    return of_this_layout(await memory.examples(account_id, of_layout, limit), keys)


def _recalled(section: Section, keys: Keys, stored: Sequence[StoredExample], merged: Collection[str]) -> Section:
    evidence = None if section.evidence is None else unpack(section.evidence)
    if evidence is None:
        return section
    # With the patterns of dates in all languages: tens of megabytes that a service without vendor history never needs.
    from serve_app.extraction.memory.recall import recall

    found = recall(section.extraction, evidence, keys, stored, merged)
    return replace(section, extraction=found.extraction, evidence=pack(found.evidence))
