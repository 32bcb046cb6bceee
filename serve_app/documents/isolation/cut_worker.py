"""A worker process that only cuts PDFs, so it loads no OCR."""

from serve_app.documents.isolation.messages import Answer, Cut, PartCut, Request
from serve_app.documents.isolation.worker import Work, cut, main
from serve_app.documents.options import ReadOptions


def cutting(options: ReadOptions) -> Work:
    """Cuts PDFs and does nothing else."""

    def work(request: Request) -> Answer:
        if not isinstance(request, Cut):
            raise ValueError("this process only cuts")
        return PartCut(request.id, cut(request.data, request.pages))

    return work


if __name__ == "__main__":
    main(cutting)
