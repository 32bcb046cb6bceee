"""A worker process that takes mails apart, so it loads no OCR."""

from serve_app.documents.isolation.messages import Answer, MailOpened, Open, Request
from serve_app.documents.isolation.worker import Work, main
from serve_app.documents.options import ReadOptions


def opening(options: ReadOptions) -> Work:
    """Takes mails apart, and does nothing else."""
    from serve_app.documents.mail.open import open_mail

    def work(request: Request) -> Answer:
        if not isinstance(request, Open):
            raise ValueError("this process only takes mails apart")
        return MailOpened(request.id, open_mail(request.data, request.rules))

    return work


if __name__ == "__main__":
    main(opening)
