"""Which deployment a file store belongs to: housekeeping deletes files that its database does not know, so no two
deployments may share one."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self
from uuid import UUID

import msgspec

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.record import DEPLOYMENT
from serve_app.domain.user_error import UserError
from serve_app.store.base import DeploymentId, Files


@dataclass(frozen=True, slots=True)
class Owner:
    """The deployment whose id is in a file store, and since when."""

    deployment: UUID
    since: datetime

    def __str__(self) -> str:
        return f"deployment {self.deployment} (since {self.since:%Y-%m-%d %H:%M} UTC)"

    def to_bytes(self) -> bytes:
        """As it is kept in the file store."""
        return msgspec.json.encode(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Raises UserError for anything else than `to_bytes` gives."""
        try:
            return msgspec.json.decode(data, type=cls)
        except msgspec.MsgspecError as error:
            raise UserError(f"the file {DEPLOYMENT} in the file store of FILES_URL cannot be read ({error})") from error


async def owner_of(files: Files) -> Owner | None:
    """The deployment that a file store belongs to; None if none has claimed it. Raises UserError if the note of it is
    damaged."""
    try:
        return Owner.from_bytes(await files.read(DEPLOYMENT))
    except FileNotFoundError:
        return None


def refusal(owner: Owner) -> UserError:
    """The file store belongs to another deployment."""
    return UserError(
        f"the file store of FILES_URL belongs to another {owner}; use a separate file store, or run `invoices files "
        "adopt` if that deployment is permanently stopped"
    )


class FileOwnership:
    """The claim of the deployment with this id to a file store."""

    def __init__(self, id: DeploymentId, files: Files, clock: Clock = utc_now) -> None:
        self._id = id
        self._files = files
        self._clock = clock

    async def claim(self) -> None:
        """Note that the file store is this deployment's, if no deployment has it: an empty one, or one that was used
        before such notes were made. Raises UserError if another deployment has it."""
        if not await self.check():
            await self.adopt()
            # Of two that claim it at once, the note of the later one stays.
            await self.check()

    async def check(self) -> bool:
        """Whether the file store is this deployment's; False if no deployment has it. Raises UserError if another one
        has."""
        owner = await owner_of(self._files)
        if owner is not None and owner.deployment != await self._id.get():
            raise refusal(owner)
        return owner is not None

    async def adopt(self) -> Owner:
        """Make this deployment the owner of the file store."""
        owner = Owner(await self._id.get(), self._clock())
        await self._files.write(DEPLOYMENT, owner.to_bytes())
        return owner
