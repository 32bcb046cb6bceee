"""The address at which callers reach the service, for the links that it makes."""

from ipaddress import IPv6Address

from fastapi import Request

from serve_app.settings import Settings


def own_address(request: Request, settings: Settings) -> str:
    """`public_url` if it is set; else the address and port that the request arrived at, which no header changes, or, if
    the operator wants that, what its Host header says. Without a slash at the end."""
    if settings.public_url:
        return settings.public_url.rstrip("/")
    if settings.links_follow_host:
        return str(request.base_url).rstrip("/")
    return f"{request.url.scheme}://{_authority(request)}{request.scope.get('root_path', '').rstrip('/')}"


def _authority(request: Request) -> str:
    # None if the service listens on a Unix socket.
    host, port = request.scope.get("server") or ("127.0.0.1", None)
    host = f"[{host}]" if _is_ipv6(host) else host
    return host if port is None else f"{host}:{port}"


def _is_ipv6(host: str) -> bool:
    try:
        IPv6Address(host)
    except ValueError:
        return False
    return True
