"""A worker process that checks electronic invoices with published rules."""

from serve_app.documents.isolation.messages import Answer, CheckEInvoice, EInvoiceChecked, Request
from serve_app.documents.isolation.worker import Work, main
from serve_app.documents.options import ReadOptions


def checking(options: ReadOptions) -> Work:
    """Checks electronic invoices, and does nothing else."""
    from serve_app.documents.einvoice.validation.schematron import start
    from serve_app.documents.einvoice.validation.validate import validate_file

    start()

    def work(request: Request) -> Answer:
        if not isinstance(request, CheckEInvoice):
            raise ValueError("this process only checks electronic invoices")
        return EInvoiceChecked(request.id, validate_file(request.data))

    return work


if __name__ == "__main__":
    main(checking, reserves_memory=True)
