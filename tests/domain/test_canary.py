"""Which documents a canary answers."""

from dataclasses import replace
from uuid import UUID

import pytest

from serve_app.domain.canary import STEPS, Arm, Canary, CanaryState
from serve_app.domain.ids import new_id
from tests.support import NOON

ACCOUNT = UUID(int=1)
CANARY = Canary(UUID(int=7), "new", 0.1, NOON, NOON)
DOCUMENTS = [UUID(int=number) for number in range(2000)]


def arms(canary: Canary) -> list[Arm | None]:
    return [canary.arm_of(ACCOUNT, document) for document in DOCUMENTS]


@pytest.mark.parametrize("share", [0.01, 0.1, 0.5])
def test_it_answers_its_share_and_has_as_many_controls(share: float) -> None:
    found = arms(replace(CANARY, share=share))
    for arm in Arm:
        assert found.count(arm) == pytest.approx(share * len(DOCUMENTS), rel=0.5 if share < 0.05 else 0.15)


def test_at_all_documents_there_are_no_controls() -> None:
    assert set(arms(replace(CANARY, share=1.0))) == {Arm.CANDIDATE}


def test_a_document_stays_with_the_candidate_when_the_share_grows() -> None:
    mine: set[UUID] = set()
    for share in STEPS:
        found = arms(replace(CANARY, share=share))
        now = {document for document, arm in zip(DOCUMENTS, found, strict=True) if arm is Arm.CANDIDATE}
        assert mine <= now
        mine = now


def test_it_has_nothing_to_do_with_other_accounts_or_once_it_has_ended() -> None:
    whole = replace(CANARY, share=1.0, accounts=frozenset({ACCOUNT}))
    assert whole.arm_of(ACCOUNT, DOCUMENTS[0]) is Arm.CANDIDATE
    assert whole.arm_of(new_id(), DOCUMENTS[0]) is None
    assert replace(whole, accounts=frozenset()).arm_of(ACCOUNT, DOCUMENTS[0]) is None
    assert whole.ended(CanaryState.STOPPED, "", NOON, {}).arm_of(ACCOUNT, DOCUMENTS[0]) is None


def test_the_steps() -> None:
    assert CANARY.next_step == 0.5
    assert replace(CANARY, share=1.0).next_step is None
    assert CANARY.stepped(0.5, NOON).revision == CANARY.revision + 1
