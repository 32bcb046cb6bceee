"""Asks VIES, the European Union's register of tax numbers, whether a supplier's number is registered."""

import json
import logging
import re
from collections import OrderedDict
from datetime import date, datetime, timedelta

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.invoice import CheckKind, CheckSeverity, Extraction, SupplierCheck
from serve_app.net.outcome import BadUrl, TooLarge, Unreachable
from serve_app.services.intake.file_urls import FileFetcher

log = logging.getLogger(__name__)

_MEMBERS = re.compile("AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI")
_MOST_BYTES = 20_000
# Numbers of which the answer of the day is kept.
_MOST_KEPT = 5_000
# How long nothing is asked after the register did not answer: each invoice would wait for it.
_REST = timedelta(minutes=5)
# Other words say that a state's own register did not answer.
_ANSWERS = {"VALID": True, "INVALID": False}


class Vies:
    """The register at a URL. It is asked about each number once a day; while it does not answer, nothing is said."""

    def __init__(self, url: str, fetch: FileFetcher, clock: Clock = utc_now) -> None:
        self._url = url.rstrip("/")
        self._fetch = fetch
        self._clock = clock
        self._kept: OrderedDict[tuple[str, date], bool] = OrderedDict()
        self._rests_until: datetime | None = None

    async def check(self, extraction: Extraction) -> SupplierCheck | None:
        """A notice if the supplier's tax number is not registered. Never raises for a register that fails."""
        number = extraction.details.vendor_tax_id if extraction.details else None
        today = self._clock().date()
        if number is None or not _MEMBERS.match(number) or await self._is_valid(number, today) is not False:
            return None
        text = f"The tax number {number} is not registered in VIES, asked on {today.isoformat()}."
        return SupplierCheck(
            kind=CheckKind.TAX_NUMBER_UNREGISTERED,
            severity=CheckSeverity.NOTICE,
            text=text,
            since=None,
            evidence=[],
        )

    async def _is_valid(self, number: str, today: date) -> bool | None:
        """None if the register does not say."""
        if (number, today) not in self._kept:
            answer = await self._ask(number)
            if answer is None:
                return None
            self._kept[number, today] = answer
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return self._kept[number, today]

    async def _ask(self, number: str) -> bool | None:
        if self._rests_until is not None and self._clock() < self._rests_until:
            return None
        try:
            fetched = await self._fetch(f"{self._url}/ms/{number[:2]}/vat/{number[2:]}", _MOST_BYTES)
            answer = json.loads(fetched.data)
        except (BadUrl, Unreachable, TooLarge, ValueError, RecursionError) as error:
            log.warning("VIES did not answer: %s", error)
            self._rests_until = self._clock() + _REST
            return None
        return _ANSWERS.get(str(answer.get("userError"))) if isinstance(answer, dict) else None
