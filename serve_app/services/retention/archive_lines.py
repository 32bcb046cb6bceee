"""What an archive of an event says: JSON Lines, compressed. The first is the event as it was sent, each other one a
delivery with its attempts."""

import gzip
import json

from pydantic import TypeAdapter

from serve_app.domain.archive import DeliveredEvent
from serve_app.domain.webhook import Delivery

_DELIVERY = TypeAdapter(Delivery)


def packed(delivered: DeliveredEvent, earlier: bytes | None = None) -> bytes:
    """The archive of an event. `earlier` is the archive that an interrupted round left: deliveries that only it has
    stay. The same event always gives the same bytes."""
    deliveries = {} if earlier is None else {delivery.id: delivery for delivery in deliveries_in(earlier)}
    deliveries |= {delivery.id: delivery for delivery in delivered.deliveries}
    ordered = (deliveries[id] for id in sorted(deliveries))
    # The payload is JSON without line breaks, and is kept byte for byte.
    lines = [f'{{"event":{delivered.event.payload}}}', *(f'{{"delivery":{_json(delivery)}}}' for delivery in ordered)]
    return gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0)


def lines_in(archive: bytes) -> list[str]:
    """The lines of an archive. Raises OSError or EOFError if it is damaged."""
    return gzip.decompress(archive).decode().splitlines()


def deliveries_in(archive: bytes) -> list[Delivery]:
    """The deliveries in an archive. Raises as `lines_in` does."""
    return [_DELIVERY.validate_python(json.loads(line)["delivery"]) for line in lines_in(archive)[1:]]


def _json(delivery: Delivery) -> str:
    return _DELIVERY.dump_json(delivery).decode()
