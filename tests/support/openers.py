"""Takes files apart in this process, for tests of what comes before and after."""

from serve_app.documents.mail.open import open_mail, open_upload
from serve_app.documents.mail.opened import OpenedMail, OpenedPart, OpenRules


class DirectOpener:
    """The `FileOpener` and `MailOpener` of tests."""

    async def open(self, raw: bytes, rules: OpenRules) -> OpenedMail:
        return open_mail(raw, rules)

    async def open_file(self, data: bytes, name: str | None, rules: OpenRules) -> tuple[OpenedPart, ...]:
        return open_upload(data, name, rules)

    def close(self) -> None:
        return
