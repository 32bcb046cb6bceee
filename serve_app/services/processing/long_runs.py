"""Count runs over documents that are read in several goes."""

from serve_app.domain.record import InvoiceRecord


class LongRuns:
    """Such a run mostly waits for its turn, so it takes none of a dispatcher's places (`MAX_RUNNING`): eight long
    documents of one account would otherwise occupy all of them for hours. `most` bounds how many are counted."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._runs: set[object] = set()

    @property
    def count(self) -> int:
        """The number of runs that take no place."""
        return min(len(self._runs), self._most)

    def add(self, claim: InvoiceRecord) -> None:
        """Count this run until it has `ended`."""
        self._runs.add((claim.invoice.id, claim.attempt))

    def ended(self, claim: InvoiceRecord) -> None:
        """No-op for a run that was not counted."""
        self._runs.discard((claim.invoice.id, claim.attempt))
