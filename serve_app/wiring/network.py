"""Builds what decides which addresses outgoing connections may reach."""

from serve_app.net.addresses import parse_networks
from serve_app.net.guard import Guard
from serve_app.net.proxy import parse_proxy
from serve_app.settings import Settings


def build_guard(settings: Settings, networks: str) -> Guard:
    """Allows public addresses and those of `networks`, through the proxy of the settings if they have one. Raises
    UserError if networks or proxy cannot be parsed."""
    proxy = settings.egress_proxy
    return Guard(parse_networks(networks), proxy=None if proxy is None else parse_proxy(proxy.get_secret_value()))
