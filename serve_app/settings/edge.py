"""The settings that the processes in front of the application need, too: they know the environment only."""

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from serve_app.net.addresses import Access, parse_networks
from serve_app.telemetry.logs import parse_levels


class EdgeSettings(BaseSettings):
    """Settings for connections and logs. They must be in the environment of Ray's processes, because those of Serve
    itself read no other configuration."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_file=None, hide_input_in_errors=True)

    trusted_proxies: str = ""
    """Networks of the proxies and load balancers in front of the service, separated by commas
    (`10.0.0.0/24,fd00::7/128`). Only their `X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted; other
    clients' are ignored."""
    connections_per_peer: int = Field(default=300, ge=10)
    """Maximum connections from one IP address (IPv6: one /64 network) to one HTTP process; `trusted_proxies` are not
    limited."""

    log_level: str = "info"
    """Lowest level that is logged: `debug`, `info`, `warning` or `error`. Levels of single loggers follow after commas:
    `info,ray.serve=warning,serve_app.services.delivery=debug`."""

    @field_validator("log_level")
    @classmethod
    def _check_levels(cls, levels: str) -> str:
        parse_levels(levels)
        return levels

    @field_validator("trusted_proxies")
    @classmethod
    def _check_proxies(cls, networks: str) -> str:
        parse_networks(networks)
        return networks

    @property
    def proxies(self) -> Access:
        """Which addresses are those of trusted proxies."""
        return Access(parse_networks(self.trusted_proxies), to_public=False)
