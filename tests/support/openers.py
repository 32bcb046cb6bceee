"""Takes files apart in this process, for tests of what comes before and after."""

from serve_app.documents.mail.open import open_upload
from serve_app.documents.mail.opened import OpenedPart, OpenRules


class DirectOpener:
    """The `FileOpener` of tests."""

    async def open_file(self, data: bytes, name: str | None, rules: OpenRules) -> tuple[OpenedPart, ...]:
        return open_upload(data, name, rules)

    def close(self) -> None:
        return
