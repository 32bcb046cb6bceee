"""Sealed secrets can be read only with the key."""

from collections.abc import Callable

import pytest

from serve_app.keys.sealing import Sealer, keys_in, new_key

SECRET = "whsec_a secret, with signs: \u00e4\u20ac"


def test_what_was_sealed_is_opened_and_does_not_show_it() -> None:
    sealer = Sealer([new_key()])
    sealed = sealer.seal(SECRET)
    assert sealer.open(sealed) == SECRET
    assert "secret" not in sealed
    assert sealer.seal(SECRET) != sealed


def test_a_new_key_in_front_seals_and_the_old_one_still_opens() -> None:
    old, new = new_key(), new_key()
    before = Sealer([old]).seal(SECRET)
    both = Sealer([new, old])
    assert both.open(before) == SECRET
    assert Sealer([new]).open(both.seal(SECRET)) == SECRET


def test_another_key_opens_nothing() -> None:
    sealed = Sealer([new_key()]).seal(SECRET)
    with pytest.raises(ValueError, match="cannot decrypt"):
        Sealer([new_key()]).open(sealed)


@pytest.mark.parametrize(
    "change", [lambda text: text[:-2], lambda text: "A" + text[1:], lambda _: "", lambda _: "\u00e4"]
)
def test_what_was_changed_is_not_opened(change: Callable[[str], str]) -> None:
    sealer = Sealer([new_key()])
    with pytest.raises(ValueError, match="cannot decrypt"):
        sealer.open(change(sealer.seal(SECRET)))


@pytest.mark.parametrize("keys", [[], ["short"], ["\u00e4" * 44], [new_key(), "x" * 44]])
def test_malformed_keys_are_refused_and_not_repeated(keys: list[str]) -> None:
    with pytest.raises(ValueError, match="32 random bytes") as caught:
        Sealer(keys)
    assert not any(key in str(caught.value) for key in keys)
    assert caught.value.__suppress_context__


def test_keys_are_separated_by_commas() -> None:
    assert keys_in(" a=, b=,\n") == ["a=", "b="]
