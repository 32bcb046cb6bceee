"""The target precisions that an account can choose."""

from dataclasses import dataclass

from serve_app.domain.account import Account
from serve_app.services.accounts.target_precision import USUAL, TargetPrecisions
from serve_app.web.formats import Formats
from serve_app.web.quality.view import percent


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of the form."""

    value: str
    label: str
    is_chosen: bool


def target_choices(targets: TargetPrecisions, account: Account, formats: Formats) -> list[Choice]:
    """The deployment's setting, then each target precision, including a chosen one that can no longer be chosen."""
    chosen = account.target_precision
    usual = Choice(USUAL, f"Default ({percent(targets.usual, formats)})", chosen is None)
    known = sorted({*targets.choices(), *([] if chosen is None else [chosen])})
    return [usual, *(Choice(str(each), percent(each, formats), each == chosen) for each in known)]
