"""The command `invoices-client`."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from invoices_client._sync.client import Client
from invoices_client.results import CreateResult
from invoices_client.table import error_row, invoice_row, write_table


def main(arguments: Sequence[str] | None = None) -> int:
    """Send files; the exit status is 0 if all were read, else 1."""
    options = _parser().parse_args(arguments)
    journal = options.journal or options.out.with_suffix(options.out.suffix + ".journal")
    try:
        client = Client(url=options.url)
    except ValueError as error:
        print(f"invoices-client: {error}", file=sys.stderr)
        return 2
    with client:
        return _send(client, options.files, options.out, journal, options.concurrency)


def _send(client: Client, files: Sequence[Path], out: Path, journal: Path, concurrency: int) -> int:
    results: dict[Path, CreateResult] = {}

    def show(result: CreateResult) -> None:
        state = result.error or (result.invoice and result.invoice.status)
        print(f"{len(results) + 1}/{len(files)} {result.path}: {state}", file=sys.stderr)

    for result in client.invoices.create_many(files, concurrency=concurrency, journal=journal, progress=show):
        results[result.path] = result
    write_table(out, (row for path in files for row in _rows(client, results[path])))
    return 0 if all(_is_read(result) for result in results.values()) else 1


def _rows(client: Client, result: CreateResult) -> Iterator[dict[str, str]]:
    """One row for each invoice of a file."""
    if result.invoice is None:
        yield error_row(result)
    elif result.invoice.batch is None:
        yield invoice_row(result.path, result.invoice)
    else:
        batch = client.invoices.list(batch=result.invoice.batch.id, exclude="citations", limit=100)
        in_order = sorted(batch, key=lambda one: one.batch.index if one.batch else 0)
        yield from (invoice_row(result.path, each) for each in in_order)


def _is_read(result: CreateResult) -> bool:
    return result.invoice is not None and result.invoice.status == "complete"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("invoices-client", description="Client of the invoice extraction service.")
    send = parser.add_subparsers(required=True).add_parser("send", help="send files, and write their values as CSV")
    send.add_argument("files", nargs="+", type=Path, metavar="FILE")
    send.add_argument("--out", type=Path, required=True, metavar="CSV", help="the table to write")
    send.add_argument("--url", help="the service; default: INVOICES_URL, else http://127.0.0.1:8000")
    send.add_argument("--concurrency", type=int, default=8, help="files at a time (8)")
    send.add_argument("--journal", type=Path, help="what was sent, to continue after a crash; default: CSV.journal")
    parser.epilog = "The API key is read from INVOICES_API_KEY."
    return parser


if __name__ == "__main__":
    sys.exit(main())
