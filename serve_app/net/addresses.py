"""Which IP addresses the service may connect to: public ones, and those in networks that the operator has opened."""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# IANA's special-purpose registries, complete. Python's `is_global` is not used: its result differs between versions.
_SPECIAL_V4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this host
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT, and the metadata service of one cloud
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a public address that inside Azure is the virtual machine's host
        "169.254.0.0/16",  # link-local, and the metadata service of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments, and the metadata service of one cloud
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112, a sink for DNS queries
        "192.52.193.0/24",  # multicast tunnels
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
# All other IPv6 addresses are not global unicast: loopback, IPv4-compatible, local NAT64, unique local, link-local,
# site-local, multicast, discard-only, segment routing.
_GLOBAL_V6 = IPv6Network("2000::/3")
_SPECIAL_V6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # protocol assignments, including Teredo, which leads to an IPv4 address
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which leads to an IPv4 address
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class Access:
    """Which addresses are allowed: the networks in `opened` and, with `to_public`, every public address."""

    opened: tuple[Network, ...] = ()
    to_public: bool = True

    def allows(self, text: str) -> bool:
        """Whether the address, given as text, is allowed; False if it is not an address."""
        try:
            address = ip_address(text)
        except ValueError:
            return False
        return is_in(address, self.opened) or (self.to_public and is_public(address))

    def is_opened(self, text: str) -> bool:
        """Whether the address, given as text, is in a network that the operator has opened."""
        return Access(self.opened, to_public=False).allows(text)


def is_public(address: Address) -> bool:
    """Whether the address belongs to a publicly reachable host on the internet."""
    reached = _reached(address)
    if isinstance(reached, IPv4Address):
        return not any(reached in network for network in _SPECIAL_V4)
    return reached in _GLOBAL_V6 and not any(reached in network for network in _SPECIAL_V6)


def is_in(address: Address, networks: Iterable[Network]) -> bool:
    """Whether the address, or the IPv4 address that it stands for, is in one of the networks."""
    reached = _reached(address)
    return any(address in network or reached in network for network in networks)


def parse_networks(text: str) -> tuple[Network, ...]:
    """Parse comma-separated networks and addresses: `10.1.0.0/16, fd00:1::/64, 192.0.2.7`. Raises ValueError if one is
    malformed."""
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def _reached(address: Address) -> Address:
    """The address that packets actually reach: an IPv4 address written as IPv6 is checked as IPv4."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _NAT64:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address
