"""The settings that the processes in front of the application need, too: they know the environment only."""

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from serve_app.net.addresses import Access, parse_networks


class EdgeSettings(BaseSettings):
    """Who connects, and how often. Must be in the environment of Ray's processes: Serve's proxies see no other
    configuration."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_file=None, hide_input_in_errors=True)

    trusted_proxies: str = ""
    """Networks of the proxies and load balancers in front of the service, separated by commas
    (`10.0.0.0/24,fd00::7/128`). The address of a client is taken from the `X-Forwarded-For` that they write, and
    `X-Forwarded-Proto` is theirs; from anybody else these headers are ignored."""
    connections_per_peer: int = Field(default=300, ge=10)
    """Most connections of one IP address (of IPv6: one /64 network) to one process that answers HTTP; those of
    `trusted_proxies` are not limited."""

    @field_validator("trusted_proxies")
    @classmethod
    def _check_proxies(cls, networks: str) -> str:
        parse_networks(networks)
        return networks

    @property
    def proxies(self) -> Access:
        """Which addresses are those of trusted proxies."""
        return Access(parse_networks(self.trusted_proxies), to_public=False)
