"""`IMAP_URL`."""

import pytest

from serve_app.domain.user_error import UserError
from serve_app.mail.imap.account import ImapAccount, parse_imap_url


@pytest.mark.parametrize(
    ("url", "account"),
    [
        ("imaps://anna:pass@mail.test", ImapAccount("mail.test", 993, True, "anna", "INBOX", "pass")),
        ("imaps://anna@mail.test:1993/Bills", ImapAccount("mail.test", 1993, True, "anna", "Bills")),
        (
            "imap://a%40b.test:p%3A%2F@localhost/In/Bills%20new",
            ImapAccount("localhost", 143, False, "a@b.test", "In/Bills new", "p:/"),
        ),
    ],
)
def test_it_is_read(url: str, account: ImapAccount) -> None:
    assert parse_imap_url(url) == account


@pytest.mark.parametrize(
    "url",
    ["https://secret@mail.test", "imaps://mail.test", "imaps://a:secret@mail.test:port", "imaps://a:secret@x?y=1"],
)
def test_what_cannot_be_read_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(UserError) as refused:
        parse_imap_url(url)
    assert "secret" not in str(refused.value)


def test_the_password_is_not_shown() -> None:
    assert "pass" not in repr(parse_imap_url("imaps://anna:pass@mail.test"))
