"""Messages of Outlook (.msg): their files, and the messages that are attached to them."""

import struct

import pytest
from oxmsg import Message
from oxmsg.storage import Storage, Stream

from serve_app.documents.mail.open import open_mail
from serve_app.documents.mail.opened import OpenedMail, OpenRules
from tests.support.mail_corpus import pdf, picture, with_file

TEXT, BINARY = 0x001F, 0x0102
CLASS, SUBJECT, SENDER, BODY, HTML = 0x001A, 0x0037, 0x0C1F, 0x1000, 0x1013
DATA, LONG_NAME, CONTENT_ID = 0x3701, 0x3707, 0x3712
ROOT_HEADER, EMBEDDED_HEADER, ATTACHMENT_HEADER = 32, 24, 8
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000)


def storage(path: str, header: int, values: dict[int, str | bytes], *storages: Storage) -> Storage:
    """An object of a .msg file ([MS-OXMSG]): the list of its properties, and a stream for each."""
    entries, streams = bytes(header), []
    for number, value in values.items():
        kind = TEXT if isinstance(value, str) else BINARY
        data = value.encode("utf-16-le") if isinstance(value, str) else value
        entries += struct.pack("<HHIII", kind, number, 6, len(data), 0)
        streams.append(Stream(f"{path}/__substg1.0_{number:04X}{kind:04X}", data))
    return Storage(path, (*streams, Stream(f"{path}/__properties_version1.0", entries)), storages)


def attachment(number: int, values: dict[int, str | bytes], *storages: Storage) -> Storage:
    return storage(f"__attach_version1.0_#{number:08X}", ATTACHMENT_HEADER, values, *storages)


def message(sender: str, *attachments: Storage, header: int = ROOT_HEADER) -> Storage:
    values: dict[int, str | bytes] = {CLASS: "IPM.Note", SUBJECT: "Invoice", SENDER: sender, BODY: "See attached."}
    return storage("a/__substg1.0_3701000D", header, values, *attachments)


def opened(monkeypatch: pytest.MonkeyPatch, root: Storage) -> OpenedMail:
    monkeypatch.setattr(Message, "load", lambda _: Message(root))
    return open_mail(with_file(OLE, "application/vnd.ms-outlook", "mail.msg"), OpenRules())


def outcomes(mail: OpenedMail) -> dict[str, str]:
    return {each.part.path: str(each.part.outcome) for each in mail.parts}


def test_files_and_attached_messages_are_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = message("supplier@example.com", attachment(0, {DATA: pdf(), LONG_NAME: "b.pdf"}), header=EMBEDDED_HEADER)
    root = message(
        "bert@example.com", attachment(0, {DATA: pdf("a"), LONG_NAME: "a.pdf"}), attachment(1, {0x3001: "Fwd"}, inner)
    )
    mail = opened(monkeypatch, root)
    expected = {"1": "ignored", "2": "unpacked", "2.1": "ignored", "2.2": "waiting", "2.3": "unpacked"}
    assert outcomes(mail) == expected | {"2.3.1": "ignored", "2.3.2": "waiting"}
    assert [each.part.name for each in mail.parts if each.data] == ["a.pdf", "b.pdf"]
    assert next(each.part.name for each in mail.parts if each.part.path == "2.3") == "Fwd"
    assert mail.heading.original_sender == "bert@example.com"


def test_messages_attached_too_deep_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    root = message("deepest@example.com", header=EMBEDDED_HEADER)
    for level in range(7):
        root = message("x@example.com", attachment(0, {}, root), header=ROOT_HEADER if level == 6 else EMBEDDED_HEADER)
    assert "too_many" in outcomes(opened(monkeypatch, root)).values()


def test_a_logo_in_the_text_is_known_by_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    logo = attachment(0, {DATA: picture(400, 300), LONG_NAME: "image001.jpg", CONTENT_ID: "logo@x"})
    root = message("bert@example.com", logo)
    html = storage("", ROOT_HEADER, {CLASS: "IPM.Note", HTML: b"<p>Regards</p><img src='cid:logo@x'>"})
    root = Storage("", html.streams, root.storages)
    assert outcomes(opened(monkeypatch, root)) == {
        "1": "attachment_missing",
        "2": "unpacked",
        "2.1": "ignored",
        "2.2": "ignored",
    }


def test_one_damaged_property_loses_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    root = message("bert@example.com", attachment(0, {DATA: pdf(), LONG_NAME: "a.pdf"}))
    html = storage("", ROOT_HEADER, {CLASS: "IPM.Note", HTML: b"\xff\xfe<p>Regards"})
    mail = opened(monkeypatch, Storage("", html.streams, root.storages))
    assert "waiting" in outcomes(mail).values()


def test_an_object_of_another_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = Storage("a/__substg1.0_3701000D", (Stream("a/Workbook", b"x"),), ())
    root = message("bert@example.com", attachment(0, {LONG_NAME: "sheet"}, sheet))
    assert outcomes(opened(monkeypatch, root))["2.2"] == "unsupported"
