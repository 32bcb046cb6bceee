"""Lists that are longer than one answer."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from invoices_client._async.transport import AsyncTransport
from invoices_client.calls import Call

Item = TypeVar("Item")
Found = TypeVar("Found", covariant=True)


class PageOf(Protocol[Found]):
    """One answer of a list."""

    @property
    def data(self) -> Sequence[Found]: ...

    @property
    def has_more(self) -> bool | None: ...


class AsyncPages(Generic[Item]):
    """A list of the service. Iterating it requests each page when it is needed."""

    def __init__(self, transport: AsyncTransport, call: Call[Any], filters: Mapping[str, object]) -> None:
        self._transport = transport
        self._call: Call[PageOf[Item]] = call
        self._filters = filters

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page:
                yield item

    async def pages(self) -> AsyncIterator[Sequence[Item]]:
        """The items of each page."""
        filters = dict(self._filters)
        while True:
            page = await self._transport.call(self._call, params=filters)
            yield page.data
            if not page.has_more or not page.data:
                return
            filters.update(_place(page.data[-1], filters))


def _place(last: Any, filters: Mapping[str, object]) -> dict[str, object]:
    """Where the next page begins. A list by time of change continues from that time, too."""
    place: dict[str, object] = {"starting_after": last.id}
    if filters.get("sort") == "updated_at":
        place["updated_after"] = last.updated_at
    return place
