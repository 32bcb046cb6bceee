"""Mails are read as they were meant."""

import time

import pytest

from serve_app.documents.mail.open import open_mail
from serve_app.documents.mail.opened import OpenRules
from serve_app.documents.sniff import HTML, PDF, XML
from serve_app.domain.inbound_mail import Outcome
from tests.support.mail_cases import Case
from tests.support.mail_corpus import picture, xml_and_pdf
from tests.support.mail_meant import MEANT, NAMES, attached, in_place, message, named, raw_part
from tests.support.receipt_pictures import logo


@pytest.mark.parametrize("case", MEANT, ids=lambda case: str(case.name))
def test_a_mail_is_parsed_leniently(case: Case) -> None:
    opened = open_mail(case.make(), OpenRules())
    assert ", ".join(f"{each.part.path} {each.part.outcome}" for each in opened.parts) == case.expected


@pytest.mark.parametrize(("written", "meant"), NAMES.values(), ids=NAMES)
def test_names_of_files_keep_their_characters(written: bytes, meant: str) -> None:
    assert open_mail(named(written), OpenRules()).parts[1].part.name == meant


def test_who_sends_no_attachment_learns_what_to_do() -> None:
    (part,) = open_mail(message("May", "Please find attached our invoice.").as_bytes(), OpenRules()).parts
    assert part.part.reason == (
        "The e-mail mentions an attached invoice, but it has no file. Send the e-mail again with the file."
    )


@pytest.mark.parametrize(
    ("raw", "path", "outcome", "kind"),
    [
        (in_place(logo()), "2", Outcome.WAITING, "image/png"),
        (attached(("card.vcf", b"BEGIN:VCARD\r\nFN:Anna\r\n")), "2", Outcome.WAITING, HTML),
        (attached(("notes.txt", b"Invoice 4711, 119.00 EUR")), "2", Outcome.WAITING, HTML),
        (attached(("scan.gif", picture(900, 900, "GIF"))), "2", Outcome.WAITING, PDF),
        (xml_and_pdf("i.xml"), "2", Outcome.WAITING, XML),
        (message("Hello", "How are you?").as_bytes(), "1", Outcome.WAITING, HTML),
        (message("May", "Please find attached our invoice.").as_bytes(), "1", Outcome.WAITING, HTML),
        (message("May", "Get it at https://x.example/17").as_bytes(), "1", Outcome.WAITING, HTML),
        (attached(("data.bin", b"\1\2\0\3")), "2", Outcome.UNSUPPORTED, "application/octet-stream"),
    ],
    ids=["logo", "card", "text", "GIF", "XML", "body", "announcement", "links", "neither picture nor text"],
)
def test_whatever_was_left_out_can_be_read_all_the_same(raw: bytes, path: str, outcome: Outcome, kind: str) -> None:
    found = {each.part.path: each.part for each in open_mail(raw, OpenRules(requested=(path,))).parts}
    assert (found[path].outcome, found[path].mime_type) == (outcome, kind)


def test_many_parts_behind_a_wrong_boundary_are_counted_and_take_no_time() -> None:
    part = b"--c\r\nContent-Type: text/plain; name=x\r\n\r\nx\r\n"
    raw = b"From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" + part * 20_000
    started = time.process_time()
    opened = open_mail(raw, OpenRules())
    assert time.process_time() - started < 10
    assert opened.parts[-1].part.outcome is Outcome.TOO_MANY


def test_a_text_that_quotes_a_mail_is_not_taken_apart() -> None:
    quoted = raw_part(b"Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64").decode()
    opened = open_mail(message("Bounce", f"It came back:\n\n{quoted}").as_bytes(), OpenRules())
    assert len(opened.parts) == 1
