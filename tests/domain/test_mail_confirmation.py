"""Confirmations of forwarding are recognised."""

import pytest

from serve_app.domain.inbound_mail import Confirmation
from serve_app.domain.mail_confirmation import find_confirmation

LINK = "https://mail-settings.google.com/mail/vf-%5BANGjdJ8x-tEst%5D-q1w2e3r4"
GMAIL = (
    "anna@gmail.com has requested to automatically forward mail to your email\n"
    "address invoices-k3f@in.test.\nConfirmation code: 123456789\n\n"
    "To allow anna@gmail.com to automatically forward mail to your address,\n"
    f"please click the link below to confirm the request:\n\n{LINK}\n\n"
    "To cancel: https://mail-settings.google.com/mail/uf-%5BANG%5D\nhttps://support.google.com/mail/bin/answer.py\n"
)


@pytest.mark.parametrize(
    "subject",
    [
        "(#123456789) Gmail Forwarding Confirmation - Receive Mail from anna@gmail.com",
        "(#123456789) Gmail-Weiterleitungsbestätigung – Nachrichten von anna@gmail.com empfangen",
        "(#123456789) 転送の確認",
    ],
)
def test_gmails_question_is_recognised_in_every_language(subject: str) -> None:
    found = find_confirmation("forwarding-noreply@google.com", subject, GMAIL)
    assert found == Confirmation("Gmail", "123456789", LINK)


def test_a_link_to_elsewhere_is_left_out() -> None:
    text = GMAIL.replace("mail-settings.google.com", "mail-settings.google.com.evil.test")
    subject = "(#123456789) Gmail Forwarding Confirmation - Receive Mail from anna@gmail.com"
    found = find_confirmation("forwarding-noreply@google.com", subject, text)
    assert found == Confirmation("Gmail", "123456789", None)


@pytest.mark.parametrize(
    ("sender", "subject", "text", "expected"),
    [
        ("noreply@zoho.com", "Confirm email forwarding", "Your code is 445566.", ("zoho.com", "445566", None)),
        (
            "service@gmx.net",
            "Bestätigung Ihrer Weiterleitung",
            "Bitte hier klicken: https://www.gmx.net/confirm?x=123456789 Danke",
            ("gmx.net", None, "https://www.gmx.net/confirm?x=123456789"),
        ),
    ],
)
def test_the_questions_of_others_are_recognised_by_their_words(
    sender: str, subject: str, text: str, expected: tuple[str, str | None, str | None]
) -> None:
    assert find_confirmation(sender, subject, text) == Confirmation(*expected)


@pytest.mark.parametrize(
    ("sender", "subject", "text"),
    [
        ("anna@example.com", "Invoice 4711", "Please confirm. https://example.com/pay Order 123456"),
        ("anna@example.com", "Fwd: Invoice 123456", "see attached"),
        ("news@google.com", "Your invoice", "https://mail.google.com/mail/u/0 Order 123456"),
        (None, "Confirm forwarding", "Code 123456"),
        ("anna@example.com", "Forwarding confirmation", "Neither a code nor a link: https://[broken"),
    ],
)
def test_other_mails_are_no_confirmations(sender: str | None, subject: str, text: str) -> None:
    assert find_confirmation(sender, subject, text) is None
