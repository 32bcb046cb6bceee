"""The plans that operators add to those of the contract."""

from typing import Protocol

from serve_app.domain.account import Plan


class Plans(Protocol):
    """Few: operators make them, one by one."""

    async def list_all(self) -> list[Plan]:
        """In the order of their names."""
        ...

    async def get(self, name: str) -> Plan | None: ...

    async def in_use(self) -> set[str]:
        """The names of the plans that accounts have, whether they are there or not."""
        ...

    async def put(self, plan: Plan) -> None:
        """Add the plan, or replace the one of its name: its accounts have the new limits from now on."""
        ...

    async def remove(self, name: str) -> bool:
        """False if there is no such plan, or if an account has it."""
        ...
