"""Restore drills: a backup is restored into an empty place and verified there, and the place is emptied again."""

from collections.abc import Callable

from serve_app.domain.backup import DamagedBackup
from serve_app.services.backup.restore import Outcome, restore
from serve_app.services.backup.snapshot import BackupPlace
from serve_app.services.upkeep.verification import Verification
from serve_app.store.base import Files
from serve_app.store.base.copies import WholeDatabase
from serve_app.store.base.store_check import StoreCheck


async def drill(
    place: BackupPlace,
    database: WholeDatabase,
    files: Files,
    open_check: Callable[[], StoreCheck],
    id: str | None = None,
) -> Outcome:
    """Restore the newest snapshot, or the one with this id, verify it, and remove it again from `database`. What is
    damaged, and each difference, is in the outcome. Raises UserError as `restore` does: nothing is removed then."""
    snapshot = await place.chosen(id)
    try:
        outcome = await restore(place, database, files, snapshot.id)
        check = open_check()
        try:
            # Of that moment: what was in time then is not late now. Nothing changes it, so that no pause is needed.
            verification = Verification(check, files, pause_seconds=0, clock=lambda: snapshot.made_at)
            outcome.damage += await _differences(verification)
        finally:
            await check.close()
    except DamagedBackup as error:
        outcome = Outcome(snapshot.id, damage=[str(error)])
    await database.clear()
    return outcome


async def _differences(verification: Verification) -> list[str]:
    if damage := [f"database: {line}" for line in await verification.damage()]:
        return damage
    accounts = await verification.all_accounts()
    found = [f"{stray.kind}: {stray.what}" async for stray in verification.strays(accounts)]
    for account in accounts:
        found += [f"{account}: {each.kind}: {each.what}" for each in await verification.of_account(account)]
    return found
