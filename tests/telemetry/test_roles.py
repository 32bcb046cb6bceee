"""Which numbers there are is decided in one place."""

import re

import pytest

from serve_app.documents.isolation.messages import LossCause
from serve_app.telemetry import series
from serve_app.telemetry.roles import CHILDREN, MOST_SERIES, size_of
from serve_app.telemetry.series import Kind, Series

ALL = [one for one in vars(series).values() if isinstance(one, Series)]
OF_ACCOUNTS = {one for one in ALL if one.name.startswith("invoices_account_")}
"""Only there for the accounts that the operator lists."""


@pytest.mark.parametrize("deployment", CHILDREN)
def test_no_process_has_too_many(deployment: str) -> None:
    assert sum(size_of(one) for one, _ in CHILDREN[deployment]) <= MOST_SERIES


def test_every_series_is_somebodys() -> None:
    observed_names = {one.name for children in CHILDREN.values() for one, _ in children}
    # Of models, only those that are loaded; of folders, keys and certificates, only those that the machine has; and a
    # backup is not missing until the store has said so.
    later = {series.MODEL_INFO, series.DISK_FREE, series.KEY_CHANGED, series.CERTIFICATE_EXPIRES}
    later |= {series.BACKUP_MADE, series.BACKUP_TESTED, *OF_ACCOUNTS}
    assert {one.name for one in ALL} - observed_names == {one.name for one in later}


def test_names_follow_the_conventions_and_are_different() -> None:
    assert len({one.name for one in ALL}) == len(ALL)
    for one in ALL:
        assert re.fullmatch(r"invoices_[a-z_]+", one.name)
        assert one.name.endswith("_total") == (one.kind is Kind.COUNTER)
        assert one.name.endswith("_seconds") or one.kind is not Kind.HISTOGRAM


def test_no_label_names_a_document_or_an_address_and_only_series_of_accounts_an_account() -> None:
    labels = {label for one in ALL if one not in OF_ACCOUNTS for label in one.labels}
    assert labels == {
        *("state", "kind", "source", "stage", "end", "needs", "lane", "outcome", "field", "share", "deployment"),
        *("revision", "operation", "cause", "folder", "key", "certificate"),
    }
    assert {label for one in OF_ACCOUNTS for label in one.labels} == {"account", "kind", "state", "code"}


def test_readers_are_lost_by_cause() -> None:
    causes = {labels["cause"] for one, labels in CHILDREN["Reader"] if one is series.LOST_READERS}
    assert causes == {str(cause) for cause in LossCause}
