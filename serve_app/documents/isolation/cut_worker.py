"""A worker process that cuts PDFs, draws pages and finds electronic invoices, so it loads no OCR."""

from serve_app.documents.isolation.messages import (
    Answer,
    Bind,
    Count,
    Counted,
    Cut,
    FindXml,
    PageDrawn,
    PartCut,
    Request,
    Show,
)
from serve_app.documents.isolation.worker import Work, bind, cut, main
from serve_app.documents.options import ReadOptions


def cutting(options: ReadOptions) -> Work:
    """Cuts PDFs, draws pages and finds electronic invoices, and does nothing else."""
    from serve_app.documents.einvoice import einvoice_file
    from serve_app.documents.pdf.parts import count_pages
    from serve_app.documents.pictures import show_page

    def work(request: Request) -> Answer:
        if isinstance(request, Show):
            return PageDrawn(request.id, show_page(request.data, request.page, options))
        if isinstance(request, FindXml):
            return PartCut(request.id, einvoice_file(request.data) or b"")
        if isinstance(request, Bind):
            return PartCut(request.id, bind(request))
        if isinstance(request, Count):
            return Counted(request.id, count_pages(request.data))
        if not isinstance(request, Cut):
            raise ValueError("this process only cuts, draws and finds electronic invoices")
        return PartCut(request.id, cut(request.data, request.pages))

    return work


if __name__ == "__main__":
    main(cutting)
