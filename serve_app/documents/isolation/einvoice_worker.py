"""A worker process that checks electronic invoices with published rules, and writes some that keep them."""

from serve_app.documents.isolation.messages import (
    Answer,
    CheckEInvoice,
    EInvoiceChecked,
    EInvoiceWritten,
    Request,
    WriteEInvoice,
)
from serve_app.documents.isolation.worker import Work, main
from serve_app.documents.options import ReadOptions


def checking(options: ReadOptions) -> Work:
    """Checks and writes electronic invoices, and does nothing else."""
    from serve_app.documents.einvoice.validation.schematron import start
    from serve_app.documents.einvoice.validation.validate import validate_file
    from serve_app.documents.einvoice.write import write_einvoice

    start()

    def work(request: Request) -> Answer:
        if isinstance(request, WriteEInvoice):
            return EInvoiceWritten(request.id, write_einvoice(request.data, request.record, request.order))
        if not isinstance(request, CheckEInvoice):
            raise ValueError("this process only checks and writes electronic invoices")
        return EInvoiceChecked(request.id, validate_file(request.data))

    return work


if __name__ == "__main__":
    main(checking, reserves_memory=True)
