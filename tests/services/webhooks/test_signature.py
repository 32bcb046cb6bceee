"""What is signed is verified by a library of the Standard Webhooks, which is none of ours; what was changed is not."""

import base64
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from serve_app.services.webhooks.signature import new_key_pair, sign, signed_headers

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
OTHER = "whsec_" + base64.b64encode(bytes(range(1, 33))).decode()
BODY = '{"id":"evt_1","vendor":"Müller"}'.encode()


def headers(*secrets: str, seconds_ago: float = 0, body: bytes = BODY) -> Mapping[str, str]:
    sent = datetime.now(UTC) - timedelta(seconds=seconds_ago)
    return signed_headers(secrets or (SECRET,), "evt_1", int(sent.timestamp()), body)


def verify(body: bytes, sent: Mapping[str, str], secret: str = SECRET) -> None:
    Webhook(secret).verify(body, dict(sent))


def test_the_standards_own_example_is_signed_as_it_says() -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = b'{"test": 2432232314}'
    signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body) == signature


def test_a_library_of_the_standard_verifies_it() -> None:
    verify(BODY, headers())
    verify(BODY, headers(seconds_ago=4 * 60))


def test_the_reference_vector_of_asymmetric_signatures_is_signed_as_it_says() -> None:
    key = "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=="
    signature = "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg=="
    assert sign(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}') == signature


def test_a_new_pair_is_a_private_key_that_ends_with_its_public_key() -> None:
    private, public = new_key_pair()
    assert private.startswith("whsk_")
    assert public.startswith("whpk_")
    assert base64.b64decode(private[5:])[32:] == base64.b64decode(public[5:])
    assert new_key_pair()[0] != private


def test_a_library_that_knows_secrets_only_passes_over_the_other_signature() -> None:
    private, _ = new_key_pair()
    for order in ((SECRET, private), (private, SECRET)):
        verify(BODY, headers(*order))
    with pytest.raises(WebhookVerificationError):
        verify(BODY, headers(private))


def test_while_two_secrets_sign_either_verifies() -> None:
    sent = headers(OTHER, SECRET)
    verify(BODY, sent, SECRET)
    verify(BODY, sent, OTHER)


@pytest.mark.parametrize("place", range(0, len(BODY), 7))
def test_one_changed_byte_does_not_verify(place: int) -> None:
    changed = bytearray(BODY)
    changed[place] ^= 1
    with pytest.raises(WebhookVerificationError):
        verify(bytes(changed), headers())


def test_an_old_or_future_timestamp_a_wrong_secret_and_another_id_do_not_verify() -> None:
    for sent, secret in (
        (headers(seconds_ago=6 * 60), SECRET),
        (headers(seconds_ago=-6 * 60), SECRET),
        (headers(), OTHER),
        ({**headers(), "webhook-id": "evt_2"}, SECRET),
        ({**headers(), "webhook-timestamp": str(int(datetime.now(UTC).timestamp()) - 1)}, SECRET),
    ):
        with pytest.raises(WebhookVerificationError):
            verify(BODY, sent, secret)


def test_a_secret_that_is_not_base64_is_refused() -> None:
    with pytest.raises(ValueError, match=r"base64|ASCII"):
        sign("whsec_ä", "evt_1", 1, BODY)
