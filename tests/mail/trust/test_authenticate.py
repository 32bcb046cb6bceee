"""What is proved about the sender of a mail."""

import base64
import random

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from serve_app.domain.inbound_mail import Verdict
from serve_app.mail.trust.authenticate import authenticate_sender
from tests.mail.trust.names import PEER, FakeDns, envelope, key_record, mail, names, signed


def test_spf_proves_the_sender_if_the_domains_agree() -> None:
    verdict = authenticate_sender(mail(), envelope(), names())
    assert verdict.identities == ("anna@example.com",)
    assert "SPF: pass for example.com" in verdict.words
    assert "DKIM: none" in verdict.words
    assert "DMARC: pass for example.com" in verdict.words
    assert "ARC: none" in verdict.words


def test_another_server_proves_nothing() -> None:
    verdict = authenticate_sender(mail(), envelope(peer="8.8.8.8"), names())
    assert verdict.identities == ()
    assert "SPF: fail for example.com" in verdict.words
    assert "DMARC: fail for example.com" in verdict.words


@pytest.mark.parametrize("peer", [None, "127.0.0.1", "10.1.2.3", "::1", "nonsense"])
def test_spf_says_nothing_about_mail_from_a_server_in_between(peer: str | None) -> None:
    verdict = authenticate_sender(mail(), envelope(peer=peer), names())
    assert "SPF: none for example.com (the sender's server is not known)" in verdict.words
    assert verdict.identities == ()


@pytest.mark.parametrize(
    ("record", "word"),
    [
        ("v=spf1 mx -all", "pass"),
        ("v=spf1 a:www.example.com -all", "pass"),
        ("v=spf1 include:spf.example.net -all", "pass"),
        ("v=spf1 ~all", "softfail"),
        ("v=spf1 ?all", "neutral"),
        ("v=spf1 include:nobody.example -all", "permerror"),
        ("v=spf1 ip4:nonsense", "permerror"),
        ("v=spf1 redirect=example.com", "permerror"),
    ],
)
def test_spf_follows_its_records(record: str, word: str) -> None:
    server = names()
    server.records |= {
        ("example.com", "TXT"): [record],
        ("example.com", "MX"): ["mx.example.com."],
        ("mx.example.com", "A"): [PEER],
        ("www.example.com", "A"): ["192.0.2.9", PEER],
        ("spf.example.net", "TXT"): [f"v=spf1 ip4:{PEER} -all"],
    }
    assert authenticate_sender(mail(), envelope(), server).words[0].startswith(f"SPF: {word}")


def test_a_signature_with_ed25519_is_checked() -> None:
    key = Ed25519PrivateKey.generate()
    secret = base64.b64encode(key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()))
    public = base64.b64encode(key.public_key().public_bytes_raw()).decode()
    options = {"signature_algorithm": b"ed25519-sha256", "include_headers": [b"from"]}
    raw = dkim.sign(mail(), b"e1", b"example.com", secret, **options) + mail()
    server = names()
    server.records["e1._domainkey.example.com", "TXT"] = [f"v=DKIM1; k=ed25519; p={public}"]
    assert "DKIM: pass for example.com" in authenticate_sender(raw, envelope(peer="8.8.8.8"), server).words
    assert "DKIM: fail for example.com" in authenticate_sender(raw + b"more", envelope(peer="8.8.8.8"), server).words


def test_a_signature_survives_forwarding() -> None:
    verdict = authenticate_sender(signed(mail()), envelope(sender="fred@forwarder.example", peer="8.8.8.8"), names())
    assert verdict.identities == ("example.com", "anna@example.com")
    assert "DKIM: pass for example.com" in verdict.words


def test_a_signature_of_another_domain_vouches_for_the_mail_but_not_for_the_sender() -> None:
    verdict = authenticate_sender(signed(mail("bob@bank.example")), envelope(peer=None), names())
    assert verdict.identities == ("example.com",)


