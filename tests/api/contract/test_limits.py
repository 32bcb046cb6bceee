"""The contract's figures, as a deployment has them that changes nothing."""

from datetime import timedelta

import pytest

from serve_app.domain.account import CONTRACT_PLANS
from serve_app.domain.idempotency import IN_FLIGHT, REPLAY_WINDOW
from serve_app.services.accounts.rate_limit import WINDOW
from serve_app.services.files.links import LINK_SECONDS
from serve_app.settings import Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rate_limit", 60),
        ("max_file_bytes", 15 * 1024 * 1024),
        ("fetch_seconds", 20),
        ("wait_seconds", 60),
        ("max_lost_claims", 3),
        ("approval_mails_per_account", 200),
        ("approval_mails_per_recipient", 50),
    ],
)
def test_a_setting_is_what_the_contract_says(name: str, value: int) -> None:
    assert Settings.model_fields[name].default == value


def test_what_is_no_setting_is_what_the_contract_says() -> None:
    assert timedelta(minutes=1) == WINDOW
    assert timedelta(hours=24) == REPLAY_WINDOW
    assert timedelta(seconds=120) == IN_FLIGHT
    assert LINK_SECONDS == 3600


def test_the_plans_have_the_quotas_of_the_contract() -> None:
    limits = {name: plan.monthly_limit for name, plan in CONTRACT_PLANS.items()}
    assert limits == {"free": 10, "pro": 200, "business": 1000, "unlimited": None}
