"""What became of a document."""

from dataclasses import dataclass
from pathlib import Path

from invoices_client.errors import InvoicesError
from invoices_client.models import Invoice, Status


@dataclass(frozen=True)
class CreateResult:
    """The invoice of a document, or why there is none. A file with several invoices has the first here: `batch`."""

    path: Path
    invoice: Invoice | None = None
    error: InvoicesError | OSError | None = None


def is_finished(invoice: Invoice) -> bool:
    """Whether the extraction has ended, with values or without."""
    return invoice.status in {Status.COMPLETE, Status.FAILED}
