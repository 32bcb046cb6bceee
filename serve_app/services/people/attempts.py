"""How often something was tried in an hour or a day."""

from datetime import datetime
from ipaddress import IPv6Address, ip_address
from uuid import UUID, uuid5

from serve_app.domain.clock import Clock, utc_now
from serve_app.store.base import RateWindows

_NAMES = UUID("6b1f1f0e-6c36-4d1c-9a51-2f0a8a7f5c11")
_NETWORK_BITS = 64


class AttemptCounter:
    """Counts attempts by calendar hour or day (UTC). The store knows what is counted by a hash only."""

    def __init__(self, windows: RateWindows, clock: Clock = utc_now) -> None:
        self._windows = windows
        self._clock = clock

    async def are_too_many(self, what: str, limit: int) -> bool:
        """Count one attempt; True if that is more than `limit` in this hour."""
        return await self._windows.count(uuid5(_NAMES, what), _hour(self._clock())) > limit

    async def count_today(self, what: str) -> int:
        """Count one attempt; returns those of this day so far, including this one."""
        return await self._windows.count(uuid5(_NAMES, what), _day(self._clock()))


def peer_key(address: str) -> str:
    """The address of a peer, for counting: of IPv6 the network, in which one machine has as many as it likes."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(IPv6Address(int(parsed) >> (128 - _NETWORK_BITS) << (128 - _NETWORK_BITS)))
    return address


def _hour(now: datetime) -> datetime:
    return now.replace(minute=0, second=0, microsecond=0)


def _day(now: datetime) -> datetime:
    return _hour(now).replace(hour=0)
