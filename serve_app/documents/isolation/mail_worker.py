"""A worker process that takes mails and uploaded files apart. It loads OCR only once it has to read a picture."""

from serve_app.documents.isolation.messages import Answer, FileOpened, MailOpened, Open, OpenFile, Request
from serve_app.documents.isolation.worker import Work, main
from serve_app.documents.options import ReadOptions


def opening(options: ReadOptions) -> Work:
    """Takes mails and uploaded files apart, and does nothing else."""
    from serve_app.documents.mail.open import open_mail, open_upload

    def work(request: Request) -> Answer:
        if isinstance(request, OpenFile):
            return FileOpened(request.id, open_upload(request.data, request.name, request.rules, options))
        if not isinstance(request, Open):
            raise ValueError("this process only takes mails and files apart")
        return MailOpened(request.id, open_mail(request.data, request.rules, options))

    return work


if __name__ == "__main__":
    main(opening)
