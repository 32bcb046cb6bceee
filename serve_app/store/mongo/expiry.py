"""When MongoDB may remove a document by itself.

That is tidying only: what is over has no effect from that moment on, and `Upkeep.expire` removes it, too. MongoDB
judges by its own clock, so the moment is reckoned from the present, with an hour for clocks that differ.
"""

from datetime import datetime, timedelta

from serve_app.domain.clock import utc_now

_SLACK = timedelta(hours=1)


def purge_at(lifetime: timedelta) -> datetime:
    """A moment, as a TTL index wants it, by which a document that lives that long from now on is over."""
    return utc_now() + lifetime + _SLACK
