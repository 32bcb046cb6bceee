"""When MongoDB may remove a document by itself.

This is only cleanup: an expired document has no effect from that moment on, and `Upkeep.expire` removes it as well.
MongoDB uses its own clock, so the moment is computed from the present, with an hour of slack for clocks that differ.
"""

from datetime import datetime, timedelta

from serve_app.domain.clock import utc_now

_SLACK = timedelta(hours=1)


def purge_at(lifetime: timedelta) -> datetime:
    """A moment, as a TTL index needs it, by which a document with this lifetime from now on has expired."""
    return utc_now() + lifetime + _SLACK
