"""Files that are shipped beside the code: the Serve configuration, the alarms and the samples."""

import sysconfig
from pathlib import Path

_CHECKOUT = Path(__file__).parents[2]
# Where pyproject.toml's `data-files` lie in an environment.
_INSTALLED = Path(sysconfig.get_path("data")) / "share" / "invoice-extraction-service"


def _root() -> Path:
    """The checkout that the code runs from, or else what was installed with it."""
    return _CHECKOUT if (_CHECKOUT / "pyproject.toml").is_file() else _INSTALLED


SERVE_CONFIG = _root() / "config" / "serve.yaml"
ALARM_RULES = _root() / "deploy" / "observability" / "rules.yaml"
SAMPLES = _root() / "samples"
