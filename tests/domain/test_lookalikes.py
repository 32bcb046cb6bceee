"""Names and domains that could be taken for others."""

import pytest

from serve_app.domain.lookalikes import domain_looks_like, looks_like


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Nordwind Handel GmbH", "Nordvvind Handel GmbH"),
        ("Nordwind Handel GmbH", "N\u043erdwind Handel AG"),
        ("Nordwind Handel GmbH", "Handel Nordwind GmbH"),
        ("Nordwind Handel GmbH", "Nordwindt Handels GmbH"),
        ("Ilmtal Bau", "llmtaI Bau"),
        ("Hornbach 24", "Hombach 24"),
        ("Akme Supplies", "Akme Suplies"),
        ("Office One", "0ffice 0ne"),
    ],
)
def test_a_name_that_could_be_taken_for_another(name: str, other: str) -> None:
    assert looks_like(name, other)
    assert looks_like(other, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Nordwind Handel GmbH", "NORDWIND Handel AG"),
        ("Nordwind Handel GmbH", "Nordwind-Handel"),
        ("Markt 12", "Markt 13"),
        ("Markt Filiale 9", "Markt Filiale 11"),
        ("Stadtwerke Halden", "Stadtwerke Hellingen"),
        ("Akme Nord", "Akme West"),
        ("Bolt", "Bold"),
        ("", "Bolt"),
    ],
)
def test_a_name_that_could_not(name: str, other: str) -> None:
    assert not looks_like(name, other)


def test_domains_are_compared_before_their_ending() -> None:
    assert domain_looks_like("nordwlnd.example", "nordwind.example")
    assert domain_looks_like("mail.nordwimd.co.uk", "nordwind.example")
    assert not domain_looks_like("nordwind.org", "nordwind.example")
    assert not domain_looks_like("bolt.example", "bold.example")
