"""The environment in which Ray is started and reached: the same for `invoices serve`, `ray start` and containers.

Whoever reaches a port of Ray can run code in it, so every port requires a token.
"""

import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

from serve_app.domain.user_error import UserError
from serve_app.keys.files import kept_key

RAY_VARIABLES = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_SERVE_HTTP_PROXY_CALLBACK_IMPORT_PATH": "actors.proxy:middlewares",
    "RAY_SERVE_CONTROLLER_CALLBACK_IMPORT_PATH": "actors.serve_logs:start_controller_logs",
    # Of each of Ray's own log files; by default 512 MB, and five older ones.
    "RAY_ROTATION_MAX_BYTES": "20000000",
    "RAY_ROTATION_BACKUP_COUNT": "1",
    # A proxy is replaced after three failed looks, a machine given up after five; by default every 10 s and every 3 s.
    "RAY_SERVE_PROXY_HEALTH_CHECK_PERIOD_S": "2",
    "RAY_health_check_period_ms": "1000",
    # A busy machine needs longer than the 5 s after which Serve would kill a proxy that starts.
    "RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S": "30",
}
"""What every process of Ray needs, whoever starts it."""
HAPROXY_VARIABLE = "RAY_SERVE_HAPROXY_BINARY_PATH"
"""What Ray starts where HAProxy answers HTTP (RAY_SERVE_ENABLE_HA_PROXY)."""
HAPROXY = str(Path(__file__).parents[2] / "actors" / "haproxy.sh")
"""The same program, with deadlines and limits that Ray has no settings for (ADR 0118)."""
_TOKEN_BYTES = 32
_MIN_TOKEN = 32


def ray_environment(given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables that Ray's processes and commands need, without those already in `given`. The token is kept in a
    file, which is created if it is missing, unless `given` has the token or names another file. Raises UserError if the
    file cannot be read or created, or holds no token."""
    haproxy = {HAPROXY_VARIABLE: HAPROXY, "INVOICES_PYTHON": sys.executable}
    variables = {"RAY_AUTH_MODE": "token", **RAY_VARIABLES, **haproxy}
    if not {"RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & given.keys():
        # Where Ray itself looks; but Ray would create a file that others can read.
        path = Path.home() / ".ray" / "auth_token"
        _keep_token(path)
        variables["RAY_AUTH_TOKEN_PATH"] = str(path)
    return {name: value for name, value in variables.items() if name not in given}


def is_behind_haproxy(given: Mapping[str, str] = os.environ) -> bool:
    """Whether all connections of this process come from HAProxy as `HAPROXY` configures it."""
    is_used = given.get("RAY_SERVE_ENABLE_HA_PROXY") == "1"
    return is_used and Path(given.get(HAPROXY_VARIABLE, "")).parts[-2:] == Path(HAPROXY).parts[-2:]


def _keep_token(path: Path) -> None:
    try:
        token = kept_key(path, lambda: secrets.token_hex(_TOKEN_BYTES))
    except OSError as error:
        raise UserError(f"cannot read or create Ray's token {path} ({error.strerror}); set RAY_AUTH_TOKEN") from error
    if len(token) < _MIN_TOKEN:
        raise UserError(
            f"{path} does not contain a token of at least {_MIN_TOKEN} characters; delete the file, so that the "
            "service creates a new one"
        )