def test_a_domain_that_begins_like_another_is_another() -> None:
    raw = mail("anna@example-bank.com")
    server = names(**{"example_com": "v=DMARC1; p=none", "example-bank_com": "v=DMARC1; p=none"})
    assert "anna@example-bank.com" not in authenticate_sender(signed(raw), envelope(peer=None), server).identities


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (signed(mail()).replace(b"Hello", b"Hallo"), "DKIM: fail for example.com"),
        (signed(mail()).replace(b"Anna", b"Hans"), "DKIM: fail for example.com"),
        (
            signed(mail(), length=True) + b"more\r\n",
            "DKIM: neutral for example.com (only a part of the mail is signed)",
        ),
        (b"DKIM-Signature: nonsense\r\n" + mail(), "DKIM: fail"),
        (b"DKIM-Signature: v=1; a=rsa-sha256; d=\xff; s=; h=; bh=; b=\r\n" + mail(), "DKIM: fail"),
    ],
)
def test_a_bad_signature_proves_nothing(raw: bytes, words: str) -> None:
    verdict = authenticate_sender(raw, envelope(peer=None), names())
    assert verdict.words[1].startswith(words)
    assert verdict.identities == ()


def test_a_signature_without_the_sender_proves_nothing() -> None:
    signature, _, rest = signed(mail()).partition(b"h=from")
    verdict = authenticate_sender(signature + b"h=subject" + rest, envelope(peer=None), names())
    assert verdict.identities == ()


def test_only_the_first_five_signatures_are_looked_at() -> None:
    server = names()
    authenticate_sender(
        b"".join(
            [b"DKIM-Signature: v=1; a=rsa-sha256; d=x%d.test; s=s; h=from; bh=aa==; b=aa==\r\n" % i for i in range(50)]
        )
        + mail(),
        envelope(),
        server,
    )
    assert len([name for name in server.asked if "_domainkey" in name]) == 5


def test_a_name_server_that_is_away_proves_nothing() -> None:
    server = FakeDns()
    server.is_away = True
    verdict = authenticate_sender(signed(mail()), envelope(), server)
    assert verdict.identities == ()
    assert all("temperror" in line for line in verdict.words[:3])


@pytest.mark.parametrize("header", [b"no header\r\n", b"\xff: x\r\n", b"Fr>o\r\n"])
def test_a_malformed_header_costs_the_signatures_and_not_the_rest(header: bytes) -> None:
    verdict = authenticate_sender(signed(mail()).replace(b"From:", header + b"From:"), envelope(), names())
    assert "SPF: pass for example.com" in verdict.words
    assert "DKIM: permerror (a header is malformed)" in verdict.words
    assert verdict.identities == ("anna@example.com",)


def test_a_mail_that_begins_with_a_blank_is_checked() -> None:
    assert "DKIM: permerror (a header is malformed)" in authenticate_sender(b" " + mail(), envelope(), names()).words


def test_mutated_mails_are_checked_quickly_and_without_errors() -> None:
    chance = random.Random(7)  # noqa: S311 - the same every time
    seeds = (signed(mail()), signed(mail(more=TestServerInFront.GOOD)), mail())
    pieces = (b"\0", b"\r", b"\n", b";", b"=", b"<", b'"', b"(", b"\xff", b":", b"l=5;", b"From: ", b"=?utf-8?q?")
    senders = ("", "@", "a@" + "x" * 300, "\u00fc@\u00fc.test", "a@[192.0.2.1]", "a@\udcff", '"a b"@x')
    for _ in range(400):
        raw = bytearray(chance.choice(seeds))
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(raw))
            raw[at : at + chance.choice((0, 0, 1, 20))] = chance.choice(pieces)
        authenticate_sender(bytes(raw), envelope(chance.choice(senders)), names(), chance.choice(("", "mx.in.test")))


