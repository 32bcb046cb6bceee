"""Suggests codes for what was read."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from serve_app.coding.features import vendor_key
from serve_app.coding.learn import entity_of
from serve_app.coding.suggest import Coder
from serve_app.domain.batch import Section
from serve_app.domain.booked_lines import booked_lines, whole_invoice
from serve_app.domain.chart import Chart
from serve_app.domain.coding import Coding, CodingStatus
from serve_app.domain.errors import ServiceError
from serve_app.domain.invoice import Extraction, Invoice
from serve_app.services.tasks.learned import LearnedByAccount
from serve_app.store.base import Charts, CodingExamples
from serve_app.system.thread_pools import COMPUTING

MOST_EXAMPLES = 2_000
"""The decisions of an account that count: its newest ones."""

log = logging.getLogger(__name__)


class CodeSuggestions:
    """Adds `coding` to invoices before they are saved."""

    def __init__(self, charts: Charts, examples: CodingExamples) -> None:
        self._charts = charts
        self._examples = examples
        self._learned: LearnedByAccount[Chart, Coder] = LearnedByAccount("codes", examples.state, self._learn)

    async def apply(self, account_id: UUID, entity_tag: str | None, sections: Sequence[Section]) -> list[Section]:
        """The invoices of a document with what they are probably booked on. While the store is out of reach they have
        no coding: the result is worth more."""
        try:
            coder = await self.coder(account_id)
        except ServiceError as error:
            log.warning("no codes suggested: %r", error)
            return list(sections)
        if coder is None:
            return list(sections)
        return [await COMPUTING.run(_coded, section, entity_tag, coder) for section in sections]

    async def renewed(self, account_id: UUID, invoice: Invoice) -> Coding | None:
        """The coding of an invoice, with suggestions from all decisions until now. What is stored stays: that is what
        was suggested before they were known."""
        if invoice.coding is not None and invoice.coding.status is CodingStatus.CONFIRMED:
            return invoice.coding
        coder = await self.coder(account_id, waits=True)
        return None if coder is None else await COMPUTING.run(suggestion_for, coder, invoice, invoice.entity_tag)

    async def coder(self, account_id: UUID, *, waits: bool = False) -> Coder | None:
        """What was learned about the account; None if it has no chart. Whoever `waits` gets what the latest decisions
        teach, too."""
        chart = await self._charts.of_account(account_id)
        return await self._learned.model(account_id, chart, waits=waits) if chart.dimensions else None

    async def idle(self) -> None:
        """Returns once nothing is learned any more."""
        await self._learned.idle()

    async def _learn(self, account_id: UUID, chart: Chart) -> Coder:
        examples = await self._examples.newest(account_id, MOST_EXAMPLES)
        return await COMPUTING.run(Coder, chart, examples)


def suggestion_for(coder: Coder, extraction: Extraction, entity_tag: str | None) -> Coding | None:
    """What an invoice with these values is probably booked on."""
    vendor, entity = vendor_key(extraction.vendor_name), entity_of(extraction, entity_tag)
    return coder.suggest(vendor, entity, booked_lines(extraction), whole_invoice(extraction))


def _coded(section: Section, entity_tag: str | None, coder: Coder) -> Section:
    try:
        coding = suggestion_for(coder, section.extraction, entity_tag)
    except Exception:
        # What was read is worth more than a suggestion.
        log.exception("no codes suggested")
        return section
    return replace(section, extraction=section.extraction.model_copy(update={"coding": coding}))
