"""The ports of Ray that listen on all addresses of a machine, and the line that closes them elsewhere.

Ray's processes listen on all addresses, whatever address the machine is given, unless that is the loopback address.
No option binds them: those in C++ and the agents take the port only.
"""

import ipaddress
from collections.abc import Iterable, Sequence

import psutil

from serve_app.commands.agent_ports import RANGE

HEAD_PORT = 6379
# By default those of Ray's workers, then those of its agents (`agent_ports`).
FIRST_WORKER_PORT, LAST_WORKER_PORT = 10_002, 19_999
# Numbers of the autoscaler and of the dashboard, on the head.
_NUMBERS = (44_217, 44_227)
_ADDRESS = "--node-ip-address"


def open_ports(options: Sequence[str]) -> str:
    """One line for the start of Ray with these options of `ray start`: what listens where, and the firewall's line to
    copy."""
    given = _given(options)
    ports = _ports(given, is_head="--head" in options)
    listens = f"Ray's ports listen on all addresses of this machine, TCP {', '.join(ports)}"
    address = given.get(_ADDRESS)
    if address is None:
        return f"{listens}; with {_ADDRESS}=ADDRESS, this line shows how to close them on the others"
    if _is_loopback(address):
        return f"Ray's ports listen on {address} only"
    interface = _interface_of(address)
    if interface is None:
        return f"{listens}; close them in the firewall, except on the interface of {address}"
    return f"{listens}; to close them except on {address} ({interface}): {_rule(ports, interface)}"


def _given(options: Sequence[str]) -> dict[str, str]:
    """The options with their values, written `--name=value` or `--name value`."""
    given: dict[str, str] = {}
    for option, following in zip(options, (*options[1:], ""), strict=True):
        name, equals, value = option.partition("=")
        if name.startswith("--"):
            given[name] = value if equals else following
    return given


def _ports(given: dict[str, str], *, is_head: bool) -> list[str]:
    first = given.get("--min-worker-port", str(FIRST_WORKER_PORT))
    last = given.get("--max-worker-port", str(LAST_WORKER_PORT))
    common = [f"{first}-{last}", f"{RANGE.start}-{RANGE.stop - 1}"]
    if not is_head:
        return common
    return [given.get("--port", str(HEAD_PORT)), *common, *map(str, _NUMBERS)]


def _rule(ports: Iterable[str], interface: str) -> str:
    """For nftables: a table of its own, which is asked before those that there are."""
    chain = "add chain inet invoices input { type filter hook input priority -10; }"
    drop = f'iifname != {{ "lo", "{interface}" }} tcp dport {{ {", ".join(ports)} }} drop'
    return f"nft 'add table inet invoices; {chain}; add rule inet invoices input {drop}'"


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def _interface_of(address: str) -> str | None:
    for interface, addresses in psutil.net_if_addrs().items():
        if any(each.address == address for each in addresses):
            return interface
    return None
