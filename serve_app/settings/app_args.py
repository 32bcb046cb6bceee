"""The `args` of the application in the Serve configuration."""

from pydantic import BaseModel, ConfigDict, JsonValue, model_validator

from serve_app.domain.model_pairs import Place, Shadow, check_further
from serve_app.domain.suggestions import suggestion
from serve_app.settings.secrets import is_secret, secret_names
from serve_app.settings.settings import Settings


class AppArgs(BaseModel):
    """`settings` overrides individual settings, with precedence over the environment. `pairs` names the pairs of models
    that are served beside the first one, each with the places in which it has a model of its own; `shadow` is the one
    of them that reads along."""

    model_config = ConfigDict(extra="forbid")

    settings: dict[str, JsonValue] = {}
    pairs: dict[str, list[Place]] = {}
    shadow: Shadow | None = None

    @model_validator(mode="after")
    def _check_names(self) -> "AppArgs":
        check_further(self.pairs, self.shadow)
        unknown = sorted(self.settings.keys() - Settings.model_fields.keys())
        if unknown:
            meant = suggestion(unknown[0], Settings.model_fields)
            raise ValueError(f"unknown settings: {', '.join(unknown)}{meant}")
        secret = sorted(
            name for name in secret_names(Settings.model_fields) if is_secret(name, self.settings.get(name))
        )
        if secret:
            raise ValueError(
                f"this file must not contain secrets, because Ray stores it: {', '.join(secret)}; set them in the "
                "environment or in files (docs/how-to/replace-keys.md)"
            )
        return self
