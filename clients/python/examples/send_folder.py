"""Send the PDFs of a folder, and print each invoice that a person should look at."""

import sys
from pathlib import Path

from invoices_client import Client, CreateResult
from invoices_client.models import Confidence


def is_doubtful(result: CreateResult) -> bool:
    """Whether a value is less than `high`."""
    levels = (result.invoice.field_confidence if result.invoice else None) or {}
    return any(level is not Confidence.HIGH for level in levels.values())


def main(folder: Path) -> None:
    with Client() as client:
        for result in client.invoices.create_many(sorted(folder.glob("*.pdf")), journal=folder / "journal"):
            if result.error is not None:
                print(result.path, result.error)
            elif result.invoice is not None and is_doubtful(result):
                print(result.path, result.invoice.vendor_name, result.invoice.amount, result.invoice.currency)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