class TestAlignment:
    def test_a_subdomain_belongs_to_its_organisation(self) -> None:
        verdict = authenticate_sender(signed(mail("anna@mail.example.com")), envelope(peer=None), names())
        assert "anna@mail.example.com" in verdict.identities

    def test_unless_its_policy_is_strict(self) -> None:
        server = names(example_com="v=DMARC1; p=reject; adkim=s; aspf=s")
        assert (
            "anna@mail.example.com"
            not in authenticate_sender(signed(mail("anna@mail.example.com")), envelope(), server).identities
        )

    def test_neighbours_below_a_public_suffix_are_different_senders(self) -> None:
        server = names()
        server.records["s1._domainkey.evil.co.uk", "TXT"] = [key_record()]
        raw = signed(mail("anna@bank.co.uk"), "evil.co.uk")
        assert authenticate_sender(raw, envelope(peer=None), server).identities == ("evil.co.uk",)

    def test_a_domain_without_a_policy_can_be_proved_all_the_same(self) -> None:
        server = names()
        del server.records["_dmarc.example.com", "TXT"]
        verdict = authenticate_sender(signed(mail()), envelope(peer=None), server)
        assert "anna@example.com" in verdict.identities
        assert "DMARC: pass for example.com (no policy published)" in verdict.words


@pytest.mark.parametrize(
    "sender",
    [
        "anna@example.com, bob@bank.example",
        "<anna@example.com> <bob@bank.example>",
        "Anna <anna@example.com>\r\nFrom: Bob <bob@bank.example>",
        "nobody",
        "",
    ],
)
def test_a_mail_without_one_sender_has_no_proved_sender(sender: str) -> None:
    assert not any(
        "@" in each for each in authenticate_sender(signed(mail(sender)), envelope(peer=None), names()).identities
    )


def test_an_address_in_the_name_is_not_the_sender() -> None:
    verdict = authenticate_sender(signed(mail('"bob@bank.example" <anna@example.com>')), envelope(peer=None), names())
    assert verdict.identities == ("example.com", "anna@example.com")


class TestEnvelope:
    def test_gmails_forwarding_address_is_its_owners(self) -> None:
        server = names()
        server.records["gmail.com", "TXT"] = [f"v=spf1 ip4:{PEER} -all"]
        forwarded = envelope("anna+caf_=invoices-k3f=in.test@gmail.com")
        assert authenticate_sender(mail("supplier@shop.example"), forwarded, server).identities == ("anna@gmail.com",)

    def test_a_rewritten_address_proves_the_forwarder_only(self) -> None:
        forged = envelope("SRS0=HHH=TT=bank.example=bob@example.com")
        assert authenticate_sender(mail("bob@bank.example"), forged, names()).identities == ("example.com",)


class TestServerInFront:
    GOOD = (
        "Authentication-Results: mx.in.test; dkim=pass header.d=example.com header.s=s1;\r\n"
        " spf=pass (sender is allowed) smtp.mailfrom=fred@forwarder.example;\r\n dmarc=pass header.from=example.com\r\n"
    )

    def test_its_results_count_instead_of_our_own(self) -> None:
        server = FakeDns()
        verdict = authenticate_sender(mail(more=self.GOOD), envelope(), server, "mx.in.test")
        assert verdict.identities == ("example.com", "fred@forwarder.example", "anna@example.com")
        assert verdict.words[0] == "Checked by mx.in.test"
        assert server.asked == []

    @pytest.mark.parametrize(
        "forged",
        [
            "Authentication-Results: mx.in.test; dkim=none\r\n" + GOOD,
            GOOD.replace("mx.in.test", "mx.evil.test"),
            "Authentication-Results: ((((((\r\n" + GOOD,
            "Subject: Authentication-Results: mx.in.test; dmarc=pass header.from=example.com\r\n",
        ],
    )
    def test_what_others_have_written_does_not(self, forged: str) -> None:
        assert authenticate_sender(mail(more=forged), envelope(peer=None), FakeDns(), "mx.in.test").identities == ()

    def test_results_about_another_sender_prove_nothing_about_this_one(self) -> None:
        verdict = authenticate_sender(mail("bob@bank.example", more=self.GOOD), envelope(), FakeDns(), "mx.in.test")
        assert "bob@bank.example" not in verdict.identities

    def test_without_its_name_nobody_is_believed(self) -> None:
        assert authenticate_sender(mail(more=self.GOOD), envelope(peer=None), FakeDns()).identities == ()


def test_a_verdict_is_shown_in_words() -> None:
    assert authenticate_sender(mail(), envelope(), names()) == Verdict(
        ("anna@example.com",),
        ("SPF: pass for example.com", "DKIM: none", "DMARC: pass for example.com", "ARC: none"),
    )
